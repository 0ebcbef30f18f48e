import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { lookupMessage, Records } from "../../../../core/ports/Records.ts"
import { exportedMarkdown } from "../../../../tui/panes/transcript/transcript-text.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import { fromMessages } from "../../../../tui/transcript/entries/project.ts"
import { loadSession, readEarlier } from "../../../session/load-session.ts"
import type { PerformContext } from "../context/command-context.ts"

/** A stored session as a Markdown file in the folder one works in, also what was said before it was summarised. */
const NAME_CHARS = 60
const MOST_NAMES = 100

const everythingSaid = Effect.fnUntraced(function* (path: string) {
  const { earlier, messages } = yield* loadSession(path)
  const pages = yield* Effect.forEach(earlier, (page) => readEarlier(path, page))
  return [...pages.flat(), ...messages]
})

const nameFor = (title: string, sessionId: string): string => {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, NAME_CHARS)
    .replace(/^-+|-+$/g, "")
  return words === "" ? sessionId : words
}

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EEXIST"

/** Never over a file that is there: the name gets a number. */
const writeBeside = (directory: string, name: string, text: string): string => {
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const path = join(directory, `${name}${number === 1 ? "" : `-${number}`}.md`)
    try {
      writeFileSync(path, text, { flag: "wx", mode: 0o600 })
      return path
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  throw new Error(`${join(directory, name)}.md and ${MOST_NAMES - 1} more exist already`)
}

export const exportSession = (
  { plan, attempt, notice, withPorts }: PerformContext,
  { sessionId, title }: Extract<Cmd, { _tag: "ExportSession" }>
): void =>
  attempt("the session was not exported", async () => {
    const found = await withPorts(Records.use((records) => records.findById(sessionId, [plan.cwd])))
    if (found._tag !== "Found") return notice(lookupMessage(sessionId, found), "error")
    const messages = await withPorts(everythingSaid(found.file.path))
    const text = exportedMarkdown({ transcript: fromMessages(messages), title })
    notice(`exported to ${writeBeside(plan.cwd, nameFor(title, sessionId), text)}`, "success")
  })
