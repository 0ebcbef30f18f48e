/** Commands that the user runs beside the conversation: shown until the conversation itself holds them. */
import { plain } from "../../text/ansi/ansi.ts"
import type { Block, Entry, NoticeBlock, UserBlock } from "../block.ts"
import { append, placeOf, remove, replace, type Transcript } from "../state.ts"
import * as Vector from "../vector.ts"

export interface ShellRun {
  readonly id: string
  readonly command: string
  /** What it printed last; all of it once it has ended. */
  readonly output: string
  readonly state: "running" | "ok" | "failed" | "cancelled"
}

const levelOf = ({ state }: ShellRun): NoticeBlock["level"] =>
  state === "failed" ? "error" : state === "cancelled" ? "warning" : "info"

const WAITING = "running; Ctrl+C stops it"
const SILENT: Readonly<Record<ShellRun["state"], string>> = {
  running: WAITING,
  ok: "it printed nothing",
  failed: "it failed and printed nothing",
  cancelled: "stopped"
}

/** The entry of a run, as long as the conversation does not hold it. */
export const shellEntryId = (run: string): string => `shell:${run}`

const entryOf = (run: ShellRun, revision: number): Entry => {
  const id = shellEntryId(run.id)
  const printed = plain(run.output).trimEnd()
  const command: UserBlock = { id, kind: "user", revision: 1, source: run.command, prefix: "!" }
  const output: NoticeBlock = {
    id: `${id}:output`,
    kind: "notice",
    revision,
    source: printed === "" ? SILENT[run.state] : printed,
    level: levelOf(run)
  }
  return { id, kind: "system", blocks: [command, output] }
}

const withGapsOf = (entry: Entry, before: ReadonlyArray<Block>): Entry => ({
  ...entry,
  blocks: entry.blocks.map((block, index) => (before[index]?.gap === true ? { ...block, gap: true as const } : block))
})

export const applyShellRun = (transcript: Transcript, run: ShellRun): Transcript => {
  const place = placeOf(transcript, (entry) => entry.id === shellEntryId(run.id))
  const known = Vector.get(transcript.entries, place)
  if (known === undefined) return append(transcript, entryOf(run, 1))
  const revision = (known.blocks[1]?.revision ?? 0) + 1
  return replace(transcript, place, withGapsOf(entryOf(run, revision), known.blocks))
}

/** The conversation holds the command from now on; its first message has the id of the run. */
export const withoutShellRun = (transcript: Transcript, id: string): Transcript => {
  const place = placeOf(transcript, (entry) => entry.id === shellEntryId(id))
  return place < 0 ? transcript : remove(transcript, new Set([place]))
}
