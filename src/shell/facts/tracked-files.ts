import type { CallFacts } from "../../core/permission/facts.ts"
import { isInside } from "../../core/domain/path/path-components.ts"
import { memoizeText } from "../../core/domain/text/bounded-memo.ts"
import type { RepositoryFacts, ShellAnalysis } from "../../core/permission/bash/shell-analysis.ts"
import type { Git } from "../../core/ports/Git.ts"
import { watchedAmong } from "./watched-paths.ts"

interface Watching {
  readonly watched: ReadonlyArray<string>
  readonly repository: RepositoryFacts | undefined
  readonly git: Git["Service"]
}

/** What rules name among the files that git goes through, where it goes through all that it knows. */
export const trackedBelow = (
  analyses: ReadonlyArray<ShellAnalysis>,
  { watched, repository, git }: Watching
): Pick<CallFacts, "tracked"> => {
  if (watched.length === 0) return {}
  const trees = new Set(
    analyses.flatMap(({ parts }) =>
      parts.flatMap(({ touches }) =>
        touches.flatMap(({ tracked, path }) => (tracked === true && path !== undefined ? [path] : []))
      )
    )
  )
  if (trees.size === 0) return {}
  const root = repository?.root
  const around = memoizeText(git.trackedFiles)
  return {
    tracked: Array.from(trees, (path) => {
      const start = root !== undefined && isInside(root, path) ? root : path
      const files = around(start)?.filter((file) => isInside(path, file))
      return { path, watched: files === undefined ? undefined : watchedAmong(files, watched) }
    })
  }
}
