import { isWithin } from "../../domain/path/path-text.ts"

/** A path as it is shown: relative to the current directory when it lies below it. */
export const displayPath = (path: string, cwd: string): string => {
  if (path === cwd || !isWithin(path, cwd)) return path
  return path.slice(cwd === "/" ? 1 : cwd.length + 1)
}

const seconds = (timeoutMs: number): string => `${Math.round(timeoutMs / 1000)} s`

/** Says that a search ended early. */
export const incompleteNote = (timeoutMs: number): string =>
  `(The search was stopped after ${seconds(timeoutMs)} or because it found too much. ` +
  "This is only part of the result; narrow the path or the pattern.)"

/** Says that files were not searched or listed, without a word about what is in them. */
export const skippedNote = (secrets: number): ReadonlyArray<string> => {
  if (secrets === 0) return []
  const left = secrets === 1 ? "1 file that may hold secrets was" : `${secrets} files that may hold secrets were`
  return [`(${left} left out. Read asks the user before it shows one.)`]
}

export const warningNote = (warning: string): string => `(Some places could not be searched: ${warning})`
