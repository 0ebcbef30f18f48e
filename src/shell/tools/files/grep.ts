import { Effect } from "effect"
import { resolveFrom } from "../../../core/domain/path/path-text.ts"
import { SECRET_CANDIDATES } from "../../../core/permission/rules/sensitive-paths.ts"
import type { Files } from "../../../core/ports/Files.ts"
import { type GrepRequest, Search } from "../../../core/ports/Search.ts"
import { skippedNote } from "../../../core/tools/search/display.ts"
import { splitGlobList } from "../../../core/domain/path/glob-pattern.ts"
import { entriesNeeded } from "../../../core/tools/search/page.ts"
import { type GrepInput, modeOf, pageRequestOf, surroundingsOf } from "../../../core/tools/search/grep.ts"
import { countsResult, filesResult, type GrepView, linesResult } from "../../../core/tools/search/grep-result.ts"
import type { ToolContext, ToolExecutor } from "../contract/executor.ts"
import { SearchVisibility, type SearchView } from "../services/search-visibility.ts"
import { holdToApproved, requirePlace, searchRefusal, searchTimeoutMs } from "./search-call.ts"

const search = Effect.fnUntraced(function* (input: GrepInput, request: GrepRequest, view: GrepView) {
  const engine = yield* Search
  const mode = modeOf(input)
  if (mode === "files_with_matches") return filesResult(yield* engine.grepFiles(request), view)
  if (mode === "count") return countsResult(yield* engine.grepCounts(request), view)
  const lines = yield* engine.grepLines({
    ...request,
    ...surroundingsOf(input),
    onlyMatching: input["-o"] === true,
    stopAfter: entriesNeeded(view)
  })
  return linesResult(lines, view)
})

/** How many files are left out is counted by their names: it must not tell whether the pattern is in them. */
const skippedSecrets = Effect.fnUntraced(function* (request: GrepRequest, sight: SearchView["sight"]) {
  if (request.type !== undefined) return 0
  const engine = yield* Search
  const { entries } = yield* engine
    .names({ ...request, exclude: [], names: SECRET_CANDIDATES, shows: (path) => sight(path) === "secret" })
    .pipe(Effect.orElseSucceed(() => ({ entries: [] })))
  return entries.length
})

const run = Effect.fnUntraced(
  function* (input: GrepInput, context: ToolContext) {
    const reach = yield* SearchVisibility
    const timeoutMs = searchTimeoutMs(context)
    const target = yield* holdToApproved(resolveFrom(context.cwd, input.path ?? "."), context)
    const { closed, sight } = yield* reach.viewFrom(target)
    const request: GrepRequest = {
      root: target.path,
      pattern: input.pattern,
      globs: splitGlobList(input.glob ?? ""),
      ...(input.type === undefined ? {} : { type: input.type }),
      ignoreCase: input["-i"] === true,
      multiline: input.multiline === true,
      exclude: closed,
      shows: (path) => sight(path) === "open",
      timeoutMs
    }
    const view = { ...pageRequestOf(input), cwd: context.cwd, lineNumbers: input["-n"] !== false, timeoutMs }
    const [{ data, text }, skipped] = yield* Effect.all([search(input, request, view), skippedSecrets(request, sight)], {
      concurrency: 2
    })
    return { data, content: [text, ...skippedNote(skipped)].join("\n") }
  },
  Effect.catchTag("SearchFailure", searchRefusal)
)

export const grepExecutor: ToolExecutor<GrepInput, Search | Files | SearchVisibility> = {
  prepare: (input, context) =>
    input.path === undefined ? Effect.void : requirePlace(input.path, context, ["directory", "file"]),
  run
}
