/** Building blocks of plans: calls that depend on how the calls before them went. */
import type { SettledCall, Turn } from "./conversation.ts"
import type { PlannedCall, Step } from "./entry.ts"
import { always } from "./entry.ts"

export const calling = (text: string, ...tools: ReadonlyArray<PlannedCall>): Step => always({ text, tools })

export const successfulCalls = (calls: ReadonlyArray<SettledCall>): boolean =>
  calls.length > 0 && calls.every((call) => call.outcome === "succeeded")

/** The step only when every call of the response before it succeeded. */
export const afterSuccess =
  (step: Step): Step =>
  (turn) =>
    successfulCalls(turn.latest) ? step(turn) : undefined

const UNREAD = /\b(?:not (?:yet )?been read|not read yet|unread|read it first|read the file first)\b/i

const wantsReading = (call: SettledCall): boolean =>
  call.name === "Write" && call.outcome !== "succeeded" && UNREAD.test(call.result)

interface NewFile {
  readonly path: string
  readonly content: string
}

/** Writes files; those that exist and were refused because nobody read them are read and written again. */
export const writing = (text: string, files: ReadonlyArray<NewFile>): ReadonlyArray<Step> => {
  const refused = (turn: Turn): ReadonlyArray<NewFile> =>
    files.filter((file) => turn.calls.some((call) => wantsReading(call) && call.input["file_path"] === file.path))
  const write = (some: ReadonlyArray<NewFile>): ReadonlyArray<PlannedCall> =>
    some.map((file) => ({ name: "Write", input: { file_path: file.path, content: file.content } }))
  return [
    calling(text, ...write(files)),
    (turn) =>
      turn.latest.some(wantsReading)
        ? {
            text: "That exists already, so I read it before I overwrite it.",
            tools: refused(turn).map((file) => ({ name: "Read", input: { file_path: file.path } }))
          }
        : undefined,
    (turn) =>
      successfulCalls(turn.latest) && turn.latest.every((call) => call.name === "Read") && refused(turn).length > 0
        ? { tools: write(refused(turn)) }
        : undefined
  ]
}
