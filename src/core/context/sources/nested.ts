import { mentionsIn } from "../mentions/parse.ts"
import { aboutFile, instructionText } from "./instructions.ts"
import type { ContextSource, Moment } from "./source.ts"

/** Paths as they are written in the prompt, and files that calls have touched. */
const filesOf = ({ prompt, touched }: Moment) => [
  ...mentionsIn(prompt?.text ?? "").map(({ path }) => ({ path })),
  ...touched.map(({ path }) => ({ path }))
]

/** Instructions that come with a file: each once, until its words are summarised away. */
export const nested: ContextSource<"nested"> = {
  wants: (moment) => {
    const files = filesOf(moment)
    return files.length === 0 ? undefined : { about: { files } }
  },
  isStanding: false,
  say: (items, isUpdate) => {
    if (isUpdate || items.length === 0) return undefined
    const files = items.map(({ value }) => ({ ...aboutFile(value), reason: value.reason, trigger: value.trigger }))
    return { type: "nested_memory", fields: { files }, words: items.map(({ value }) => instructionText(value)).join("\n\n") }
  }
}
