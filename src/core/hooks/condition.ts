import { Result } from "effect"
import { caseOf } from "../permission/decide/decision-context.ts"
import { possibleDeny, restricting } from "../permission/decide/steps-restrict.ts"
import type { PermissionRequest } from "../permission/permission-request.ts"
import { consultedInstead, type Rule, specifierFamily } from "../permission/rule.ts"
import { inputField, matchesTool } from "../permission/rules/match-tool.ts"
import { parseRule } from "../permission/rules/parse.ts"
import { mismatch, readMatcher } from "./matcher.ts"

const PATTERN = "regex:"
const NAMES = /^[\w *|-]+$/

/** What a call is about in one text: its command, its file, its address, or all of it. */
const mainInput = (input: unknown): string => {
  const named = ["command", "file_path", "notebook_path", "url"].map((field) => inputField(input, field))
  return named.find((value) => value !== undefined) ?? JSON.stringify(input)
}

/** Why a condition can never hold; undefined when it can be read. */
export const conditionProblem = (condition: string): string | undefined => {
  if (condition.startsWith(PATTERN)) {
    const matcher = readMatcher("PreToolUse", condition)
    return matcher._tag === "Unusable" ? matcher.why : undefined
  }
  const texts = NAMES.test(condition) ? condition.split("|") : [condition]
  const [fault] = texts.map((text) => parseRule(text.trim(), "deny")).filter(Result.isFailure)
  return fault?.failure.why
}

/**
 * Whether a handler's `if` speaks of a call. It is read as a deny rule would be, so a command that could be what it names
 * counts too: a guard that runs once too often is better than one that was got around.
 */
export const holds = (condition: string, request: PermissionRequest): boolean => {
  if (condition.startsWith(PATTERN))
    return mismatch(readMatcher("PreToolUse", condition), mainInput(request.input)) === undefined
  return NAMES.test(condition)
    ? condition.split("|").some((name) => ruleHolds(name.trim(), request))
    : ruleHolds(condition, request)
}

const ruleHolds = (text: string, request: PermissionRequest): boolean => {
  const parsed = parseRule(text, "deny")
  if (Result.isFailure(parsed)) return false
  const { tool, specifier } = parsed.success
  const named: Rule = { ...parsed.success, behavior: "deny", source: "session" }
  if (!matchesTool({ ...named, tool }, request.tool)) return false
  if (specifier === undefined) return true
  const rule = specifierFamily(tool) === "unused" ? { ...named, tool: consultedInstead(tool) } : named
  const decided = caseOf({ ...request, context: { ...request.context, rules: [rule] } })
  return restricting(decided, "deny") !== undefined || possibleDeny(decided) !== undefined
}
