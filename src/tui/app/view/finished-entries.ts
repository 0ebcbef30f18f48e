/**
 * How much of a conversation will not change any more. What is written to the terminal's own scrollback can never be
 * taken back, so an entry waits here until nothing can touch it.
 */
import type { Entry } from "../../transcript/block.ts"
import { shellEntryId } from "../../transcript/entries/shell-run.ts"
import { placeOf, type Transcript } from "../../transcript/state.ts"
import { mcpName } from "../../transcript/tools/mcp.ts"
import * as Vector from "../../transcript/vector.ts"

const openPlaces = (transcript: Transcript): ReadonlyArray<number> => {
  const { openCalls, arriving, retry } = transcript
  const open = arriving === undefined ? -1 : placeOf(transcript, ({ id }) => id === arriving.entryId)
  const retrying = retry === undefined ? [] : [retry.place]
  return [...openCalls.values(), ...(open < 0 ? [] : [open]), ...retrying]
}

const serverOf = (entry: Entry | undefined): string | undefined => {
  const block = entry?.blocks[0]
  return block?.kind === "tool" ? mcpName(block.tool)?.server : undefined
}

/** Calls of one server that follow each other become one block, and a boundary gets its summary. */
const mayJoin = (entry: Entry, next: Entry | undefined, isRunning: boolean): boolean => {
  const block = entry.blocks[0]
  if (block?.kind === "boundary") return next === undefined && !block.hasSummary && isRunning
  const server = serverOf(entry)
  if (server === undefined) return false
  return next === undefined ? isRunning : serverOf(next) === server
}

/** Commands of the user that run, or that the conversation has not taken in yet. */
const runPlaces = (transcript: Transcript, runs: ReadonlyArray<string>): ReadonlyArray<number> =>
  runs.map((id) => placeOf(transcript, (entry) => entry.id === shellEntryId(id))).filter((place) => place >= 0)

/** The place after the last entry that is as it will stay. */
export const finishedEnd = (transcript: Transcript, isRunning: boolean, runs: ReadonlyArray<string> = []): number => {
  const { entries } = transcript
  let end = Math.min(entries.length, ...openPlaces(transcript), ...runPlaces(transcript, runs))
  for (; end > 0; end--) {
    const entry = Vector.get(entries, end - 1)
    if (entry === undefined || !mayJoin(entry, Vector.get(entries, end), isRunning)) return end
  }
  return end
}
