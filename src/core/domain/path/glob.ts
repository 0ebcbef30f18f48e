import { memoizeText } from "../text/bounded-memo.ts"
import { matchesPieces, type Piece } from "../text/wildcard.ts"
import { characterClass } from "./character-class.ts"
import { componentsOf, foldCase } from "./path-components.ts"

/** The one matcher of globs and paths, component by component: of rules, instruction files and excludes. */
export const hasWildcard = (component: string): boolean => /(^|[^\\])[*?[]/.test(component)

/** One component with `*`, `?`, `[..]` and backslash escapes. */
const componentPieces = (component: string, fold: boolean): ReadonlyArray<Piece> => {
  const text = Array.from(component)
  const pieces: Array<Piece> = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ""
    const found = characterClass(text, at, fold)
    if (found !== undefined) {
      pieces.push(found.piece)
      at = found.end
    } else if (character === "*") pieces.push({ kind: "many" })
    else if (character === "?") pieces.push({ kind: "one" })
    else {
      const isEscape = character === "\\" && at + 1 < text.length
      pieces.push({ kind: "character", value: isEscape ? (text[++at] ?? "") : character, fold })
    }
  }
  return pieces
}

const exactPieces = memoizeText((component) => componentPieces(component, false))
const foldedPieces = memoizeText((component) => componentPieces(foldCase(component), true))

/** Whether a name fits one component of a pattern, as it is spelled or, with `fold`, without regard to case. */
export const matchesComponent = (pattern: string, component: string, fold: boolean): boolean =>
  matchesPieces(exactPieces(pattern), Array.from(component)) ||
  (fold && matchesPieces(foldedPieces(pattern), Array.from(foldCase(component))))

/** `**` spans any number of components, none included; every other component matches exactly one. */
export const matchesComponents = (
  patterns: ReadonlyArray<string>,
  components: ReadonlyArray<string>,
  fold: boolean
): boolean => {
  let pattern = 0
  let at = 0
  let retry: { readonly pattern: number; at: number } | undefined
  while (at < components.length) {
    const current = patterns[pattern]
    if (current === "**") {
      retry = { pattern: pattern + 1, at }
      pattern++
    } else if (current !== undefined && matchesComponent(current, components[at] ?? "", fold)) {
      pattern++
      at++
    } else if (retry !== undefined) {
      retry.at++
      pattern = retry.pattern
      at = retry.at
    } else return false
  }
  while (patterns[pattern] === "**") pattern++
  return pattern === patterns.length
}

const splitPattern = memoizeText((pattern: string): ReadonlyArray<string> => pattern.split("/").slice(1))

/** Whether a path is what an absolute pattern names. Case never matters. */
export const matchesAbsolute = (pattern: string, path: string): boolean =>
  matchesComponents(splitPattern(pattern), componentsOf(path), true)

/** A literal path as a pattern that matches only it. */
export const escapePath = (path: string): string =>
  path.replaceAll(/[\\[\]*?!#]/g, String.raw`\$&`).replaceAll(/ +$/g, (blanks) => blanks.replaceAll(" ", "\\ "))
