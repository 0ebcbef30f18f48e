import { Result } from "effect"
import { escapePath, hasWildcard, matchesComponents } from "../../domain/path/glob.ts"
import { componentsBelow, componentsOf, resolvePath } from "../../domain/path/path-components.ts"
import { memoizeText } from "../../domain/text/bounded-memo.ts"
import type { Verdict } from "../verdict.ts"

/** Path patterns of Read and Edit rules: gitignore's language with anchors for the root, the home and the source. */
export interface PathPattern {
  readonly anchor: "root" | "home" | "source" | "cwd"
  /** Components that stand before the first wildcard may go up; after it they may not. */
  readonly up: number
  readonly components: ReadonlyArray<string>
  /** A bare name matches at any depth below the anchor. */
  readonly anyDepth: boolean
  /** `name/**` relative to the current directory: deny and ask rules find it at any depth. */
  readonly isOwnDirectory: boolean
}

const splitAnchor = (text: string): readonly [PathPattern["anchor"], string] => {
  if (text.startsWith("//")) return ["root", text.slice(2)]
  if (text === "~" || text.startsWith("~/")) return ["home", text.slice(2)]
  if (text.startsWith("/")) return ["source", text.slice(1)]
  return ["cwd", text]
}

export const parsePathPattern = memoizeText((text: string): Result.Result<PathPattern, string> => {
  if (text.startsWith("!")) return Result.fail("a path rule cannot begin with '!'; write a rule of the opposite kind")
  if (text.includes("\0") || text.includes("\n")) return Result.fail("a path has no line breaks and no NUL")
  const [anchor, rest] = splitAnchor(text)
  const components: Array<string> = []
  let up = 0
  for (const component of componentsOf(rest)) {
    if (component !== "..") components.push(component)
    else if (components.length === 0) up++
    else if (hasWildcard(components.at(-1) ?? "")) return Result.fail("'..' cannot follow a wildcard")
    else components.pop()
  }
  const body = rest.replace(/\/$/, "")
  const isRelative = anchor === "cwd" && !text.startsWith("./") && up === 0
  return Result.succeed({
    anchor,
    up,
    components,
    anyDepth: isRelative && !body.includes("/"),
    isOwnDirectory: isRelative && components.length === 2 && components[1] === "**" && !hasWildcard(components[0] ?? "")
  })
})

export interface PathQuestion {
  readonly path: string
  readonly behavior: Verdict
  /** Directories the pattern's anchor stands for, every form of them. */
  readonly anchors: ReadonlyArray<string>
  /** Names that differ only in case are the same file here. Deny and ask rules ignore case anyway. */
  readonly foldsCase?: boolean
}

/** Whether one form of a path matches. Deny and ask ignore case and cover everything below a named directory. */
export const matchesPathPattern = (pattern: PathPattern, question: PathQuestion): boolean => {
  const { path, behavior, anchors } = question
  const restricts = behavior !== "allow"
  const fold = restricts || question.foldsCase === true
  const anyDepth = pattern.anyDepth || (restricts && pattern.isOwnDirectory)
  const components = [...(anyDepth ? ["**"] : []), ...pattern.components, ...(restricts ? ["**"] : [])]
  return anchors.some((anchor) => {
    const rest = componentsBelow(resolvePath(anchor, "../".repeat(pattern.up)), path, fold)
    return rest !== undefined && matchesComponents(components, rest, fold)
  })
}

/** The pattern of a deny or ask rule seen from the root, one for each directory that its anchor stands for. */
export const absolutePatterns = (pattern: PathPattern, anchors: ReadonlyArray<string>): ReadonlyArray<string> =>
  anchors.map((anchor) => {
    const base = componentsOf(resolvePath(anchor, "../".repeat(pattern.up))).map(escapePath)
    const deep = pattern.anyDepth || pattern.isOwnDirectory ? ["**"] : []
    return `/${[...base, ...deep, ...pattern.components].join("/")}`
  })

/** The part of a pattern before its first wildcard, seen from each anchor; nothing where that is the anchor itself. */
export const literalStarts = (pattern: PathPattern, anchors: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wild = pattern.components.findIndex(hasWildcard)
  const literal = wild < 0 ? pattern.components : pattern.components.slice(0, wild)
  const rest = literal.map((component) => component.replaceAll(/\\(.)/gu, "$1")).join("/")
  return rest === "" ? [] : anchors.map((anchor) => resolvePath(anchor, `${"../".repeat(pattern.up)}${rest}`))
}

/** Patterns that end in a wildcard alone name no file in particular. */
export const namesParticularFile = (pattern: PathPattern): boolean => {
  const last = pattern.components.at(-1)
  return last !== undefined && last !== "*" && last !== "**"
}
