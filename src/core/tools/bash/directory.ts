/** Where the next command starts: a `cd` carries over inside the project and the added directories only. */

/** A directory as the session names it and as the file system does. */
export interface Root {
  readonly path: string
  readonly realPath: string
}

export interface DirectoryChange {
  /** Directory the command was started in, physical. */
  readonly startedIn: string
  /** Physical directory at the end; null when unknown, empty when it no longer exists. */
  readonly endedIn: string | null
  /** Project first, then the added directories. */
  readonly roots: readonly [Root, ...ReadonlyArray<Root>]
  readonly carryOver: boolean
}

export interface DirectoryOutcome {
  /** New directory of the session; absent when it stays. */
  readonly cwd?: string
  /** What the model is told at the end of the result. */
  readonly notice?: string
}

const below = (directory: string, root: string): string | undefined => {
  if (directory === root) return ""
  const prefix = root.endsWith("/") ? root : `${root}/`
  return directory.startsWith(prefix) ? directory.slice(prefix.length) : undefined
}

/** The directory in the session's own spelling, which may lead through links. */
const inSession = (directory: string, roots: ReadonlyArray<Root>): string | undefined => {
  for (const root of roots) {
    const rest = below(directory, root.realPath)
    if (rest === undefined) continue
    return rest === "" ? root.path : `${root.path.replace(/\/$/, "")}/${rest}`
  }
  return undefined
}

export const resetNotice = (directory: string): string => `Shell cwd was reset to ${directory}`

export const directoryAfter = ({ startedIn, endedIn, roots, carryOver }: DirectoryChange): DirectoryOutcome => {
  if (endedIn === null || endedIn === startedIn) return {}
  const carried = carryOver && endedIn !== "" ? inSession(endedIn, roots) : undefined
  if (carried !== undefined) return { cwd: carried }
  const project = roots[0].path
  return { cwd: project, notice: resetNotice(project) }
}
