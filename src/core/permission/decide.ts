import { disaster } from "./command-danger.ts"
import { dynamicPart } from "./command-reach.ts"
import {
  modeSentence,
  needRemedy,
  outsideSentence,
  PLAN_REMEDY,
  ruleRemedy,
  ruleSentence,
  subjectText
} from "./explain.ts"
import { coveredSecret, isSecretPlace, matchesTool, permits, restricts } from "./match.ts"
import { effectiveMode } from "./mode.ts"
import { formsOf, isInsideAny, isWithin, type Location } from "./path-scope.ts"
import type { PermissionContext } from "./context.ts"
import { printRule, RULE_SOURCES, specifierFamily, type Rule } from "./rule.ts"
import { protectedClass } from "./sensitive-paths.ts"
import { needOf, subjectsOf, type DecidedTool, type PermissionRequest, type Subject } from "./subject.ts"
import type { Decision, DecisionReason, SafetyCheck, TraceStep, Verdict } from "./verdict.ts"

/**
 * The permission decision: a list of steps in a fixed order, the first that has an answer ends it. Everything that can
 * say no stands before everything that can say yes.
 */
interface Case {
  readonly request: PermissionRequest
  readonly context: PermissionContext
  readonly subjects: ReadonlyArray<Subject>
}

interface Step {
  readonly name: string
  readonly decide: (decided: Case) => Decision | undefined
}

const decision = (verdict: Verdict, reason: DecisionReason): Decision => ({ verdict, reason })

const byRule = (rule: Rule): Decision => ({
  verdict: rule.behavior,
  reason: { type: "rule", rule: printRule(rule), source: rule.source, sentence: ruleSentence(rule) },
  ...(rule.behavior === "ask" ? { immune: true } : {}),
  ...(rule.behavior === "allow" ? {} : { remedy: ruleRemedy(rule) }),
  matchedRule: {
    toolName: rule.tool,
    ...(rule.specifier === undefined ? {} : { ruleContent: rule.specifier }),
    behavior: rule.behavior,
    source: rule.source
  }
})

const safety = (check: SafetyCheck, sentence: string, place?: string): Decision => ({
  verdict: "ask",
  reason: { type: "safetyCheck", check, sentence },
  ...(check === "protectedPath" || check === "secretFile" ? {} : { immune: true }),
  ...(place === undefined ? {} : { blockedPath: place })
})

/** Of several matching rules the one whose source comes first is named; the outcome is the same. */
const firstBySource = (rules: ReadonlyArray<Rule>): Rule | undefined =>
  RULE_SOURCES.map((source) => rules.find((rule) => rule.source === source)).find((rule) => rule !== undefined)

const restricting = (decided: Case, behavior: "deny" | "ask"): Decision | undefined => {
  const { request, context, subjects } = decided
  const rule = firstBySource(
    context.rules.filter((candidate) => candidate.behavior === behavior && restricts(candidate, request, subjects))
  )
  return rule === undefined ? undefined : byRule(rule)
}

/** Plan mode changes nothing: files stay as they are, and so do servers that do not promise to only read. */
const planRefusal = ({ request, context, subjects }: Case): Decision | undefined => {
  if (effectiveMode(context) !== "plan") return undefined
  const isMutatingServer = request.tool.name.startsWith("mcp__") && request.tool.readOnly !== true
  const refused = subjects.find((subject) => subject.kind === "edit" || (subject.kind === "other" && isMutatingServer))
  if (refused === undefined) return undefined
  const sentence = `${subjectText(refused, request.tool.name)} is refused: ${modeSentence("plan")}`
  return { ...decision("deny", { type: "mode", mode: "plan", sentence }), remedy: PLAN_REMEDY }
}

const contentRules = (context: PermissionContext, isAbout: (rule: Rule) => boolean): Rule | undefined =>
  context.rules.find((rule) => rule.behavior !== "allow" && rule.specifier !== undefined && isAbout(rule))

/** A part known only at run time could be what a deny or ask rule names. */
const possibleDeny = ({ context, subjects }: Case): Decision | undefined => {
  const commandRule = contentRules(context, (rule) => specifierFamily(rule.tool) === "command")
  const pathRule = contentRules(context, (rule) => specifierFamily(rule.tool) === "path")
  for (const subject of subjects) {
    if (subject.kind !== "shell") continue
    const part = dynamicPart(subject.reach)
    const word = part?.words[part.programAt]
    if (commandRule !== undefined && word !== undefined) {
      const sentence = `What ${word} runs is only known at run time and could match ${printRule(commandRule)}`
      return safety("possibleDeny", sentence)
    }
    if (pathRule !== undefined && subject.dynamicOperand !== undefined) {
      const sentence = `${subject.dynamicOperand} is only known at run time and could match ${printRule(pathRule)}`
      return safety("possibleDeny", sentence)
    }
  }
  return undefined
}

const interaction = ({ request, subjects }: Case): Decision | undefined =>
  subjects.some(({ kind }) => kind === "interaction")
    ? {
        ...decision("ask", { type: "interaction", sentence: `${request.tool.name} is a question for the user` }),
        immune: true
      }
    : undefined

const isUnsafeForm = (asked: string): boolean => /^(?:\\\\|\\\?\?\\)|[\0\n\r]/.test(asked)

const immuneSafety = ({ request, context, subjects }: Case): Decision | undefined => {
  const places = { cwd: request.cwd ?? context.cwd.path, home: context.home, workingDirs: context.workingDirs }
  for (const subject of subjects) {
    if ((subject.kind === "read" || subject.kind === "edit") && isUnsafeForm(subject.asked)) {
      return safety("unsafePath", `${subjectText(subject, request.tool.name)} is refused: the path has an unsafe form`)
    }
    const damage = subject.kind === "shell" ? disaster(subject.reach, places) : undefined
    if (damage !== undefined) return safety("criticalPath", damage)
  }
  return undefined
}

const protectedIn = (place: Location, { configHome }: PermissionContext): string | undefined =>
  formsOf(place)
    .map((path) => protectedClass(path, configHome))
    .find((found) => found !== undefined)

const writtenPlaces = (subject: Subject): ReadonlyArray<Location> => {
  if (subject.kind === "edit") return [subject.place]
  return subject.kind === "shell"
    ? subject.touches.filter(({ access }) => access !== "read").map(({ place }) => place)
    : []
}

/** No allow rule lifts this; bypass mode does, and so it stands after it. */
const protectedWrite = ({ context, subjects }: Case): Decision | undefined => {
  for (const place of subjects.flatMap(writtenPlaces)) {
    const found = protectedIn(place, context)
    if (found !== undefined) {
      return safety("protectedPath", `${place.path} can change how tools behave (${found})`, place.path)
    }
  }
  return undefined
}

const bypass = ({ context }: Case): Decision | undefined =>
  effectiveMode(context) === "bypassPermissions"
    ? decision("allow", { type: "mode", mode: "bypassPermissions", sentence: modeSentence("bypassPermissions") })
    : undefined

const isReadableInternal = (place: Location, context: PermissionContext): boolean =>
  formsOf(place).every((path) => isInsideAny(context.readableDirs, path))

const harmless = (subject: Subject, { context }: Case): Decision | undefined => {
  if (subject.kind === "nothing") {
    return decision("allow", { type: "readOnly", sentence: "The call touches nothing outside the conversation" })
  }
  if (subject.kind !== "read" || !subject.known) return undefined
  if (isReadableInternal(subject.place, context)) {
    return decision("allow", { type: "readOnly", sentence: "The file belongs to this session" })
  }
  return isWithin(context.workingDirs, subject.place) && !isSecretPlace(subject.place, context)
    ? decision("allow", { type: "readOnly", sentence: "Reading inside the working directories" })
    : undefined
}

const acceptedEdit = (subject: Subject, { context }: Case): Decision | undefined =>
  subject.kind === "edit" &&
  effectiveMode(context) === "acceptEdits" &&
  subject.known &&
  isWithin(context.workingDirs, subject.place)
    ? decision("allow", { type: "mode", mode: "acceptEdits", sentence: modeSentence("acceptEdits") })
    : undefined

/** In plan mode commands are asked about one by one, whatever the rules say. */
const ruleMayAllow = (subject: Subject, { request, context }: Case): boolean =>
  effectiveMode(context) !== "plan" ||
  subject.kind === "read" ||
  subject.kind === "fetch" ||
  request.tool.readOnly === true

const allowedByRule = (subject: Subject, decided: Case): Decision | undefined => {
  if (!ruleMayAllow(subject, decided)) return undefined
  const { request, context } = decided
  const allowing = context.rules.filter((rule) => rule.behavior === "allow" && permits(rule, subject, request))
  const rule = firstBySource(allowing)
  return rule === undefined ? undefined : byRule(rule)
}

const askAbout = (subject: Subject, { request, context }: Case): Decision => {
  const text = subjectText(subject, request.tool.name)
  const secret = coveredSecret(subject, context)
  if (secret !== undefined) return safety("secretFile", `${text} may show secrets (${secret.path})`, secret.path)
  const isPath = subject.kind === "read" || subject.kind === "edit"
  if (isPath && !isWithin(context.workingDirs, subject.place)) {
    const sentence = `${text} needs approval: ${outsideSentence(subject.place, context.workingDirs)}`
    return { ...decision("ask", { type: "workingDir", sentence }), blockedPath: subject.place.path }
  }
  if (isPath && !subject.known) {
    return decision("ask", { type: "other", sentence: `${text} needs approval: the path could not be examined` })
  }
  const mode = effectiveMode(context)
  return mode === "plan"
    ? decision("ask", { type: "mode", mode, sentence: `${text} needs approval: ${modeSentence("plan")}` })
    : decision("ask", { type: "other", sentence: `${text} needs approval: no rule allows it` })
}

/** A link leads to two places at once, which no single rule covers: there is no way to allow it for good. */
const withRemedy = (asked: Decision, subject: Subject, { request }: Case): Decision => {
  const isLink = (subject.kind === "read" || subject.kind === "edit") && subject.place.path !== subject.place.realPath
  if (isLink) return asked
  const remedy = needRemedy(asked, subject, request.tool.name)
  return { ...asked, about: needOf(subject), ...(remedy === undefined ? {} : { remedy }) }
}

/** Every need must be covered; the first one that is not decides the question. */
const perNeed = (decided: Case): Decision | undefined => {
  let last: Decision | undefined
  for (const subject of decided.subjects) {
    last = harmless(subject, decided) ?? acceptedEdit(subject, decided) ?? allowedByRule(subject, decided)
    if (last === undefined) return withRemedy(askAbout(subject, decided), subject, decided)
  }
  return last
}

const STEPS: ReadonlyArray<Step> = [
  { name: "denyRules", decide: (decided) => restricting(decided, "deny") },
  { name: "planMode", decide: planRefusal },
  { name: "askRules", decide: (decided) => restricting(decided, "ask") },
  { name: "possibleDeny", decide: possibleDeny },
  { name: "interaction", decide: interaction },
  { name: "immuneSafety", decide: immuneSafety },
  { name: "bypass", decide: bypass },
  { name: "protectedPaths", decide: protectedWrite },
  { name: "needs", decide: perNeed }
]

const runSteps = (decided: Case): Decision => {
  const trace: Array<TraceStep> = []
  for (const { name, decide: step } of STEPS) {
    const found = step(decided)
    trace.push({ step: name, result: found === undefined ? "pass" : "hit" })
    if (found !== undefined) return { ...found, trace }
  }
  return { verdict: "ask", reason: { type: "other", sentence: "Nothing allows the call" }, trace }
}

export const decide = (request: PermissionRequest): Decision => {
  const { context } = request
  const found = runSteps({ request, context, subjects: subjectsOf(request) })
  if (found.verdict !== "ask" || context.mode !== "dontAsk") return found
  const sentence = `${found.reason.sentence}; ${modeSentence("dontAsk")}`
  return { ...found, verdict: "deny", reason: { ...found.reason, sentence } }
}

/** The rule that takes a whole tool away from the model; such tools are not offered at all. */
export const removedBy = (context: PermissionContext, tool: DecidedTool): Rule | undefined =>
  context.rules.find((rule) => rule.behavior === "deny" && rule.specifier === undefined && matchesTool(rule, tool))
