import { decisionOfRule, type DecisionContext, immuneAsk, isSandboxAllowed, isShell } from "./decision-context.ts"
import { holdsSentence, mayHoldSentence, modeSentence, PLAN_REMEDY, possibleDenySentence, subjectText } from "./explain.ts"
import { belowFact, type CallFacts, MOST_FOUND_BELOW } from "../facts.ts"
import { firingCommandRule, possibleCommandRule } from "../rules/match-command.ts"
import { firingPathRule, isCoveredSecret } from "../rules/match-path.ts"
import { matchesHost, matchesName, matchesParameter, matchesTool } from "../rules/match-tool.ts"
import { componentsOf, factAbout, isInside, locationOf, type Location } from "../../domain/path/path-components.ts"
import { firstRanked, type Ranked, type RankedCommand, ruleIndex } from "../rules/rule-index.ts"
import type { Rule } from "../rule.ts"
import type { ShellPart } from "../bash/shell-analysis.ts"
import type { ShellSubject, Subject, Touched } from "./request-subjects.ts"
import { reachesBelow, secretSentence } from "./touch-check.ts"
import type { Decision } from "../verdict.ts"
import { matchesPieces, starPieces } from "../../domain/text/wildcard.ts"

/** Everything that says no because of a rule or the plan: deny rules, plan mode, ask rules, possible denials. */
type Restricting = "deny" | "ask"

/** A content rule about commands speaks for Bash and for the tool it names. */
const speaksOfCommand =
  ({ request }: DecisionContext) =>
  ({ rule }: RankedCommand): boolean =>
    rule.tool === "Bash" || matchesTool(rule, request.tool)

/** The whole text counts too: a rule may spell a list of commands. */
const wholeText = ({ command }: ShellSubject) => ({ text: command.trim(), starts: [0] })

const commandRules = (decided: DecisionContext, behavior: Restricting): ReadonlyArray<Ranked> => {
  const shelf = ruleIndex(decided.context)[behavior].commands
  if (shelf.all.length === 0) return []
  const applies = speaksOfCommand(decided)
  return decided.subjects
    .filter(isShell)
    .flatMap((subject) =>
      [wholeText(subject), ...subject.analysis.parts.flatMap(({ candidates }) => candidates)].flatMap(
        (candidate) => firingCommandRule(shelf, candidate, applies) ?? []
      )
    )
}

/** What is touched through a word: the place itself, and what a glob stands for. */
const placesOf = ({ place, expanded }: Touched): ReadonlyArray<Location> =>
  place === undefined ? expanded : [place, ...expanded]

/** A path that must not be read must not be written either; nobody knows what `maybe` does with it. */
const toolsAbout = (access: Touched["touch"]["access"]): ReadonlyArray<string> =>
  access === "read" ? ["Read"] : ["Edit", "Read"]

interface RestrictedPlace {
  readonly place: Location
  readonly tools: ReadonlyArray<string>
}

const restrictedPlaces = (subject: Subject, behavior: Restricting): ReadonlyArray<RestrictedPlace> => {
  switch (subject.kind) {
    case "read":
      return [{ place: subject.place, tools: ["Read"] }]
    case "edit":
      return [{ place: subject.place, tools: behavior === "deny" ? ["Edit", "Read"] : ["Edit"] }]
    case "shell":
      return subject.parts.flatMap(({ touched }) =>
        touched.flatMap((one) => placesOf(one).map((place) => ({ place, tools: toolsAbout(one.touch.access) })))
      )
    case "fetch":
    case "nothing":
    case "interaction":
    case "other":
      return []
  }
}

const pathRules = (
  { subjects, context, request: { facts } }: DecisionContext,
  behavior: Restricting
): ReadonlyArray<Ranked> => {
  const { paths } = ruleIndex(context)[behavior]
  if (paths.entries.size === 0 && paths.patterns.length === 0) return []
  return subjects
    .flatMap((subject) => restrictedPlaces(subject, behavior))
    .flatMap(({ place, tools }) => firingPathRule(behavior, place, { tools, context, facts }) ?? [])
}

const touches = (subject: ShellSubject, accesses: ReadonlyArray<string>): boolean =>
  subject.parts.some(({ part }) => part.touches.some(({ access }) => accesses.includes(access)))

/** Bare `Read` and `Edit` cover what does the same under another name; bare `Bash` whatever runs commands. */
const coversSubject = ({ tool }: Rule, subject: Subject): boolean => {
  if (tool === "Bash") return subject.kind === "shell"
  if (tool === "Read") return subject.kind === "read" || (isShell(subject) && touches(subject, ["read"]))
  if (tool === "Edit") return subject.kind === "edit" || (isShell(subject) && touches(subject, ["write", "remove"]))
  return false
}

/** An ask about every command is answered by the sandbox, where the user chose that. */
const isLifted = (decided: DecisionContext, { behavior, tool }: Rule): boolean =>
  behavior === "ask" &&
  tool === "Bash" &&
  decided.subjects.every((subject) => isShell(subject) && isSandboxAllowed(decided, subject))

const toolRules = (decided: DecisionContext, behavior: Restricting): ReadonlyArray<Ranked> =>
  ruleIndex(decided.context)[behavior].tools.filter(
    ({ rule }) =>
      (matchesTool(rule, decided.request.tool) || decided.subjects.some((subject) => coversSubject(rule, subject))) &&
      !isLifted(decided, rule)
  )

const inputRules = ({ request, context }: DecisionContext, behavior: Restricting): ReadonlyArray<Ranked> =>
  ruleIndex(context)[behavior].inputs.filter(
    ({ rule }) =>
      matchesTool(rule, request.tool) && (matchesName(rule, request.input) || matchesParameter(rule, request.input))
  )

const domainRules = ({ subjects, context }: DecisionContext, behavior: Restricting): ReadonlyArray<Ranked> => {
  const hosts = subjects.flatMap((subject) => (subject.kind === "fetch" ? [subject.host] : []))
  if (hosts.length === 0) return []
  return ruleIndex(context)[behavior].domains.filter(({ rule }) =>
    hosts.some((host) => matchesHost(rule.specifier ?? "", host))
  )
}

/** The deny or ask rule that fires, over every representation of the input. */
export const restricting = (decided: DecisionContext, behavior: Restricting): Decision | undefined => {
  const found = firstRanked([
    ...toolRules(decided, behavior),
    ...inputRules(decided, behavior),
    ...domainRules(decided, behavior),
    ...commandRules(decided, behavior),
    ...pathRules(decided, behavior)
  ])
  return found === undefined ? undefined : decisionOfRule(found.rule)
}

const readPlaces = (subject: Subject): ReadonlyArray<Location> => {
  if (subject.kind === "read") return [subject.place]
  return isShell(subject)
    ? subject.parts.flatMap(({ touched }) =>
        touched.filter(({ touch }) => touch.access === "read" || touch.access === "maybe").flatMap(placesOf)
      )
    : []
}

/** A setting may close files that probably hold secrets as a deny rule would. */
export const secretDenial = ({ context, subjects }: DecisionContext): Decision | undefined => {
  if (context.secretFiles !== "deny") return undefined
  const secret = subjects.flatMap(readPlaces).find((place) => isCoveredSecret(place, context))
  if (secret === undefined) return undefined
  const sentence = `${secretSentence(secret.path)}, and nacre.secretFiles is "deny"`
  return { verdict: "deny", reason: { type: "secretFile", sentence }, blockedPath: secret.path }
}

const isEditable = ({ editablePaths }: DecisionContext["context"], { path, realPath }: Location): boolean =>
  editablePaths.some((allowed) => isInside(allowed, path) && isInside(allowed, realPath))

/** Plan mode changes nothing: files stay as they are, and so do servers that do not promise to only read. */
export const planRefusal = ({ request, context, subjects, mode }: DecisionContext): Decision | undefined => {
  if (mode !== "plan") return undefined
  const isMutatingServer = request.tool.name.startsWith("mcp__") && request.tool.readOnly !== true
  const refused = subjects.find(
    (subject) =>
      (subject.kind === "edit" && !isEditable(context, subject.place)) || (subject.kind === "other" && isMutatingServer)
  )
  if (refused === undefined) return undefined
  const sentence = `${subjectText(refused, request.tool.name)} is refused: ${modeSentence("plan")}`
  return { verdict: "deny", reason: { type: "plan", sentence }, remedy: PLAN_REMEDY }
}

const firstPathRule = ({ context }: DecisionContext, tools: ReadonlyArray<string>): Rule | undefined =>
  context.rules.find(
    ({ behavior, specifier, tool }) => behavior !== "allow" && specifier !== undefined && tools.includes(tool)
  )

const possible = (word: string, rule: Rule): Decision => immuneAsk("possibleDeny", possibleDenySentence(word, rule))

const possibleCommand = (decided: DecisionContext, part: ShellPart): Decision | undefined => {
  const index = ruleIndex(decided.context)
  const applies = speaksOfCommand(decided)
  for (const shelf of [index.deny.commands, index.ask.commands]) {
    for (const candidate of part.candidates) {
      const found = possibleCommandRule(shelf, candidate, applies)
      if (found !== undefined) return possible(part.dynamicProgram ?? part.text, found.rule)
    }
    const [any] = shelf.all.filter(applies)
    if (part.dynamicProgram !== undefined && any !== undefined) return possible(part.dynamicProgram, any.rule)
  }
  return undefined
}

const possiblePath = (decided: DecisionContext, { part, touched }: ShellSubject["parts"][number]): Decision | undefined => {
  for (const { touch, place, known } of touched) {
    const isUnknown = place === undefined || (touch.glob !== undefined && !known)
    const rule = isUnknown ? firstPathRule(decided, toolsAbout(touch.access)) : undefined
    if (rule !== undefined) return possible(touch.asked, rule)
  }
  const hidden = part.dynamicOperand ?? part.dynamicProgram
  const rule = hidden === undefined ? undefined : firstPathRule(decided, ["Read", "Edit"])
  return rule === undefined || hidden === undefined ? undefined : possible(hidden, rule)
}

const isNamed = ({ namesLike }: Touched["touch"], path: string): boolean =>
  namesLike === undefined || matchesPieces(starPieces(namesLike, true), componentsOf(path).at(-1) ?? "")

/** A word that could have been a revision names something that is there. */
const isAboutNamed = ({ unlessThere }: Touched["touch"], { paths }: CallFacts): boolean =>
  unlessThere?.some((path) => factAbout(paths, path)?.exists === true) === true

interface Below {
  readonly paths: ReadonlyArray<string>
  /** Everything that rules name was seen. */
  readonly isWhole: boolean
}

const NOTHING_BELOW: Below = { paths: [], isWhole: true }

/** What rules name below a touched directory, as far as somebody looked. */
const watchedBelow = (path: string, { tracked }: Touched["touch"], facts: CallFacts): Below => {
  if (tracked === true) {
    const known = facts.tracked?.find((fact) => fact.path === path)
    return known === undefined ? NOTHING_BELOW : { paths: known.watched ?? [], isWhole: known.watched !== undefined }
  }
  const below = belowFact(facts, path)
  return below === undefined ? NOTHING_BELOW : { paths: below.watched, isWhole: below.watchedAll }
}

/** A directory is taken as a whole, and a rule names something in it. */
const restrictedBelow = (
  decided: DecisionContext,
  { part, touched }: ShellSubject["parts"][number]
): Decision | undefined => {
  const { context, request } = decided
  for (const { touch, place } of touched) {
    if (place === undefined || !reachesBelow(part, touch) || isAboutNamed(touch, request.facts)) continue
    const given = { tools: toolsAbout(touch.access), context, facts: request.facts }
    const { paths, isWhole } = watchedBelow(place.path, touch, request.facts)
    // A list that was cut may go on with what is named.
    const isCut = paths.length >= MOST_FOUND_BELOW
    for (const path of paths) {
      if (!isCut && !isNamed(touch, path)) continue
      const inner = locationOf(path)
      const found = firingPathRule("deny", inner, given) ?? firingPathRule("ask", inner, given)
      if (found !== undefined) return immuneAsk("possibleDeny", holdsSentence(place.path, path, found.rule))
    }
    const unseen = isWhole ? undefined : firstPathRule(decided, given.tools)
    if (unseen !== undefined) return immuneAsk("possibleDeny", mayHoldSentence(place.path, unseen))
  }
  return undefined
}

/** A text that was not understood could be anything that a rule about commands or paths names. */
const possibleAnything = (decided: DecisionContext, { analysis }: ShellSubject): Decision | undefined => {
  if (analysis.unparsable === undefined || analysis.unparsable.kind === "limit") return undefined
  const applies = speaksOfCommand(decided)
  const index = ruleIndex(decided.context)
  const [command] = [...index.deny.commands.all, ...index.ask.commands.all].filter(applies)
  const rule = command?.rule ?? firstPathRule(decided, ["Read", "Edit"])
  return rule === undefined ? undefined : possible("The command", rule)
}

/** A part known only at run time could be what a deny or ask rule names. */
export const possibleDeny = (decided: DecisionContext): Decision | undefined => {
  for (const subject of decided.subjects.filter(isShell)) {
    const whole = possibleAnything(decided, subject)
    if (whole !== undefined) return whole
    for (const one of subject.parts) {
      const found = possibleCommand(decided, one.part) ?? possiblePath(decided, one) ?? restrictedBelow(decided, one)
      if (found !== undefined) return found
    }
  }
  return undefined
}
