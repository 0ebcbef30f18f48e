import { Clock, Effect } from "effect"
import { isOff, readVariable } from "../../../core/domain/env.ts"
import { Files } from "../../../core/ports/Files.ts"
import { Search } from "../../../core/ports/Search.ts"
import type { Found } from "../../../core/tools/search/search-result.ts"
import { skippedNote } from "../../../core/tools/search/display.ts"
import { globData, type GlobInput, globText, targetOf } from "../../../core/tools/search/glob.ts"
import type { ToolContext, ToolExecutor } from "../contract/executor.ts"
import { SearchVisibility } from "../services/search-visibility.ts"
import { holdToApproved, requirePlace, searchRefusal, searchTimeoutMs } from "./search-call.ts"

const NOTHING: Found<string> = { entries: [], complete: true }

/** The directories that a pattern names need not exist; then there is nothing to find. */
const isDirectory = (path: string) =>
  Files.use((files) => files.stat(path)).pipe(
    Effect.map((stat) => stat.kind === "directory"),
    Effect.orElseSucceed(() => false)
  )

const run = Effect.fnUntraced(
  function* (input: GlobInput, context: ToolContext) {
    const search = yield* Search
    const reach = yield* SearchVisibility
    const timeoutMs = searchTimeoutMs(context)
    const startedMs = yield* Clock.currentTimeMillis
    const wanted = targetOf(input, context.cwd)
    const { closed, sight } = yield* reach.viewFrom(yield* holdToApproved(wanted.root, context))
    let skipped = 0
    const request = {
      ...wanted,
      hidden: !isOff(readVariable(context.env, "GLOB_HIDDEN")),
      ignoreFiles: isOff(readVariable(context.env, "GLOB_NO_IGNORE")),
      exclude: closed,
      shows: (path: string) => {
        const seen = sight(path)
        if (seen === "secret") skipped++
        return seen === "open"
      },
      timeoutMs
    }
    const found = (yield* isDirectory(request.root)) ? yield* search.glob(request) : NOTHING
    const data = globData(found, (yield* Clock.currentTimeMillis) - startedMs)
    const text = globText(found, data, { cwd: context.cwd, timeoutMs })
    return { data, content: [text, ...skippedNote(skipped)].join("\n") }
  },
  Effect.catchTag("SearchFailure", searchRefusal)
)

export const globExecutor: ToolExecutor<GlobInput, Search | Files | SearchVisibility> = {
  prepare: (input, context) => (input.path === undefined ? Effect.void : requirePlace(input.path, context, ["directory"])),
  run
}
