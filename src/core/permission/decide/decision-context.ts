import { runsSandboxed } from "./sandbox-placement.ts"
import type { PermissionContext, WorkingDir } from "../context.ts"
import { ruleRemedy, ruleSentence } from "./explain.ts"
import type { CallFacts } from "../facts.ts"
import { withServerName } from "../rules/match-tool.ts"
import { effectiveMode } from "../mode.ts"
import { printRule, type Rule } from "../rule.ts"
import { type ShellSubject, type Subject, subjectsOf } from "./request-subjects.ts"
import type { PermissionRequest } from "../permission-request.ts"
import type { Decision, PermissionMode, PlainReason } from "../verdict.ts"

/** One call on its way through the steps of the decision. */
export interface DecisionContext {
  readonly request: PermissionRequest
  readonly context: PermissionContext
  readonly subjects: ReadonlyArray<Subject>
  /** The mode that really holds. */
  readonly mode: PermissionMode
}

/** A working directory that vanished or was replaced by a link to another place does not count any more. */
const isStillThere = (directory: WorkingDir, { paths }: CallFacts): boolean => {
  const fact = paths.find(({ path }) => path === directory.path)
  return fact === undefined || (fact.exists && fact.realPath === directory.realPath)
}

const currentContext = ({ context, facts }: PermissionRequest): PermissionContext => {
  const workingDirs = context.workingDirs.filter((directory) => isStillThere(directory, facts))
  return workingDirs.length === context.workingDirs.length ? context : { ...context, workingDirs }
}

export const caseOf = (given: PermissionRequest): DecisionContext => {
  const context = currentContext(given)
  const request = { ...given, context, tool: withServerName(given.tool, given.input) }
  return { request, context, subjects: subjectsOf(request), mode: effectiveMode(context) }
}

export const isShell = (subject: Subject): subject is ShellSubject => subject.kind === "shell"

/** The answer of a rule. */
export const decisionOfRule = (rule: Rule): Decision => ({
  verdict: rule.behavior,
  reason: { type: "rule", rule: printRule(rule), source: rule.source, sentence: ruleSentence(rule) },
  ...(rule.behavior === "ask" ? { immune: true } : {}),
  ...(rule.behavior === "allow" ? {} : { remedy: ruleRemedy(rule) }),
  matchedRule: {
    toolName: rule.tool,
    ...(rule.specifier === undefined ? {} : { ruleContent: rule.specifier }),
    behavior: rule.behavior,
    source: rule.source,
    ...(rule.file === undefined ? {} : { file: rule.file }),
    ...(rule.line === undefined ? {} : { line: rule.line })
  }
})

export const allow = (type: PlainReason, sentence: string): Decision => ({ verdict: "allow", reason: { type, sentence } })

export const ask = (type: PlainReason, sentence: string): Decision => ({ verdict: "ask", reason: { type, sentence } })

/** A question that nothing but an answer settles. */
export const immuneAsk = (type: PlainReason, sentence: string): Decision => ({ ...ask(type, sentence), immune: true })

/** Commands that run in the sandbox need no approval; plan mode is not widened by it. */
export const isSandboxAllowed = (decided: DecisionContext, subject: ShellSubject): boolean =>
  decided.context.sandbox.autoAllow && decided.mode !== "plan" && runsSandboxed(decided.request, subject.command)
