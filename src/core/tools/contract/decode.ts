import { Result, Schema, SchemaAST, type SchemaIssue } from "effect"
import { describeFinding, type Finding, findingsOf } from "./input-issue.ts"
import { internalKeys } from "./input-schema.ts"
import type { Tool } from "./tool.ts"

/**
 * Strict decoding of what a model (or a host) sends as tool input. Unknown keys are errors, every problem is reported,
 * and exactly two things are forgiven: a number or a boolean written as the string JSON would print for it.
 */
type Decodable<Input> = Pick<Tool<Input>, "name" | "input">

const STRICT: SchemaAST.ParseOptions = { onExcessProperty: "error", errors: "all" }

const NUMBER_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const at = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
    value
  )

const replaceAt = (value: unknown, path: ReadonlyArray<PropertyKey>, replacement: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return replacement
  const replaced = (item: unknown, own: PropertyKey): unknown => (own === key ? replaceAt(item, rest, replacement) : item)
  if (Array.isArray(value)) return value.map(replaced)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, name)]))
}

const wantedTags = (issue: SchemaIssue.Issue): ReadonlyArray<string> => {
  if (issue._tag === "InvalidType") return [issue.ast._tag]
  return issue._tag === "AnyOf" && SchemaAST.isUnion(issue.ast) ? issue.ast.types.map((type) => type._tag) : []
}

/** The value that the text stands for where a number or boolean was wanted; undefined where nothing is forgiven. */
const forgiven = (finding: Finding, value: unknown): number | boolean | undefined => {
  if (typeof value !== "string") return undefined
  const wanted = wantedTags(finding.issue)
  if (wanted.includes("Boolean") && (value === "true" || value === "false")) return value === "true"
  if (!wanted.includes("Number") || !NUMBER_TEXT.test(value)) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

const forgive = (input: unknown, findings: ReadonlyArray<Finding>): unknown =>
  findings.reduce((current, finding) => {
    const replacement = forgiven(finding, at(input, finding.path))
    return replacement === undefined ? current : replaceAt(current, finding.path, replacement)
  }, input)

const errorText = (tool: Decodable<never> | Decodable<unknown>, issue: SchemaIssue.Issue, input: unknown): string => {
  const hidden = internalKeys(tool.input)
  const lines = findingsOf(issue).map(
    (finding) => `- ${describeFinding(finding, { received: at(input, finding.path), hidden })}`
  )
  const count = lines.length === 1 ? "1 problem" : `${lines.length} problems`
  return [`InputValidationError: ${tool.name} was not run, its input has ${count}:`, ...lines].join("\n")
}

/** Input from the host or a dialog, which may hold internal keys. */
export const decodeHostInput = <Input>(tool: Decodable<Input>, input: unknown): Result.Result<Input, string> => {
  const decode = Schema.decodeUnknownResult(tool.input, STRICT)
  const first = decode(input)
  if (Result.isSuccess(first)) return Result.succeed(first.success)
  const relaxed = forgive(input, findingsOf(first.failure.issue))
  const second = relaxed === input ? first : decode(relaxed)
  return Result.mapError(second, (error) => errorText(tool, error.issue, relaxed))
}

/** Input from the model: internal keys are dropped unread. */
export const decodeInput = <Input>(tool: Decodable<Input>, input: unknown): Result.Result<Input, string> => {
  const hidden = internalKeys(tool.input)
  if (hidden.length === 0 || !isObject(input)) return decodeHostInput(tool, input)
  return decodeHostInput(tool, Object.fromEntries(Object.entries(input).filter(([key]) => !hidden.includes(key))))
}
