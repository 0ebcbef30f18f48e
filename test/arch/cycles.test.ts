import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

/**
 * Modules that import each other run in an order that only the bundler knows: a table that is made while they load may
 * then be made before its parts, and the built program does not start. Tests do not see that, because they load modules
 * in another order.
 */

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..")

const files = (dir: string): Array<string> =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name)
    return statSync(path).isDirectory() ? files(path) : path.endsWith(".ts") ? [path] : []
  })

const STATEMENT = /^(?:import|export)\s+(type\s+)?([\w$*{},\s]+?)\s+from\s+"(\.[^"]+)"/gm

const isOnlyTypes = (names: string): boolean => {
  const inner = /^\{([^]*)\}$/.exec(names.trim())?.[1]
  return inner?.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type ")) === true
}

/** What a module needs while it runs; types are gone by then. */
const needsOf = (path: string): Array<string> =>
  [...readFileSync(path, "utf8").matchAll(STATEMENT)]
    .filter(([, type, names = ""]) => type === undefined && !isOnlyTypes(names))
    .map(([, , , target = ""]) => resolve(dirname(path), target))

const graph = new Map(files(join(root, "src")).map((path) => [path, needsOf(path)]))

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
  const inCircles = [...graph.keys()].filter((path) => reachedFrom(path).has(path)).map((path) => relative(root, path))
  expect(inCircles).toEqual([])
})
