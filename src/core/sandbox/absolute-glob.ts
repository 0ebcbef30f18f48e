/** Absolute globs of deny rules. What is not understood matches more, never less. */
import { componentsAsSpelled, componentsOf, isInside } from "../domain/path/path-components.ts"
import { matchesStars } from "../domain/text/wildcard.ts"

/** No character means anything but itself; a backslash makes one so. */
const isPlain = (component: string): boolean => /^(?:[^*?[\]{}\\]|\\.)*$/u.test(component)

const unescaped = (component: string): string => component.replaceAll(/\\(.)/gu, "$1")

/** Where a class or a choice ends is not found out: whatever follows its beginning may be anything. */
const widened = (component: string): string => component.replaceAll(/\\.|\?|[[{].*$/gsu, "*")

const matchesComponent = (pattern: string, component: string): boolean =>
  isPlain(pattern)
    ? unescaped(pattern).toLowerCase() === component.toLowerCase()
    : matchesStars(widened(pattern), component, true)

/** The path itself when the glob has no wildcard. */
export const literalPath = (glob: string): string | undefined => {
  const components = componentsAsSpelled(glob).filter(
    (component, index, all) => component !== "**" || index < all.length - 1
  )
  return components.every(isPlain) ? `/${components.map(unescaped).join("/")}` : undefined
}

/** The directory above the first wildcard: nothing elsewhere can match. */
export const baseOf = (glob: string): string => {
  const components = componentsAsSpelled(glob)
  const wild = components.findIndex((component) => !isPlain(component))
  return `/${components
    .slice(0, wild < 0 ? -1 : wild)
    .map(unescaped)
    .join("/")}`
}

/** How far a glob is matched on the way down a path, so that a search leaves out what cannot match. */
export interface GlobProgress {
  readonly pattern: ReadonlyArray<string>
  /** Which components of the pattern may come next; its length stands for a match. */
  readonly next: ReadonlyArray<number>
}

/** `**` also stands for nothing. */
const reached = (pattern: ReadonlyArray<string>, at: number): ReadonlyArray<number> =>
  pattern[at] === "**" ? [at, ...reached(pattern, at + 1)] : [at]

export const beginGlob = (glob: string): GlobProgress => {
  const pattern = componentsOf(glob)
  return { pattern, next: reached(pattern, 0) }
}

/** One component further down; undefined when neither it nor anything below it can match. */
export const descend = ({ pattern, next }: GlobProgress, component: string): GlobProgress | undefined => {
  const after = next.flatMap((at) => {
    const wanted = pattern[at]
    if (wanted === undefined) return []
    if (wanted === "**") return reached(pattern, at)
    return matchesComponent(wanted, component) ? reached(pattern, at + 1) : []
  })
  return after.length === 0 ? undefined : { pattern, next: [...new Set(after)] }
}

export const isMatched = ({ pattern, next }: GlobProgress): boolean => next.includes(pattern.length)

/** Everything below a match counts too. */
export const matchesGlob = (glob: string, path: string): boolean => {
  const literal = literalPath(glob)
  if (literal !== undefined) return isInside(literal, path)
  let progress: GlobProgress | undefined = beginGlob(glob)
  for (const component of componentsOf(path)) {
    if (isMatched(progress)) return true
    progress = descend(progress, component)
    if (progress === undefined) return false
  }
  return isMatched(progress)
}
