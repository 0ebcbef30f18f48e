import { MOST_FOUND_BELOW } from "../../core/permission/facts.ts"
import { matchesAbsolute } from "../../core/domain/path/glob.ts"
import { foldCase, parentOf } from "../../core/domain/path/path-components.ts"

const WILDCARD = /[*?[\\]/

/** Those of the paths, and of the directories on the way to them, that absolute patterns of rules name. */
export const watchedAmong = (paths: ReadonlyArray<string>, watched: ReadonlyArray<string>): ReadonlyArray<string> => {
  const spelled = new Set(watched.filter((pattern) => !WILDCARD.test(pattern)).map(foldCase))
  const patterns = watched.filter((pattern) => WILDCARD.test(pattern))
  const found = new Set<string>()
  const seen = new Set<string>()
  for (const path of paths) {
    for (let place = path; place !== "/" && !seen.has(place); place = parentOf(place)) {
      seen.add(place)
      if (spelled.has(foldCase(place)) || patterns.some((pattern) => matchesAbsolute(pattern, place))) found.add(place)
    }
    if (found.size >= MOST_FOUND_BELOW) break
  }
  return [...found]
}
