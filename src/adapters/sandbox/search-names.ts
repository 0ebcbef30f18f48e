/** Protected names and git directories below directories that commands may write. */
import { join } from "node:path"
import { isHoleName } from "../../core/sandbox/guarded-paths.ts"
import { entriesOf } from "./file-facts.ts"
import { isGitDirectory } from "./git-places.ts"

/**
 * How far names are looked for, in how many directories, and how many are closed: each costs a mount, and bubblewrap
 * takes longer for each the more there are. The nearest come first.
 */
const DEPTH = 6
const MOST_DIRECTORIES = 600
const MOST_NAMES = 120

const UNSEARCHED = new Set(["node_modules", ".git"])

export interface FoundNames {
  readonly paths: ReadonlyArray<string>
  readonly gitDirectories: ReadonlyArray<string>
}

export const searchNames = (roots: ReadonlyArray<string>): FoundNames => {
  const paths: Array<string> = []
  const gitDirectories: Array<string> = []
  const queue = roots.map((path) => ({ path, depth: 0 }))
  for (let at = 0; at < queue.length && at < MOST_DIRECTORIES; at++) {
    const { path, depth } = queue[at] ?? { path: "/", depth: DEPTH }
    for (const entry of entriesOf(path)) {
      const inner = join(path, entry.name)
      if (isHoleName(entry.name)) paths.push(inner)
      else if (entry.name === ".git" && !entry.isDirectory()) paths.push(inner)
      else if (entry.name === ".git" && (isGitDirectory(inner) || (depth > 0 && entriesOf(inner).length > 0))) {
        gitDirectories.push(inner)
      } else if (entry.isDirectory() && depth < DEPTH && !UNSEARCHED.has(entry.name)) {
        queue.push({ path: inner, depth: depth + 1 })
      }
    }
  }
  return { paths: paths.slice(0, MOST_NAMES), gitDirectories: gitDirectories.slice(0, MOST_NAMES) }
}
