import { Effect } from "effect"
import type { GlobFact } from "../../core/permission/facts.ts"
import { matchesComponent } from "../../core/domain/path/glob.ts"
import { componentsAsSpelled } from "../../core/domain/path/path-components.ts"
import { Files } from "../../core/ports/Files.ts"

const MOST_MATCHES = 1_000
const MOST_DIRECTORIES = 500

const isPattern = (component: string): boolean => /[*?[]/.test(component)

/** As the shell does it: a name that begins with a dot is matched only by a pattern that does. */
const fits = (pattern: string, name: string): boolean =>
  (!name.startsWith(".") || pattern.startsWith(".")) && matchesComponent(pattern.replaceAll(/\*+/g, "*"), name, false)

/** What an absolute glob stands for now. Longer lists are cut, and the fact says so. */
export const expandGlob = Effect.fnUntraced(function* (glob: string): Effect.fn.Return<GlobFact, never, Files> {
  const files = yield* Files
  let complete = true
  let listed = 0
  let places: ReadonlyArray<string> = [""]
  for (const component of componentsAsSpelled(glob)) {
    if (!isPattern(component)) {
      places = places.map((place) => `${place}/${component}`)
      continue
    }
    const next: Array<string> = []
    for (const place of places) {
      listed += 1
      if (listed > MOST_DIRECTORIES || next.length > MOST_MATCHES) {
        complete = false
        break
      }
      const entries = yield* files.list(place === "" ? "/" : place).pipe(Effect.orElseSucceed(() => []))
      next.push(...entries.filter(({ name }) => fits(component, name)).map(({ name }) => `${place}/${name}`))
    }
    places = next
  }
  return { glob, matches: places.slice(0, MOST_MATCHES), complete: complete && places.length <= MOST_MATCHES }
})
