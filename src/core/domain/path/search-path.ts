import { componentsOf, isInsideAny } from "./path-components.ts"

/**
 * Where our own helpers are looked for. A project may hold a file of any name, and package managers put its directories
 * in front of PATH, those of every directory above it included; a program from there would run before anybody trusted it.
 */
export const isForeignDirectory = (directory: string, folders: ReadonlyArray<string>): boolean =>
  directory.startsWith("/") && !componentsOf(directory).includes("node_modules") && !isInsideAny(folders, directory)

const USUAL = "/usr/bin:/bin"

/** PATH without what a project could have filled. */
export const searchPathOutside = (path: string | undefined, folders: ReadonlyArray<string>): string => {
  const entries = (path ?? "").split(":").filter((directory) => isForeignDirectory(directory, folders))
  return entries.length === 0 ? USUAL : entries.join(":")
}
