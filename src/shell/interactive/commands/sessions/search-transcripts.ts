import { join } from "node:path"
import { Effect } from "effect"
import { Records } from "../../../../core/ports/Records.ts"
import { messageOf } from "../../../../core/session/transcript/message-line.ts"
import { readLine } from "../../../../core/session/transcript/record.ts"
import { matchesQuery, partsOf, snippetOf, type TextQuery } from "../../../../core/session/text-search.ts"
import type { SessionFile, SessionRow } from "../../../../core/session/row.ts"
import type { SessionHit } from "../../../../tui/model/msg.ts"
import { isBrowsable, transcriptsBelow } from "./stored-sessions.ts"

/** Finds the messages of stored sessions that hold something. Files are read in bounded memory. */

const HITS_PER_SESSION = 20

/** The messages of one file that hold it, the latest first. */
const hitsIn = Effect.fnUntraced(function* (row: SessionRow, query: TextQuery) {
  const records = yield* Records
  const title = row.summary ?? "(no title)"
  const hits: Array<SessionHit> = []
  yield* records.scan(row.path, (value) => {
    const line = readLine(value)
    const message = line?._tag === "Chain" && !line.links.isSidechain ? messageOf(line.raw) : null
    const part = message === null ? undefined : partsOf(message).find(({ text }) => matchesQuery(query, text))
    if (message === null || part === undefined) return
    const at = Date.parse(message.timestamp)
    hits.push({
      sessionId: row.sessionId,
      title,
      role: part.role,
      snippet: snippetOf(query, part.text),
      at: Number.isNaN(at) ? undefined : at
    })
  })
  const named: ReadonlyArray<SessionHit> = matchesQuery(query, [title, row.tag ?? ""].join(" "))
    ? [{ sessionId: row.sessionId, title, role: "title", snippet: title, at: row.modifiedMs }]
    : []
  return [...named, ...hits.toReversed().slice(0, HITS_PER_SESSION)]
})

/** All transcripts, newest first. */
export const allFiles = Effect.fnUntraced(function* (configHome: string) {
  const records = yield* Records
  const paths = yield* Effect.promise(() => transcriptsBelow(join(configHome, "projects")))
  const files = yield* Effect.forEach(paths, (path) => Effect.option(records.fileAt(path)), { concurrency: 16 })
  return files
    .flatMap((file) => (file._tag === "Some" ? [file.value] : []))
    .toSorted((left, right) => right.modifiedMs - left.modifiedMs)
})

export const hitsOfFile = Effect.fnUntraced(function* (file: SessionFile, query: TextQuery) {
  const records = yield* Records
  const row = yield* records.row(file)
  return isBrowsable(row) ? yield* hitsIn(row, query) : []
})
