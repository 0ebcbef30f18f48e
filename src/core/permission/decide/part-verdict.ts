import { decisionOfRule, type DecisionContext } from "./decision-context.ts"
import { belowFact } from "../facts.ts"
import { visible } from "../../domain/text/visible-text.ts"
import { matchesCommand } from "../rules/command-pattern.ts"
import { commandRulesFor, firstRanked, type RankedCommand, ruleIndex } from "../rules/rule-index.ts"
import { matchesTool } from "../rules/match-tool.ts"
import type { Rule } from "../rule.ts"
import type { ShellPart } from "../bash/shell-analysis.ts"
import type { ShellSubject, TouchingPart } from "./request-subjects.ts"
import { secretTouched, takesAll, type TouchFault, touchFault } from "./touch-check.ts"
import type { Decision, Verdict } from "../verdict.ts"

/** What may be said about one part of a command, once everything that says no has been passed. */
export type PartVerdict =
  | { readonly verdict: "allow"; readonly by: "readOnly" | "fileEdit"; readonly sentence: string }
  | { readonly verdict: "allow"; readonly by: "rule"; readonly rule: Rule; readonly sentence: string }
  | { readonly verdict: "ask"; readonly fault: TouchFault; readonly sentence: string }

const asks = (fault: TouchFault): PartVerdict => ({ verdict: "ask", fault, sentence: fault.sentence })

const unruled = (sentence: string): PartVerdict => asks({ type: "other", sentence })

interface PartCase {
  readonly decided: DecisionContext
  readonly subject: ShellSubject
  readonly one: TouchingPart
}

const settingOf = ({ decided: { request, context }, subject }: Pick<PartCase, "decided" | "subject">) => ({
  facts: request.facts,
  context,
  isAlone: subject.parts.length === 1
})

/** Proven to change nothing, and what it reads may be read. */
const isReadOnly = ({ decided, subject, one }: PartCase): boolean =>
  decided.context.runsBash &&
  subject.analysis.obstacle === undefined &&
  one.part.readOnly.proven &&
  one.touched.every(({ touch }) => touch.access === "read" || touch.rulesOnly) &&
  touchFault(one, settingOf({ decided, subject })) === undefined

/** Somebody looked at everything below the directories that the part takes away as a whole. */
const isSeenThrough = ({ part, touched }: TouchingPart, { request }: DecisionContext): boolean =>
  touched.every(
    ({ touch }) =>
      !takesAll(part, touch) || touch.path === undefined || belowFact(request.facts, touch.path)?.complete !== false
  )

/** A plain change of files inside; what a glob stands for is not decided by this proof. */
const isAcceptedEdit = ({ decided, subject, one }: PartCase): boolean =>
  decided.mode === "acceptEdits" &&
  decided.context.runsBash &&
  subject.analysis.obstacle === undefined &&
  one.part.fileEdit.proven &&
  one.touched.every(({ touch }) => touch.access === "read" || touch.glob === undefined) &&
  isSeenThrough(one, decided) &&
  touchFault(one, settingOf({ decided, subject })) === undefined

const isAboutCommands =
  ({ request }: DecisionContext) =>
  ({ rule }: RankedCommand): boolean =>
    rule.tool === "Bash" || matchesTool(rule, request.tool)

const wholeToolRule = (decided: DecisionContext): Rule | undefined =>
  firstRanked(
    ruleIndex(decided.context).allow.tools.filter(
      ({ rule }) => rule.tool === "Bash" || matchesTool(rule, decided.request.tool)
    )
  )?.rule

/** Rules without a star that are exactly this text: they cover what is in it, whatever it is. */
const exactRule = (decided: DecisionContext, texts: ReadonlyArray<string>): Rule | undefined =>
  firstRanked(
    texts.flatMap((text) =>
      commandRulesFor(ruleIndex(decided.context).allow.commands, text).filter(
        (entry) => isAboutCommands(decided)(entry) && entry.pattern.isExact && matchesCommand(entry.pattern, text)
      )
    )
  )?.rule

/** A wildcard covers danger only when it spells the dangerous word. */
const spellsDanger = ({ pattern }: RankedCommand, { danger }: ShellPart): boolean => {
  if (danger === undefined) return true
  const words = pattern.literal.split(" ")
  return danger.spelled.some((spelled) => spelled.split(" ").every((word) => words.includes(word)))
}

const wildcardRule = ({ decided, one }: PartCase): Rule | undefined =>
  firstRanked(
    one.part.allow.texts.flatMap((text) =>
      commandRulesFor(ruleIndex(decided.context).allow.commands, text).filter(
        (entry) => isAboutCommands(decided)(entry) && spellsDanger(entry, one.part) && matchesCommand(entry.pattern, text)
      )
    )
  )?.rule

const byAllowRule = (rule: Rule): PartVerdict => ({
  verdict: "allow",
  by: "rule",
  rule,
  sentence: decisionOfRule(rule).reason.sentence
})

/** Why no rule with a wildcard may vouch for the part; undefined when one may. */
const wildcardFault = ({ decided, subject, one }: PartCase): TouchFault | undefined => {
  const { obstacle } = one.part.allow
  if (obstacle !== undefined) return { type: "other", sentence: obstacle }
  const unclear = subject.analysis.obstacle
  if (unclear !== undefined) return { type: "parse", sentence: unclear.sentence }
  return touchFault(one, settingOf({ decided, subject }))
}

/** Inside a construct that is not understood a part is more than its own text; then only the whole text counts. */
const exactTexts = ({ command, analysis }: ShellSubject, part: ShellPart): ReadonlyArray<string> =>
  analysis.obstacle === undefined ? [command.trim(), part.text.trim()] : [command.trim()]

const ruledVerdict = (given: PartCase): PartVerdict => {
  const { decided, subject, one } = given
  const secret = secretTouched(one, settingOf({ decided, subject }))
  if (secret !== undefined) return asks(secret)
  const sure = wholeToolRule(decided) ?? exactRule(decided, exactTexts(subject, one.part))
  if (sure !== undefined) return byAllowRule(sure)
  const fault = wildcardFault(given)
  if (fault !== undefined) return asks(fault)
  const rule = wildcardRule(given)
  if (rule !== undefined) return byAllowRule(rule)
  return unruled(one.part.danger?.sentence ?? whyNot(one.part))
}

const whyNot = ({ readOnly, program, touches }: ShellPart): string => {
  if (!readOnly.proven) return `no rule allows it and ${readOnly.why}`
  const written = touches.find(({ access }) => access !== "read")
  return `no rule allows ${written === undefined ? visible(program) : `writing ${visible(written.asked)}`}`
}

/** Plan mode is not widened by rules. */
export const partVerdict = (given: PartCase): PartVerdict => {
  const { decided, subject, one } = given
  if (isReadOnly(given)) return { verdict: "allow", by: "readOnly", sentence: "only reads" }
  if (isAcceptedEdit(given)) {
    return { verdict: "allow", by: "fileEdit", sentence: "changes files inside the working directories" }
  }
  if (decided.mode !== "plan") return ruledVerdict(given)
  return asks(secretTouched(one, settingOf({ decided, subject })) ?? { type: "plan", sentence: whyNot(one.part) })
}

export const subcommandOf = (
  { part }: TouchingPart,
  { verdict, sentence }: { readonly verdict: Verdict; readonly sentence: string }
) => ({
  text: part.text,
  verdict,
  sentence
})

export type PartDecision = readonly [TouchingPart, PartVerdict]

/** The rule to name when several parts were allowed by rules. */
export const rulesOf = (parts: ReadonlyArray<PartDecision>): ReadonlyArray<Decision> =>
  parts.flatMap(([, verdict]) =>
    verdict.verdict === "allow" && verdict.by === "rule" ? [decisionOfRule(verdict.rule)] : []
  )
