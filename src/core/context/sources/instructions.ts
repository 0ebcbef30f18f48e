import { escapeReminders, oneLine } from "../../model/request/fence.ts"
import { type ContextSource, type Items, onceInWindow } from "./source.ts"

const OPENING = `The user and the project have written down how you are to work. Follow these instructions exactly; they go before your usual ways. Where two disagree, the later and more specific one counts.`
const UPDATE = "These instructions have changed since you were told them. Only what stands here counts now."

const block = ({ value: { path, label, text } }: Items<"instructions">[number]): string =>
  `Contents of ${oneLine(path)} (${label}):\n\n${escapeReminders(text).trim()}`

const shown = (items: Items<"instructions">): Items<"instructions"> => items.filter(({ value }) => value.text.trim() !== "")

export const instructions: ContextSource<"instructions"> = {
  wants: onceInWindow,
  isStanding: true,
  say: (items, isUpdate) => {
    const blocks = shown(items).map(block)
    if (blocks.length === 0) return undefined
    const files = items.map(({ value: { path, label } }) => ({ path, label }))
    return { type: "instructions", fields: { files }, words: [isUpdate ? UPDATE : OPENING, ...blocks].join("\n\n") }
  },
  takeBack: (paths) => ({
    type: "instructions_removed",
    fields: { paths },
    words: `These instruction files are gone; what they said no longer counts:\n${paths.map((path) => `- ${oneLine(path)}`).join("\n")}`
  })
}
