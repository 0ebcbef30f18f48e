import { escapeReminders, oneLine } from "../../model/request/fence.ts"
import { type ContextSource, type InstructionValue, withEachPrompt } from "./source.ts"

const OPENING = `The user and the project have written down how you are to work. Follow these instructions exactly; they go before your usual ways. Where two disagree, the later and more specific one counts.`
const UPDATE = "These instructions have changed since you were told them. Only what stands here counts now."

/** What hooks and readers of the transcript learn of a file. */
export const aboutFile = ({ path, kind, label, parent }: InstructionValue) => ({
  path,
  kind,
  label,
  ...(parent === undefined ? {} : { parent })
})

/** One file under its heading. */
export const instructionText = ({ path, label, text }: InstructionValue): string =>
  `Contents of ${oneLine(path)} (${label}):\n\n${escapeReminders(text).trim()}`

export const instructions: ContextSource<"instructions"> = {
  // A conversation keeps what it began with; with each prompt it is seen whether the files have changed.
  wants: (moment) => (moment.isNewWindow ? { about: { isNewWindow: true } } : withEachPrompt(moment)),
  isStanding: true,
  say: (items, isUpdate) => {
    const blocks = items.filter(({ value }) => value.text.trim() !== "").map(({ value }) => instructionText(value))
    if (blocks.length === 0) return undefined
    const files = items.map(({ value }) => aboutFile(value))
    return { type: "instructions", fields: { files }, words: [isUpdate ? UPDATE : OPENING, ...blocks].join("\n\n") }
  },
  takeBack: (paths) => ({
    type: "instructions_removed",
    fields: { paths },
    words: `These instruction files are gone; what they said no longer counts:\n${paths.map((path) => `- ${oneLine(path)}`).join("\n")}`
  })
}
