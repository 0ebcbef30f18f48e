import { join } from "node:path"
import { Effect } from "effect"
import { Records } from "../../core/ports/Records.ts"
import { messageOf } from "../../core/session/message-line.ts"
import { readLine } from "../../core/session/record.ts"
import { matchesQuery, parseTextQuery, partsOf, snippetOf, type TextQuery } from "../../core/session/text-search.ts"
import type { SessionFile, SessionRow } from "../../core/session/row.ts"
import type { Cmd } from "../../tui/app/cmd.ts"
import type { SessionHit } from "../../tui/app/msg.ts"
import type { PerformContext } from "./perform-context.ts"
import { isBrowsable, transcriptsBelow } from "./stored-sessions.ts"

/**
 * A search in the text of all stored sessions (UI-192, SES-125). Files are read one after the other, newest first and
 * in bounded memory; what was found so far is told after each. A newer search, or leaving the list, ends it.
 */

const MOST_HITS = 500
const HITS_PER_SESSION = 20
const TELL_EVERY_MS = 100

type Wish = Extract<Cmd, { readonly _tag: "SearchSessions" }>

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

const allFiles = Effect.fnUntraced(function* (configHome: string) {
  const records = yield* Records
  const paths = yield* Effect.promise(() => transcriptsBelow(join(configHome, "projects")))
  const files = yield* Effect.forEach(paths, (path) => Effect.option(records.fileAt(path)), { concurrency: 16 })
  return files
    .flatMap((file) => (file._tag === "Some" ? [file.value] : []))
    .toSorted((left, right) => right.modifiedMs - left.modifiedMs)
})

const hitsOfFile = Effect.fnUntraced(function* (file: SessionFile, query: TextQuery) {
  const records = yield* Records
  const row = yield* records.row(file)
  return isBrowsable(row) ? yield* hitsIn(row, query) : []
})

export class SessionSearch {
  private latest = 0

  constructor(private readonly context: PerformContext) {}

  stop(): void {
    this.latest += 1
  }

  start(wish: Wish): void {
    this.stop()
    const own = this.latest
    this.context.attempt("the search was given up", () => this.run(wish, () => own === this.latest))
  }

  private async run({ query: words, request }: Wish, isWanted: () => boolean): Promise<void> {
    const { plan, withPorts } = this.context
    const query = parseTextQuery(words)
    const files = await withPorts(allFiles(plan.configHome))
    const hits: Array<SessionHit> = []
    let told = 0
    for (const [index, file] of files.entries()) {
      if (!isWanted()) return
      // A file that cannot be read holds no hit.
      const found = await withPorts(hitsOfFile(file, query).pipe(Effect.orElseSucceed(() => [])))
      hits.push(...found.slice(0, MOST_HITS - hits.length))
      if (found.length === 0 && performance.now() - told < TELL_EVERY_MS) continue
      told = performance.now()
      if (isWanted()) this.tellFound({ query: words, request }, { hits, searched: index + 1, total: files.length, isDone: false })
    }
    if (isWanted()) this.tellFound({ query: words, request }, { hits, searched: files.length, total: files.length, isDone: true })
  }

  private tellFound(
    wish: Pick<Wish, "query" | "request">,
    found: { readonly hits: ReadonlyArray<SessionHit>; readonly searched: number; readonly total: number; readonly isDone: boolean }
  ): void {
    this.context.tell({ _tag: "SessionsSearched", ...wish, ...found, hits: [...found.hits] })
  }
}
