import { dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import type { TextFile } from "./repository-files.ts"
import { documents, readText, repositoryFiles } from "./repository-files.ts"

/** Whoever follows a path that a document or a comment names arrives somewhere. */

const places: ReadonlyArray<string> = [
  ...new Set(
    repositoryFiles.flatMap((path) => {
      const parts = path.split("/")
      return parts.map((_, index) => parts.slice(0, index + 1).join("/"))
    })
  )
]

/** Every way to name a place: `machine/step.ts` and `step.ts` name `src/core/loop/machine/step.ts` too. */
const endings: ReadonlySet<string> = new Set(
  places.flatMap((path) => {
    const parts = path.split("/")
    return parts.map((_, index) => parts.slice(index).join("/"))
  })
)

/** Files that are made by the build, by examples, or by others; documents speak of them. */
const ELSEWHERE = /^(?:node_modules|dist)\//

const isNamed = (path: string): boolean => {
  if (ELSEWHERE.test(path)) return true
  if (!/[*<]/.test(path)) return endings.has(path)
  const source = path
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll("**", "\0")
    .replaceAll(/\*|<[^>]*>/g, "[^/]*")
    .replaceAll("\0", ".*")
  const pattern = new RegExp(`(?:^|/)${source}$`)
  return places.some((place) => pattern.test(place))
}

/** A path below a folder of the repository, or a file of code by its name; `*` and `<name>` stand for any name. */
const NAME = String.raw`(?:[\w.*-]|<\w+>)`
const BELOW = String.raw`(?:src|test|docs|bench|scripts|core|shell|tui|adapters)(?:\/${NAME}+)+(?<!\.)`
const CODE = String.raw`(?:${NAME}+\/)*${NAME}+\.(?:ts|mjs|cjs)`
const PATH = new RegExp(String.raw`(?<![\w@./:~<>*-])(?:${BELOW}|${CODE})(?!\w)`, "g")

const namedIn = (text: string): Array<string> => [...text.matchAll(PATH)].map(([path]) => path)

const LINK = /\]\(([^)#:]+)(?:#[^)]*)?\)/g

const linkedIn = (file: TextFile, line: string): Array<string> =>
  [...line.matchAll(LINK)].map(([, target = ""]) => normalize(join(dirname(file.path), target)))

/** Examples in blocks of code speak of files of a user; only our tests are named there by their places. */
const withoutExamples = (file: TextFile): ReadonlyArray<string> => {
  let inside = false
  return file.lines.map((line) => {
    if (/^\s*```/.test(line)) inside = !inside
    return inside ? (/\btest\/\S+/.exec(line)?.[0] ?? "") : line
  })
}

const COMMENT = /^\s*(?:\/\*\*?|\*|\/\/)(.*)$|\s\/\/ (.*)$/

const comments = repositoryFiles
  .filter((path) => path.startsWith("src/") && path.endsWith(".ts"))
  .map(readText)
  .map(({ path, lines }) => ({ path, lines: lines.map((line) => COMMENT.exec(line)?.slice(1).join("") ?? "") }))

const at = (file: TextFile, index: number, path: string): string => `${file.path}:${index + 1} ${path}`

const ROOM = /^src\/((?:core|shell|tui|adapters)\/[\w-]+)$/

describe("paths", () => {
  it("in documents exist", () => {
    const missing = documents.flatMap((file) =>
      withoutExamples(file).flatMap((line, index) => [
        ...namedIn(line.replaceAll(LINK, "]"))
          .filter((path) => !isNamed(path))
          .map((path) => at(file, index, path)),
        ...linkedIn(file, line)
          .filter((path) => !places.includes(path))
          .map((path) => at(file, index, path))
      ])
    )
    expect(missing).toEqual([])
  })

  it("in comments of the source exist", () => {
    const missing = comments.flatMap((file) =>
      file.lines.flatMap((line, index) =>
        namedIn(line)
          .filter((path) => !isNamed(path))
          .map((path) => at(file, index, path))
      )
    )
    expect(missing).toEqual([])
  })

  it("of all rooms are on the map", () => {
    const map = documents.find((file) => file.path === "docs/ARCHITECTURE.md")?.lines.join("\n") ?? ""
    const rooms = places.flatMap((path) => ROOM.exec(path)?.[1] ?? [])
    expect(rooms.filter((room) => !map.includes(`\`${room}\``))).toEqual([])
  })
})
