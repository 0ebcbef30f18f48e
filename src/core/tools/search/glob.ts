import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { pathProblem, resolveFrom } from "../../domain/path/path-text.ts"
import type { Found } from "./search-result.ts"
import { displayPath, incompleteNote, warningNote } from "./display.ts"
import { type GlobTarget, globTarget } from "../../domain/path/glob-pattern.ts"
import description from "./glob.md"
import { makeTool, READ_ONLY, wholeInput } from "../contract/tool.ts"

export const GlobInput = Schema.Struct({
  pattern: Schema.NonEmptyString.annotate({ description: "Glob the file names must match, for example `src/**/*.ts`" }),
  path: Schema.optionalKey(
    Schema.String.annotate({ description: "Directory to look in. Leave out for the current directory" })
  )
})
export type GlobInput = typeof GlobInput.Type

/** The directory to walk and the pattern within it. */
export const targetOf = (input: GlobInput, cwd: string): GlobTarget =>
  globTarget(input.pattern, resolveFrom(cwd, input.path ?? "."))

const problem = (input: GlobInput): string | undefined => {
  if (input.pattern.includes("\0")) return "InvalidPattern: the pattern contains a NUL character. Nothing was searched."
  return input.path === undefined ? undefined : pathProblem(input.path)
}

export const globTool = makeTool<GlobInput>({
  name: "Glob",
  description,
  input: GlobInput,
  maxResultChars: 100_000,
  traits: () => READ_ONLY,
  interrupt: "cancel",
  classifierInput: wholeInput,
  needs: (input, cwd) => [{ kind: "read", path: targetOf(input, cwd).root, below: true }],
  summary: (input) =>
    `${input.pattern}${input.path === undefined ? "" : ` in ${input.path}`}`.slice(0, LIMITS.toolSummaryChars),
  validate: problem
})

/** The structured output, with the field names hosts know. */
export interface GlobData {
  readonly durationMs: number
  readonly numFiles: number
  /** Absolute, newest first. */
  readonly filenames: ReadonlyArray<string>
  readonly truncated: boolean
  /** Present when not all are listed. */
  readonly totalMatches?: number
  /** False when the search itself ended early, so that even the total is a lower bound. */
  readonly countIsComplete?: boolean
}

export const globData = (found: Found<string>, durationMs: number): GlobData => {
  const filenames = found.entries.slice(0, LIMITS.globResults)
  const truncated = filenames.length < found.entries.length || !found.complete
  return {
    durationMs,
    numFiles: filenames.length,
    filenames,
    truncated,
    ...(truncated ? { totalMatches: found.entries.length, countIsComplete: found.complete } : {})
  }
}

const truncationNote = (data: GlobData, timeoutMs: number): ReadonlyArray<string> => {
  if (!data.truncated) return []
  const known = data.totalMatches ?? data.numFiles
  const listed = `the newest ${data.numFiles} of ${known} files are listed`
  const more = `(Results are truncated: ${listed}. Use a narrower pattern or path.)`
  return [...(known > data.numFiles ? [more] : []), ...(data.countIsComplete === false ? [incompleteNote(timeoutMs)] : [])]
}

/** What the model sees. */
export const globText = (
  found: Found<string>,
  data: GlobData,
  place: { readonly cwd: string; readonly timeoutMs: number }
): string =>
  [
    ...(data.numFiles === 0 ? ["No files found"] : data.filenames.map((path) => displayPath(path, place.cwd))),
    ...truncationNote(data, place.timeoutMs),
    ...(found.warning === undefined ? [] : [warningNote(found.warning)])
  ].join("\n")
