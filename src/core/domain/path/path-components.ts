import { makeLookup } from "../find-by.ts"
import { memoizeText } from "../text/bounded-memo.ts"

/**
 * Paths as components. Comparison is by component, never by prefix of text, so `/a` and `/a-evil` have nothing in
 * common. What the file system says about links comes in as facts.
 */
export interface Location {
  /** As it was given: absolute, `.` and `..` resolved. */
  readonly path: string
  /** After following every link. */
  readonly realPath: string
  /** Where links on the way led to, other than the two ends. */
  readonly via?: ReadonlyArray<string>
}

export const locationOf = (path: string, realPath = path): Location => ({ path, realPath })

const split = (path: string): ReadonlyArray<string> =>
  path.split("/").filter((component) => component !== "" && component !== ".")

/** For comparing only: names that are written with other code points for the same characters are equal here. */
export const componentsOf = memoizeText((path: string): ReadonlyArray<string> => split(path.normalize("NFC")))

/** For building paths: every name as it is spelled, because the file system may know both spellings as two files. */
export const componentsAsSpelled = memoizeText(split)

/** Characters that some file systems drop from names. */
const DROPPED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu

/** What file systems that ignore case take for one name: both cases, letters with several small forms, dropped marks. */
export const foldCase = memoizeText((name: string): string =>
  /^[\x20-\x7e]*$/.test(name)
    ? name.toLowerCase()
    : name.normalize("NFC").replaceAll(DROPPED, "").toUpperCase().toLowerCase()
)

const joined = (components: ReadonlyArray<string>): string => `/${components.join("/")}`

/** The absolute form of `path` seen from `base`, without asking the file system. */
export const resolvePath = (base: string, path: string): string => {
  const components: Array<string> = []
  const start = path.startsWith("/") ? [] : componentsAsSpelled(base)
  for (const component of [...start, ...componentsAsSpelled(path)]) {
    if (component === "..") components.pop()
    else components.push(component)
  }
  return joined(components)
}

export const parentOf = (path: string): string => joined(componentsAsSpelled(path).slice(0, -1))

const sameComponent = (left: string, right: string | undefined, fold: boolean): boolean =>
  left === right || (fold && right !== undefined && foldCase(left) === foldCase(right))

/** What follows `directory` in `path`, or undefined when the path is elsewhere. */
export const componentsBelow = (directory: string, path: string, fold = false): ReadonlyArray<string> | undefined => {
  const outer = componentsOf(directory)
  const inner = componentsOf(path)
  const isBelow =
    outer.length <= inner.length && outer.every((component, index) => sameComponent(component, inner[index], fold))
  return isBelow ? inner.slice(outer.length) : undefined
}

export const isInside = (directory: string, path: string, fold = false): boolean => {
  const outer = componentsOf(directory)
  const inner = componentsOf(path)
  return outer.length <= inner.length && outer.every((component, index) => sameComponent(component, inner[index], fold))
}

export const isInsideAny = (directories: ReadonlyArray<string>, path: string, fold = false): boolean =>
  directories.some((directory) => isInside(directory, path, fold))

/** Every form a path is known under. Deny and ask rules fire on any of them, an allow needs all. */
export const pathVariants = ({ path, realPath, via }: Location): ReadonlyArray<string> =>
  path === realPath && via === undefined ? [path] : [...new Set([path, ...(via ?? []), realPath])]

/** Every form of the path, and what it leads to, lie in one of the directories. */
export const isWithin = (directories: ReadonlyArray<Location>, place: Location, fold = false): boolean => {
  const either = directories.flatMap(pathVariants)
  const real = directories.map((directory) => directory.realPath)
  return (
    isInsideAny(real, place.realPath, fold) &&
    pathVariants(place).every((form) => form === place.realPath || isInsideAny(either, form, fold))
  )
}

const factAsWritten = makeLookup<PathFact>(({ path }) => path)
const factAsMeant = makeLookup<PathFact>(({ path }) => resolvePath("/", path))

/** The gathered fact about a path; undefined when nobody looked, which is never a reason to allow. */
export const factAbout = (facts: ReadonlyArray<PathFact>, absolutePath: string): PathFact | undefined =>
  factAsWritten(facts, absolutePath) ?? (facts.length === 0 ? undefined : factAsMeant(facts, resolvePath("/", absolutePath)))

/** Where a path leads as far as it is known. */
export const placeOf = (path: string, fact: PathFact | undefined): Location => ({
  path,
  realPath: fact?.realPath ?? path,
  ...(fact?.via === undefined ? {} : { via: fact.via })
})

/** What the file system says about one path, gathered by the shell once per decision. */
export interface PathFact {
  /** Absolute, with `.` and `..` resolved, links not followed. */
  readonly path: string
  /** The same after resolving every link that exists; the missing tail is kept. */
  readonly realPath: string
  readonly exists: boolean
  /** Places that links on the way led to, other than the two ends. */
  readonly via?: ReadonlyArray<string>
}
