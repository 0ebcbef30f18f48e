import { Effect } from "effect"
import { parseTextQuery } from "../../../../core/session/text-search.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import type { SessionHit } from "../../../../tui/model/msg.ts"
import type { PerformContext } from "../context/command-context.ts"

/**
 * A search in the text of all stored sessions. Files are read one after the other, newest first; what
 * was found so far is reported from time to time. A newer search, or leaving the list, ends it.
 */

const MOST_HITS = 500
const TELL_EVERY_MS = 100

type Wish = Extract<Cmd, { readonly _tag: "SearchSessions" }>

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
    const { allFiles, hitsOfFile } = await import("./search-transcripts.ts")
    const files = await withPorts(allFiles(plan.configHome))
    const hits: Array<SessionHit> = []
    let reportedAt = 0
    for (const [index, file] of files.entries()) {
      if (!isWanted()) return
      // A file that cannot be read holds no hit.
      const found = await withPorts(hitsOfFile(file, query).pipe(Effect.orElseSucceed(() => [])))
      hits.push(...found.slice(0, MOST_HITS - hits.length))
      if (found.length === 0 && performance.now() - reportedAt < TELL_EVERY_MS) continue
      reportedAt = performance.now()
      if (isWanted()) {
        this.tellFound({ query: words, request }, { hits, searched: index + 1, total: files.length, isDone: false })
      }
    }
    if (isWanted()) {
      this.tellFound({ query: words, request }, { hits, searched: files.length, total: files.length, isDone: true })
    }
  }

  private tellFound(
    wish: Pick<Wish, "query" | "request">,
    found: {
      readonly hits: ReadonlyArray<SessionHit>
      readonly searched: number
      readonly total: number
      readonly isDone: boolean
    }
  ): void {
    this.context.tell({ _tag: "SessionsSearched", ...wish, ...found, hits: [...found.hits] })
  }
}
