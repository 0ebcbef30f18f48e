/** Absolute globs of deny rules. What is not understood matches more, never less. */
import { componentsOf, isInside } from "../permission/path-scope.ts"
import { matchesStars } from "../permission/wildcard.ts"

const isPlain = (component: string): boolean => !/[*?[\]{}\\]/.test(component)

const widened = (component: string): string => component.replaceAll(/\\.|\?|\[[^\]]*\]?|\{[^}]*\}?/g, "*")

const matchesComponent = (pattern: string, component: string): boolean =>
  isPlain(pattern) ? pattern.toLowerCase() === component.toLowerCase() : matchesStars(widened(pattern), component, true)

/** Everything below a match counts, so the pattern may end before the path does. */
const matchesFrom = (pattern: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean => {
  const [first, ...rest] = pattern
  if (first === undefined) return true
  if (first === "**") return path.some((_, index) => matchesFrom(rest, path.slice(index))) || rest.length === 0
  const [head, ...tail] = path
  return head !== undefined && matchesComponent(first, head) && matchesFrom(rest, tail)
}

/** The path itself when the glob has no wildcard. */
export const literalPath = (glob: string): string | undefined => {
  const components = componentsOf(glob).filter((component, index, all) => component !== "**" || index < all.length - 1)
  return components.every(isPlain) ? `/${components.join("/")}` : undefined
}

export const matchesGlob = (glob: string, path: string): boolean => {
  const literal = literalPath(glob)
  return literal === undefined ? matchesFrom(componentsOf(glob), componentsOf(path)) : isInside(literal, path)
}
