/** Paths as text. Nothing here asks the file system: links are facts that arrive from a port. */
export const isAbsolute = (path: string): boolean => path.startsWith("/")

/** `.` and `..` and doubled slashes resolved; `..` at the root stays at the root. */
export const normalise = (path: string): string => {
  const absolute = isAbsolute(path)
  const kept: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    const climbs = part === ".." && kept.length > 0 && kept.at(-1) !== ".."
    if (climbs) kept.pop()
    else if (part !== ".." || !absolute) kept.push(part)
  }
  if (absolute) return `/${kept.join("/")}`
  return kept.length === 0 ? "." : kept.join("/")
}

export const resolveFrom = (cwd: string, path: string): string => normalise(isAbsolute(path) ? path : `${cwd}/${path}`)

export const parentOf = (path: string): string => {
  const slash = path.lastIndexOf("/")
  return slash <= 0 ? "/" : path.slice(0, slash)
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Whether a path is a directory or lies below it; both normalised. Compared by components, not by text. */
export const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`)

/** Why a path given by the model is refused before anything looks at it. */
export const pathProblem = (path: string): string | undefined => {
  if (path === "") return "InvalidPath: the path is empty. Give the absolute path of a file."
  if (path.includes("\0")) return "InvalidPath: the path contains a NUL character. Nothing was opened."
  if (/[\r\n]/.test(path)) return "InvalidPath: the path contains a line break. Nothing was opened."
  if (path !== path.trimEnd()) {
    return `InvalidPath: the path ends with blanks: ${JSON.stringify(path)}. Give it without them.`
  }
  if (path.startsWith("~")) {
    return `InvalidPath: \`~\` is not expanded: ${path}. Give the absolute path, or ./${path} for a name with ~.`
  }
  return undefined
}

const SPECIAL = [/^\/dev\/[^/]+$/, /^\/dev\/fd(\/|$)/, /^\/proc\/[^/]+\/(task\/[^/]+\/)?fd(\/|$)/]

/** Names of devices and of other processes' open files: refused before a look at them could block or have an effect. */
export const isSpecialPath = (path: string): boolean => SPECIAL.some((pattern) => pattern.test(path))
