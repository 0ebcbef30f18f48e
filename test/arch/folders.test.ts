import { dirname } from "node:path"
import { describe, expect, it } from "vitest"
import { sourceFiles } from "./source-files.ts"

/**
 * Folders are rooms: whoever reads one needs the rooms below it and none above. So they form no circle, seen from any
 * height, and none holds more files than a reader takes in.
 */

const PARTS = ["src/core", "src/shell", "src/tui", "src/adapters"]

const MOST_FILES = 40
const MOST_FILES_IN_SHELL = 25

type Edge = readonly [from: string, to: string]

const filesOf = (part: string) => sourceFiles.filter(({ path }) => path.startsWith(`${part}/`))

/** The folder of a file as it is seen when nothing below this depth is told apart. */
const folderAt = (path: string, depth: number): string => {
  const folders = dirname(path).split("/")
  return folders.length < depth ? `${folders.join("/")}/(own files)` : folders.slice(0, depth).join("/")
}

const edgesAt = (part: string, depth: number): ReadonlyArray<Edge> =>
  filesOf(part).flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith(`${part}/`))
      .map(({ target }): Edge => [folderAt(path, depth), folderAt(target, depth)])
      .filter(([from, to]) => from !== to)
  )

const reachedFrom = (start: string, next: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> => {
  const reached = new Set<string>()
  const open = [...(next.get(start) ?? [])]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (reached.has(folder)) continue
    reached.add(folder)
    open.push(...(next.get(folder) ?? []))
  }
  return reached
}

/** The folders that need themselves by way of others. */
const inCircles = (edges: ReadonlyArray<Edge>): ReadonlyArray<string> => {
  const next = new Map<string, Set<string>>()
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to))
  return [...next.keys()].filter((folder) => reachedFrom(folder, next).has(folder)).toSorted()
}

const deepest = (part: string): number => Math.max(...filesOf(part).map(({ path }) => path.split("/").length - 1))

describe("folders", () => {
  for (const part of PARTS) {
    it(`of ${part} form no circle at any depth`, () => {
      for (let depth = 3; depth <= deepest(part); depth += 1) expect(inCircles(edgesAt(part, depth))).toEqual([])
    })
  }

  it("recognises a circle", () => {
    const edges: ReadonlyArray<Edge> = [
      ["a", "b"],
      ["b", "c"],
      ["c", "b"],
      ["c", "d"]
    ]
    expect(inCircles(edges)).toEqual(["b", "c"])
  })

  it("hold no more files than a reader takes in", () => {
    const counts = new Map<string, number>()
    for (const { path } of sourceFiles) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    const full = [...counts].filter(
      ([folder, count]) => count > (folder.startsWith("src/shell") ? MOST_FILES_IN_SHELL : MOST_FILES)
    )
    expect(full).toEqual([])
  })
})
