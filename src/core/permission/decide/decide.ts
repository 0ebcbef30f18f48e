import { type DecisionContext, caseOf, isShell } from "./decision-context.ts"
import { runsSandboxed } from "./sandbox-placement.ts"
import { beyondGrant } from "./granted.ts"
import type { PermissionContext } from "../context.ts"
import { modeSentence } from "./explain.ts"
import { matchesTool } from "../rules/match-tool.ts"
import type { Rule } from "../rule.ts"
import { answersFor, bypass, hookAllow, type Layer, type SubjectAnswer } from "./steps-allow.ts"
import { planRefusal, possibleDeny, restricting, secretDenial } from "./steps-restrict.ts"
import { immuneSafety, interaction, safety } from "./steps-safety.ts"
import type { DecidedTool, PermissionRequest } from "../permission-request.ts"
import type { Decision, TraceStep } from "../verdict.ts"

/**
 * The permission decision: a list of steps in a fixed order, the first that has an answer ends it. Everything that can
 * say no stands before everything that can say yes.
 */
interface Step {
  readonly name: string
  /** What it means that the step had no answer. */
  readonly passed: string
  readonly decide: (decided: DecisionContext) => Decision | undefined
}

const hookDeny = ({ request }: DecisionContext): Decision | undefined =>
  request.hook?.verdict === "deny" ? { verdict: "deny", reason: { type: "hook", sentence: request.hook.reason } } : undefined

const BARRIERS: ReadonlyArray<Step> = [
  { name: "hookDeny", passed: "no hook refuses it", decide: hookDeny },
  {
    name: "denyRules",
    passed: "no deny rule matches",
    decide: (decided) => restricting(decided, "deny") ?? secretDenial(decided)
  },
  { name: "planMode", passed: "nothing that plan mode refuses", decide: planRefusal },
  { name: "askRules", passed: "no ask rule matches", decide: (decided) => restricting(decided, "ask") },
  { name: "possibleDeny", passed: "nothing unknown that a rule could mean", decide: possibleDeny },
  { name: "interaction", passed: "no question for the user", decide: interaction },
  { name: "immuneSafety", passed: "no critical removal and no unsafe path", decide: immuneSafety },
  { name: "safety", passed: "no protected place, and the command is understood", decide: safety },
  { name: "bypass", passed: "bypass mode is not on", decide: bypass },
  { name: "hookAllow", passed: "no hook allows it", decide: hookAllow }
]

/** The steps that say yes, with what it means when they do not. */
const GRANTS: ReadonlyArray<readonly [name: string, layer: Layer, passed: string]> = [
  ["harmless", "harmless", "not proven to be harmless"],
  ["modeGrants", "mode", "neither mode nor sandbox allows it"],
  ["allowRules", "rules", "no allow rule covers it"]
]

const LAYERS: Record<Layer, number> = { harmless: 0, mode: 1, rules: 2 }

/** Of several answers the strictest: the first question, else the one that needed the most. */
const strictestAnswer = (answers: ReadonlyArray<SubjectAnswer>): SubjectAnswer | undefined =>
  answers.find(({ layer }) => layer === undefined) ??
  answers.reduce<SubjectAnswer | undefined>(
    (most, next) => (most === undefined || LAYERS[next.layer ?? "rules"] > LAYERS[most.layer ?? "rules"] ? next : most),
    undefined
  )

const grant = (decided: DecisionContext, trace: Array<TraceStep>): Decision => {
  const answer = strictestAnswer(answersFor(decided))
  for (const [step, layer, passed] of GRANTS) {
    const isHit = answer?.layer === layer
    trace.push({ step, result: isHit ? "hit" : "pass", detail: isHit ? answer.decision.reason.sentence : passed })
    if (isHit) return answer.decision
  }
  const asked: Decision = answer?.decision ?? {
    verdict: "ask",
    reason: { type: "other", sentence: "Nothing allows the call" }
  }
  trace.push({ step: "ask", result: "hit", detail: asked.reason.sentence })
  return asked
}

const runSteps = (decided: DecisionContext): Decision => {
  const trace: Array<TraceStep> = []
  for (const { name, passed, decide: step } of BARRIERS) {
    const found = step(decided)
    trace.push({ step: name, result: found === undefined ? "pass" : "hit", detail: found?.reason.sentence ?? passed })
    if (found !== undefined) return { ...found, trace }
  }
  return { ...grant(decided, trace), trace }
}

/** Where nothing may be asked, a question is a denial. */
const withoutQuestion = (found: Decision, { mode }: DecisionContext): Decision => {
  if (found.verdict !== "ask" || mode !== "dontAsk") return found
  return {
    ...found,
    verdict: "deny",
    reason: { ...found.reason, sentence: `${found.reason.sentence}; ${modeSentence("dontAsk")}` }
  }
}

/**
 * A command that must be confined and cannot be does not run by any rule, mode or hook: only a user lets this one run
 * outside, where the settings leave that to a user.
 */
const withoutSandbox = (found: Decision, { request, subjects }: DecisionContext): Decision => {
  const problem = request.facts.sandboxProblem
  const isMeant = subjects.some((subject) => isShell(subject) && runsSandboxed(request, subject.command))
  if (problem === undefined || found.verdict === "deny" || !isMeant) return found
  const { about: _about, offers: _offers, ...rest } = found
  const missing: TraceStep = { step: "sandboxMissing", result: "hit", detail: problem.sentence }
  const trace = [...(found.trace ?? []), missing]
  if (!problem.mayLeave) {
    return { ...rest, trace, verdict: "deny", reason: { type: "sandboxOverride", sentence: problem.sentence } }
  }
  const also = found.verdict === "ask" ? `. ${found.reason.sentence}` : ""
  const sentence = `${problem.sentence}. Yes runs this one command outside it${also}`
  return { ...rest, trace, verdict: "ask", immune: true, reason: { type: "sandboxOverride", sentence } }
}

export const decide = (request: PermissionRequest): Decision => {
  const decided = caseOf(request)
  return beyondGrant(decided) ?? withoutQuestion(withoutSandbox(runSteps(decided), decided), decided)
}

/** The rule that takes a whole tool away from the model; such tools are not offered at all. */
export const removedBy = (context: PermissionContext, tool: DecidedTool): Rule | undefined =>
  context.rules.find((rule) => rule.behavior === "deny" && rule.specifier === undefined && matchesTool(rule, tool))
