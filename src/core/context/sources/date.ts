import { type ContextSource, withEachPrompt } from "./source.ts"

export const date: ContextSource<"date"> = {
  wants: withEachPrompt,
  isStanding: true,
  say: ([item], isUpdate) => {
    if (item === undefined) return undefined
    const { date: today } = item.value
    return isUpdate
      ? {
          type: "date_change",
          fields: { newDate: today },
          words: `The date has changed. Today is ${today}. There is no need to mention it.`
        }
      : { type: "date", fields: { date: today }, words: `Today's date is ${today}.` }
  }
}
