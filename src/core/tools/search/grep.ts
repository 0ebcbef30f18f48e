import { Schema } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { pathProblem, resolveFrom } from "../../domain/path/path-text.ts"
import type { PageRequest } from "./page.ts"
import description from "./grep.md"
import { makeTool, READ_ONLY, wholeInput } from "../contract/tool.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const optional = <S extends Schema.Top>(schema: S, text: string) =>
  Schema.optionalKey(schema.annotate({ description: text }))

export const GrepInput = Schema.Struct({
  pattern: Schema.String.annotate({ description: "Regular expression in ripgrep's syntax" }),
  path: optional(Schema.String, "File or directory to search. Leave out for the current directory"),
  glob: optional(Schema.String, "Only files with such names, for example `*.ts`, `src/**` or `!*.test.ts`"),
  type: optional(Schema.String, "Only files of a type by ripgrep's name: ts, js, py, rust, go, java ..."),
  output_mode: optional(
    Schema.Literals(["content", "files_with_matches", "count"]),
    "files_with_matches (default): names only; content: matching lines; count: matches per file"
  ),
  "-i": optional(Schema.Boolean, "Ignore case"),
  "-n": optional(Schema.Boolean, "Line numbers in content mode, on by default"),
  "-o": optional(Schema.Boolean, "Only the matching parts of lines, one per row. Content mode only"),
  "-A": optional(Count, "Lines after each match. Content mode only"),
  "-B": optional(Count, "Lines before each match. Content mode only"),
  "-C": optional(Count, "Lines before and after each match; wins over -A and -B. Content mode only"),
  context: optional(Count, "The same as -C"),
  head_limit: optional(Count, `Entries to return, ${LIMITS.grepHeadEntries} if left out, 0 for all`),
  offset: optional(Count, "Entries to skip first, to go on where an earlier answer stopped"),
  multiline: optional(Schema.Boolean, "Let the expression span lines; the dot then matches line ends")
})
export type GrepInput = typeof GrepInput.Type
export type GrepMode = NonNullable<GrepInput["output_mode"]>

export const modeOf = (input: GrepInput): GrepMode => input.output_mode ?? "files_with_matches"

export const pageRequestOf = (input: GrepInput): PageRequest => ({
  offset: input.offset ?? 0,
  limit: input.head_limit ?? LIMITS.grepHeadEntries
})

/** Lines around a match. Parts of lines have none. */
export const surroundingsOf = (input: GrepInput): { readonly before: number; readonly after: number } => {
  if (input["-o"] === true) return { before: 0, after: 0 }
  const both = input["-C"] ?? input.context
  return { before: both ?? input["-B"] ?? 0, after: both ?? input["-A"] ?? 0 }
}

const problem = (input: GrepInput): string | undefined => {
  if ([input.pattern, input.glob, input.type].some((text) => text?.includes("\0") === true)) {
    return "InvalidPattern: pattern, glob or type contains a NUL character. Nothing was searched."
  }
  if (input["-o"] === true && modeOf(input) !== "content") {
    return 'InvalidOption: -o works only with output_mode "content". Nothing was searched; set it or leave out -o.'
  }
  return input.path === undefined ? undefined : pathProblem(input.path)
}

export const grepTool = makeTool<GrepInput>({
  name: "Grep",
  description,
  input: GrepInput,
  maxResultChars: LIMITS.grepResultChars,
  traits: () => READ_ONLY,
  interrupt: "cancel",
  classifierInput: wholeInput,
  needs: (input, cwd) => [{ kind: "read", path: resolveFrom(cwd, input.path ?? "."), below: true }],
  summary: (input) =>
    `${input.pattern}${input.path === undefined ? "" : ` in ${input.path}`}`.slice(0, LIMITS.toolSummaryChars),
  validate: problem
})
