import type { PathFact } from "./need.ts"
import { remembered } from "./remember.ts"

/**
 * Paths as components. Comparison is by component, never by prefix of text, so `/a` and `/a-evil` have nothing in
 * common. What the file system says about links comes in as facts.
 */
export interface Location {
  /** As it was given: absolute, `.` and `..` resolved. */
  readonly path: string
  /** After following every link. */
  readonly realPath: string
}

export const locationOf = (path: string, realPath = path): Location => ({ path, realPath })

export const componentsOf = remembered((path: string): ReadonlyArray<string> =>
  path.normalize("NFC").split("/").filter((component) => component !== "" && component !== ".")
)

const joined = (components: ReadonlyArray<string>): string => `/${components.join("/")}`

/** The absolute form of `path` seen from `base`, without asking the file system. */
export const resolvePath = (base: string, path: string): string => {
  const components: Array<string> = []
  for (const component of path.startsWith("/") ? componentsOf(path) : [...componentsOf(base), ...componentsOf(path)]) {
    if (component === "..") components.pop()
    else components.push(component)
  }
  return joined(components)
}

export const parentOf = (path: string): string => joined(componentsOf(path).slice(0, -1))

export const isInside = (directory: string, path: string): boolean => {
  const outer = componentsOf(directory)
  const inner = componentsOf(path)
  return outer.length <= inner.length && outer.every((component, index) => component === inner[index])
}

export const isInsideAny = (directories: ReadonlyArray<string>, path: string): boolean =>
  directories.some((directory) => isInside(directory, path))

/** Every form a path is known under. Deny and ask rules fire on any of them, an allow needs all. */
export const formsOf = (fact: Location): ReadonlyArray<string> =>
  fact.path === fact.realPath ? [fact.path] : [fact.path, fact.realPath]

/** Both the path itself and what it leads to lie in one of the directories. */
export const isWithin = (directories: ReadonlyArray<Location>, fact: Location): boolean =>
  isInsideAny(directories.flatMap(formsOf), fact.path) &&
  isInsideAny(
    directories.map((directory) => directory.realPath),
    fact.realPath
  )

/** The gathered fact about a path; undefined when nobody looked, which is never a reason to allow. */
export const factAbout = (facts: ReadonlyArray<PathFact>, absolutePath: string): PathFact | undefined => {
  const normalised = resolvePath("/", absolutePath)
  return facts.find((fact) => resolvePath("/", fact.path) === normalised)
}
