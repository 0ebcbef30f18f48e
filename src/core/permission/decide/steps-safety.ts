import { ask, type DecisionContext, immuneAsk, isShell } from "./decision-context.ts"
import { protectedSentence, subjectText } from "./explain.ts"
import { visible } from "../../domain/text/visible-text.ts"
import { belowFact } from "../facts.ts"
import { coveringPathRule } from "../rules/match-path.ts"
import { inputField } from "../rules/match-tool.ts"
import { pathVariants, isInside, type Location } from "../../domain/path/path-components.ts"
import { definesBehaviour, protectedClass } from "../rules/sensitive-paths.ts"
import { pathForm } from "../bash/touches/path-touch.ts"
import type { ShellSubject, Subject, Touched } from "./request-subjects.ts"
import type { Decision } from "../verdict.ts"

/** Checks that no allow rule lifts: questions for the user, disasters, unsafe forms, protected places, riddles. */
export const interaction = ({ request, subjects }: DecisionContext): Decision | undefined =>
  subjects.some(({ kind }) => kind === "interaction") && request.hook?.answers !== true
    ? immuneAsk("requiresInteraction", `${request.tool.name} always asks the user`)
    : undefined

/** Paths as the model wrote them: seen from the current directory some forms look harmless. */
const givenPaths = (input: unknown): ReadonlyArray<string> =>
  ["file_path", "notebook_path", "path"].flatMap((field) => inputField(input, field) ?? [])

const unsafeForm = (subject: Subject, { request, context }: DecisionContext): Decision | undefined => {
  const refusal = (what: string, asked: string) => ({
    ...immuneAsk("unsafePath", `${what} is refused: the path has an unsafe form`),
    blockedPath: asked
  })
  if (subject.kind === "read" || subject.kind === "edit") {
    const found = [subject.asked, ...givenPaths(request.input)].find((path) => pathForm(path, context.platform) === "unsafe")
    return found === undefined ? undefined : refusal(subjectText(subject, request.tool.name), found)
  }
  if (!isShell(subject)) return undefined
  const found = subject.parts.flatMap(({ touched }) => touched).find(({ touch }) => touch.form === "unsafe")
  return found === undefined ? undefined : refusal(`Touching ${visible(found.touch.asked)}`, found.touch.asked)
}

export const immuneSafety = (decided: DecisionContext): Decision | undefined => {
  const { request, subjects } = decided
  for (const subject of subjects) {
    const damage = isShell(subject) ? subject.analysis.critical : undefined
    if (damage !== undefined) return immuneAsk("criticalPath", damage)
    const unsafe = unsafeForm(subject, decided)
    if (unsafe !== undefined) return unsafe
  }
  return request.hook?.verdict === "ask" ? immuneAsk("hook", request.hook.reason) : undefined
}

const isOwn = (context: DecisionContext["context"], place: Location): boolean =>
  context.editablePaths.some((own) => pathVariants(place).every((form) => isInside(own, form)))

/** The user lifted the question for files below `.claude` that do not say what may run, for this session. */
const isGranted = (place: Location, context: DecisionContext["context"]): boolean =>
  pathVariants(place).every((form) => !definesBehaviour(form)) &&
  coveringPathRule("Edit", place, context, ({ rule }) => rule.source === "session" && isOwnSettings(rule.specifier)) !==
    undefined

const isOwnSettings = (specifier: string | undefined): boolean => /(?:^|\/)\.claude\/\*\*$/.test(specifier ?? "")

const classOf = (place: Location, { context }: DecisionContext): string | undefined => {
  if (isOwn(context, place)) return undefined
  const found = pathVariants(place)
    .map((path) => protectedClass(path, context.configHome))
    .find((kind) => kind !== undefined)
  return found === undefined || isGranted(place, context) ? undefined : found
}

interface Written {
  readonly place: Location
  /** Only read, but what is inside appears elsewhere. */
  readonly isSource?: true
  /** What is inside goes with it: protected things in there, as far as somebody looked. */
  readonly within: ReadonlyArray<string>
}

const writtenBy = ({ touch, place, expanded }: Touched, { request }: DecisionContext): ReadonlyArray<Written> => {
  if (touch.access === "read" && touch.copied !== true) return []
  const places = place === undefined ? expanded : [place, ...expanded]
  return places.map((one) => {
    const below = belowFact(request.facts, one.path)
    const isWhole = touch.access !== "write" && touch.recursive
    const within = isWhole ? (below?.protectedPaths ?? []) : []
    return { place: one, within, ...(touch.access === "read" ? { isSource: true } : {}) }
  })
}

const writesOf = (subject: Subject, decided: DecisionContext): ReadonlyArray<Written> => {
  if (subject.kind === "edit") return [{ place: subject.place, within: [] }]
  return isShell(subject) ? subject.parts.flatMap(({ touched }) => touched.flatMap((one) => writtenBy(one, decided))) : []
}

const protectedWrite = (decided: DecisionContext): Decision | undefined => {
  for (const { place, within, isSource } of decided.subjects.flatMap((subject) => writesOf(subject, decided))) {
    const [inner] = within
    const kind =
      (isSource === true ? undefined : classOf(place, decided)) ??
      (inner === undefined ? undefined : `holds ${visible(inner)}`)
    if (kind === undefined) continue
    return { ...ask("protectedPath", protectedSentence(place.path, kind)), blockedPath: place.path }
  }
  return undefined
}

const riddle = (subject: ShellSubject, { request }: DecisionContext): Decision | undefined => {
  const { unparsable } = subject.analysis
  if (unparsable === undefined) return undefined
  const { parserProblem } = request.facts
  if (parserProblem !== undefined) return ask("parse", parserProblem)
  return ask(unparsable.kind === "limit" ? "analysisLimit" : "parse", visible(unparsable.sentence))
}

/** Not for allow rules to lift; bypass mode does, unless a setting keeps it from protected places. */
export const safety = (decided: DecisionContext): Decision | undefined => {
  const isBypassed = decided.mode === "bypassPermissions"
  if (!isBypassed || decided.context.bypassProtectedPaths === "ask") {
    const found = protectedWrite(decided)
    if (found !== undefined) return { ...found, classifierApprovable: true }
  }
  if (isBypassed) return undefined
  for (const subject of decided.subjects.filter(isShell)) {
    const found = riddle(subject, decided)
    if (found !== undefined) return { ...found, classifierApprovable: true }
  }
  return undefined
}
