import { allow, ask, decisionOfRule, type DecisionContext, isSandboxAllowed, isShell } from "./decision-context.ts"
import { lossSentence } from "./data-loss.ts"
import { leavingReason } from "./sandbox-placement.ts"
import { modeSentence, needRemedy, outsideSentence, readOnlySentence, subcommandsSentence, subjectText } from "./explain.ts"
import { coveringPathRule, isCoveredSecret, isInsideWork } from "../rules/match-path.ts"
import { matchesHost, matchesName, matchesTool } from "../rules/match-tool.ts"
import { type PartDecision, partVerdict, rulesOf, subcommandOf } from "./part-verdict.ts"
import { pathVariants, isInside, isInsideAny, type Location } from "../../domain/path/path-components.ts"
import { firstRanked, type Ranked, ruleIndex } from "../rules/rule-index.ts"
import type { RuleText } from "../rule.ts"
import { suggestedRules } from "./suggest-rules.ts"
import { type FetchSubject, needOf, type PathSubject, type ShellSubject, type Subject } from "./request-subjects.ts"
import { secretSentence } from "./touch-check.ts"
import type { Decision } from "../verdict.ts"

/** What may say yes, after everything that says no: proofs of harmlessness, modes, the sandbox, allow rules. */
export const bypass = ({ mode }: DecisionContext): Decision | undefined =>
  mode === "bypassPermissions"
    ? { verdict: "allow", reason: { type: "mode", mode, sentence: modeSentence(mode) } }
    : undefined

export const hookAllow = ({ request }: DecisionContext): Decision | undefined =>
  request.hook?.verdict === "allow" ? allow("hook", request.hook.reason) : undefined

/** Answers for one subject by step, so that each step can say whether it would have allowed all of them. */
export type Layer = "harmless" | "mode" | "rules"

export interface SubjectAnswer {
  readonly decision: Decision
  /** The step that allows it; absent for a question. */
  readonly layer?: Layer
}

const isReadableInternal = (place: Location, { readableDirs, editablePaths }: DecisionContext["context"]): boolean =>
  pathVariants(place).every((path) => isInsideAny([...readableDirs, ...editablePaths], path))

const isEditableInternal = (place: Location, { editablePaths }: DecisionContext["context"]): boolean =>
  pathVariants(place).every((path) => editablePaths.some((own) => isInside(own, path)))

const harmlessPath = (subject: PathSubject, { context }: DecisionContext): Decision | undefined => {
  if (!subject.known) return undefined
  if (subject.kind === "edit") {
    return isEditableInternal(subject.place, context) ? allow("internalPath", "The file belongs to this session") : undefined
  }
  if (isReadableInternal(subject.place, context)) return allow("internalPath", "The file belongs to this session")
  return isInsideWork(subject.place, context) && !isCoveredSecret(subject.place, context)
    ? allow("readOnly", "Reading inside the working directories")
    : undefined
}

const knownHost = ({ host }: FetchSubject, { context }: DecisionContext): Decision | undefined =>
  context.preapprovedHosts.some((known) => matchesHost(known, host))
    ? allow("readOnly", `${host} holds documentation (nacre.webFetchPreapproved)`)
    : undefined

const acceptedEdit = (subject: PathSubject, { context, mode }: DecisionContext): Decision | undefined =>
  subject.kind === "edit" &&
  (mode === "acceptEdits" || mode === "auto") &&
  subject.known &&
  isInsideWork(subject.place, context)
    ? { verdict: "allow", reason: { type: "mode", mode, sentence: modeSentence(mode) } }
    : undefined

const rulesOfTool = ({ request, context }: DecisionContext, also: string | undefined): ReadonlyArray<Ranked> =>
  ruleIndex(context).allow.tools.filter(({ rule }) => rule.tool === also || matchesTool(rule, request.tool))

const rulesOfInput = ({ request, context }: DecisionContext): ReadonlyArray<Ranked> =>
  ruleIndex(context).allow.inputs.filter(({ rule }) => matchesTool(rule, request.tool) && matchesName(rule, request.input))

const rulesOfHost = ({ context }: DecisionContext, host: string): ReadonlyArray<Ranked> =>
  ruleIndex(context).allow.domains.filter(({ rule }) => matchesHost(rule.specifier ?? "", host))

const pathRule = (subject: PathSubject, decided: DecisionContext): Ranked | undefined => {
  if (!subject.known || (subject.kind === "read" && isCoveredSecret(subject.place, decided.context))) return undefined
  const tool = subject.kind === "read" ? "Read" : "Edit"
  const covering = coveringPathRule(tool, subject.place, decided.context)
  return firstRanked([...rulesOfTool(decided, tool), ...(covering === undefined ? [] : [covering])])
}

const allowingRule = (subject: Exclude<Subject, ShellSubject>, decided: DecisionContext): Ranked | undefined => {
  switch (subject.kind) {
    case "read":
    case "edit":
      return pathRule(subject, decided)
    case "fetch":
      return firstRanked([...rulesOfTool(decided, undefined), ...rulesOfHost(decided, subject.host)])
    case "nothing":
    case "interaction":
    case "other":
      return firstRanked([...rulesOfTool(decided, undefined), ...rulesOfInput(decided)])
  }
}

/** In plan mode rules do not widen what may be done, only what may be read. */
const ruleMayAllow = (subject: Subject, { request, mode }: DecisionContext): boolean =>
  mode !== "plan" || subject.kind === "read" || subject.kind === "fetch" || request.tool.readOnly === true

const askAboutPath = (subject: PathSubject, decided: DecisionContext): Decision => {
  const { context, request } = decided
  const text = subjectText(subject, request.tool.name)
  if (subject.kind === "read" && isCoveredSecret(subject.place, context)) {
    return { ...ask("secretFile", `${text}: ${secretSentence(subject.place.path)}`), blockedPath: subject.place.path }
  }
  if (!isInsideWork(subject.place, context)) {
    const sentence = `${text} needs approval: ${outsideSentence(subject.place, context.workingDirs)}`
    return { ...ask("workingDir", sentence), blockedPath: subject.place.path }
  }
  return subject.known
    ? ask("other", `${text} needs approval: no rule allows it`)
    : ask("other", `${text} needs approval: the path could not be examined`)
}

const askAbout = (subject: Exclude<Subject, ShellSubject>, decided: DecisionContext): Decision => {
  if (subject.kind === "read" || subject.kind === "edit") return askAboutPath(subject, decided)
  const text = subjectText(subject, decided.request.tool.name)
  return decided.mode === "plan" && !ruleMayAllow(subject, decided)
    ? ask("plan", `${text} needs approval: ${modeSentence("plan")}`)
    : ask("other", `${text} needs approval: no rule allows it`)
}

const answerPlain = (subject: Exclude<Subject, ShellSubject>, decided: DecisionContext): SubjectAnswer => {
  if (subject.kind === "nothing" || (subject.kind === "interaction" && decided.request.hook?.answers === true)) {
    return { decision: allow("readOnly", "The call touches nothing outside the conversation"), layer: "harmless" }
  }
  const isPath = subject.kind === "read" || subject.kind === "edit"
  const harmless = isPath
    ? harmlessPath(subject, decided)
    : subject.kind === "fetch"
      ? knownHost(subject, decided)
      : undefined
  if (harmless !== undefined) return { decision: harmless, layer: "harmless" }
  const accepted = isPath ? acceptedEdit(subject, decided) : undefined
  if (accepted !== undefined) return { decision: accepted, layer: "mode" }
  const found = ruleMayAllow(subject, decided) ? allowingRule(subject, decided) : undefined
  if (found !== undefined) return { decision: decisionOfRule(found.rule), layer: "rules" }
  return { decision: withRemedy(askAbout(subject, decided), subject, decided) }
}

/** A link leads to two places at once, which no single rule covers: there is no way to allow it for good. */
const withRemedy = (asked: Decision, subject: Subject, { request, mode }: DecisionContext): Decision => {
  const isLink = (subject.kind === "read" || subject.kind === "edit") && pathVariants(subject.place).length > 1
  const remedy = isLink ? undefined : needRemedy(asked, subject, { tool: request.tool.name, mode })
  return {
    ...asked,
    classifierApprovable: true,
    ...(isLink ? {} : { about: needOf(subject) }),
    ...(remedy === undefined ? {} : { remedy })
  }
}

/** No rule about commands uncovers secrets, and none widens plan mode. */
const isRuleEnough = (needing: ReadonlyArray<PartDecision>): boolean =>
  needing.every(([, found]) => found.verdict === "ask" && found.fault.type !== "secretFile" && found.fault.type !== "plan")

/** One rule per part; for a text that is not understood in all its parts only itself. A star would make it a pattern. */
const offersFor = ({ analysis, command }: ShellSubject, needing: ReadonlyArray<PartDecision>): ReadonlyArray<RuleText> => {
  if (analysis.obstacle === undefined) return suggestedRules(needing.map(([{ part }]) => part))
  return /[*\n\r]/.test(command) ? [] : [{ tool: "Bash", specifier: command.trim() }]
}

const askAboutParts = (subject: ShellSubject, parts: ReadonlyArray<PartDecision>, decided: DecisionContext): Decision => {
  const needing = parts.filter(([, verdict]) => verdict.verdict === "ask")
  const subcommands = parts.map(([one, verdict]) => subcommandOf(one, verdict))
  const losses = needing.flatMap(([{ part }]) =>
    part.danger?.kind === "destructive" ? [lossSentence(part.danger, part.program, decided.request.facts)] : []
  )
  const [first] = needing
  const fault = first?.[1].verdict === "ask" ? first[1].fault : undefined
  const text = subjectText(subject, decided.request.tool.name)
  const mode = decided.mode === "plan" ? modeSentence("plan") : undefined
  const asked =
    parts.length > 1
      ? ask(
          "subcommands",
          subcommandsSentence(
            needing.map(([{ part }]) => part.text),
            parts.length
          )
        )
      : ask(fault?.type ?? "other", `${text} needs approval: ${mode ?? fault?.sentence ?? "no rule allows it"}`)
  return {
    ...asked,
    subcommands,
    offers: isRuleEnough(needing) ? offersFor(subject, needing) : [],
    ...(losses[0] === undefined ? {} : { loss: losses.join("; ") }),
    ...(fault?.blockedPath === undefined ? {} : { blockedPath: fault.blockedPath })
  }
}

const allowedParts = (parts: ReadonlyArray<PartDecision>): SubjectAnswer => {
  const subcommands = parts.map(([one, verdict]) => subcommandOf(one, verdict))
  const [rule] = rulesOf(parts)
  if (rule !== undefined) return { decision: { ...rule, subcommands }, layer: "rules" }
  const isEdit = parts.some(([, verdict]) => verdict.verdict === "allow" && verdict.by === "fileEdit")
  if (isEdit) {
    const reason = { type: "mode", mode: "acceptEdits", sentence: modeSentence("acceptEdits") } as const
    return { decision: { verdict: "allow", reason, subcommands }, layer: "mode" }
  }
  const sentence = readOnlySentence(parts.map(([{ part }]) => part.program))
  return { decision: { ...allow("readOnly", sentence), subcommands }, layer: "harmless" }
}

/** A question about a command that leaves the sandbox says so first. */
const aboutLeaving = (asked: Decision, { command }: ShellSubject, { request }: DecisionContext): Decision => {
  const why = leavingReason(request, command)
  if (why === undefined) return asked
  const sentence = `Runs outside the sandbox (${why}). ${asked.reason.sentence}`
  return { ...asked, reason: { type: "sandboxOverride", sentence } }
}

const answerShell = (subject: ShellSubject, decided: DecisionContext): SubjectAnswer => {
  if (subject.analysis.blank) return { decision: allow("readOnly", "The command does nothing"), layer: "harmless" }
  const parts = subject.parts
    .filter(({ part }) => !part.handed)
    .map((one): PartDecision => [one, partVerdict({ decided, subject, one })])
  if (parts.length > 0 && parts.every(([, verdict]) => verdict.verdict === "allow")) return allowedParts(parts)
  if (isSandboxAllowed(decided, subject)) {
    return { decision: allow("other", "The command runs in the sandbox"), layer: "mode" }
  }
  const asked = withRemedy(askAboutParts(subject, parts, decided), subject, decided)
  return { decision: aboutLeaving(asked, subject, decided) }
}

/** Every subject's own answer; the call is allowed only when all of them are. */
export const answersFor = (decided: DecisionContext): ReadonlyArray<SubjectAnswer> =>
  decided.subjects.map((subject) => (isShell(subject) ? answerShell(subject, decided) : answerPlain(subject, decided)))
