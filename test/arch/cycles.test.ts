import { expect, it } from "vitest"
import { sourceFiles } from "./source-files.ts"

/**
 * Modules that import each other run in an order that only the bundler knows: a table that is made while they load may
 * then be made before its parts, and the built program does not start. Tests do not see that, because they load modules
 * in another order.
 */

/** What a module needs while it loads. */
const graph = new Map(
  sourceFiles.map(({ path, imports }) => [
    path,
    imports.filter(({ isOnlyTypes, isDynamic }) => !isOnlyTypes && !isDynamic).map(({ target }) => target)
  ])
)

const reachedFrom = (start: string): ReadonlySet<string> => {
  const reached = new Set<string>()
  const open = [...(graph.get(start) ?? [])]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    open.push(...(graph.get(path) ?? []))
  }
  return reached
}

it("no modules import each other in a circle", () => {
  expect([...graph.keys()].filter((path) => reachedFrom(path).has(path))).toEqual([])
})
