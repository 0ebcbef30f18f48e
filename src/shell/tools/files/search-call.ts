import { Effect } from "effect"
import { LIMITS } from "../../../core/domain/limits.ts"
import { resolveFrom } from "../../../core/domain/path/path-text.ts"
import { type FileKind, Files } from "../../../core/ports/Files.ts"
import type { SearchFailure } from "../../../core/ports/Search.ts"
import { type ToolContext, ToolRefusal } from "../contract/executor.ts"
import { fileRefusal, fileTarget } from "./file-target.ts"

/** What calls of Glob and Grep share: where they may look, how long, and what a failure means. */
const WSL_FACTOR = 3

/** File access from WSL crosses into Windows and takes longer. */
export const searchTimeoutMs = (context: ToolContext): number =>
  context.env["WSL_DISTRO_NAME"] === undefined ? LIMITS.searchTimeoutMs : LIMITS.searchTimeoutMs * WSL_FACTOR

/** Refuses a place that is not there or is of no use for the search. */
export const requirePlace = Effect.fnUntraced(function* (
  given: string,
  context: ToolContext,
  accepted: ReadonlyArray<FileKind>
) {
  const files = yield* Files
  const place = resolveFrom(context.cwd, given)
  const { kind } = yield* files.stat(place).pipe(Effect.mapError(fileRefusal("Nothing was read.")))
  if (!accepted.includes(kind)) {
    const needed = accepted.join(" or a ")
    yield* new ToolRefusal({
      message: `NotSearchable: ${place} is a ${kind}, a ${needed} is needed. Nothing was searched; correct the path.`
    })
  }
})

/** Refuses to search another place than the one that was approved: a link may have changed since. */
export const holdToApproved = (root: string, context: ToolContext) => fileTarget(root, context, "Nothing was read.")

export const searchRefusal = (failure: SearchFailure): ToolRefusal =>
  new ToolRefusal({
    message:
      failure.kind === "pattern"
        ? `InvalidPattern: nothing was searched. ${failure.message}\nCorrect the pattern, glob or type and try again.`
        : `SearchFailed: ${failure.message}\nNothing was found before that. \`nacre doctor\` says which program searches.`
  })
