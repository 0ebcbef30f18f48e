import { oneLine } from "../../model/request/fence.ts"
import { type ContextSource, withEachPrompt } from "./source.ts"

/** The language of the answers, where a setting names one. */
export const language: ContextSource<"language"> = {
  wants: withEachPrompt,
  isStanding: true,
  say: ([item]) => {
    if (item === undefined) return undefined
    const name = oneLine(item.value.language)
    const words = `# Language\nAlways respond in ${name}. Code, commands, names and quotations stay as they are.`
    return { type: "language", fields: { language: name }, words }
  },
  takeBack: () => ({ type: "language_reset", words: "No language is set any longer: answer in the user's own." })
}
