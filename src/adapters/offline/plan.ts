/** Which source determines the behaviour, and where in its plan the turn has come to. */
import { Result } from "effect"
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import { report, describeCalls } from "./answer.ts"
import { humanPrompts, type PastResponse, readTurn, type Turn } from "./conversation.ts"
import { parseDirectives } from "./directives.ts"
import { always, type Entry, type Plan, type Step } from "./entry.ts"
import { extractionSteps } from "./extraction.ts"
import { isTrace } from "./faults.ts"
import { chapterOf, guidedTour } from "./guided-tour.ts"
import { help, nothingMore, notOffered, unreadableScript } from "./help.ts"
import { phraseSteps } from "./phrases.ts"
import { parseScript } from "./script.ts"
import { SIDE_ANSWERS, type SideSource } from "./special.ts"
import { isTour, tour } from "./tour.ts"

const FENCED_SCRIPT = /^(`{3,}|~{3,})[ \t]*offline[ \t]*\r?\n([\s\S]*?)^\1[ \t]*\r?$/m

const saying = (text: string, origin: string): Plan => ({
  steps: [always({ text })],
  closing: nothingMore,
  checksTools: false,
  origin
})

const scripted = (entries: ReadonlyArray<Entry>, origin: string): Plan => ({
  steps: entries.map(always),
  closing: report,
  checksTools: false,
  origin
})

const fromScript = (script: string): Plan =>
  Result.match(parseScript(script), {
    onFailure: (reason) => saying(unreadableScript(reason), script),
    onSuccess: ({ main = [] }) => scripted(main, script)
  })

const spoken = (turn: Turn, chapter: number | undefined): Plan => {
  if (chapter !== undefined) return guidedTour(turn, chapter)
  if (isTour(turn.prompt)) return tour(turn)
  const steps = phraseSteps(turn)
  if (steps === undefined) return saying(help(turn), turn.prompt)
  return { steps, closing: describeCalls, checksTools: true, origin: turn.prompt }
}

/** Responses with calls so far: what a plan from a sentence counts, its answer coming last. */
const rounds = (turn: Turn): number => turn.responses.filter((response) => response.mark?.kind === "call").length

/** The n-th entry changes how the n-th response of the plan is delivered. */
const modified = (plan: Plan, entries: ReadonlyArray<Entry>, origin: string): Plan => {
  const answer: Step = (turn) => (rounds(turn) === 0 ? undefined : { text: plan.closing(turn) })
  return {
    ...plan,
    origin,
    steps: [...plan.steps, answer].map((step): Step => (turn) => {
      const entry = step(turn)
      return entry === undefined ? undefined : { ...entry, ...entries[rounds(turn)] }
    })
  }
}

const fromPrompt = (turn: Turn, chapter: number | undefined): Plan => {
  const directives = parseDirectives(turn.prompt)
  if (Result.isFailure(directives)) return saying(unreadableScript(directives.failure), turn.prompt)
  const { entries, lines, modifies, rest } = directives.success
  if (lines === 0) return spoken(turn, chapter)
  return modifies
    ? modified(spoken({ ...turn, prompt: rest }, chapter), entries, turn.prompt)
    : scripted(entries, turn.prompt)
}

/** A script in the prompt is nearer than the script of the environment, so that scripted agents can be told apart. */
const planFor = (turn: Turn, script: string | undefined, chapter: number | undefined): Plan => {
  const fenced = FENCED_SCRIPT.exec(turn.prompt)?.[2]
  if (fenced !== undefined) return fromScript(fenced)
  return script === undefined || script.trim() === "" ? fromPrompt(turn, chapter) : fromScript(script)
}

interface Place {
  readonly index: number
  /** Responses in the history that faults left of this entry. */
  readonly traces: number
  readonly searched: boolean
}

const START: Place = { index: 0, traces: 0, searched: false }

const advance = (place: Place, response: PastResponse, plan: Plan, turn: Turn): Place => {
  const { mark } = response
  if (mark?.kind === "search") return { index: mark.index, traces: 0, searched: true }
  if (mark?.kind === "malformed") return { index: mark.index, traces: place.traces + 1, searched: false }
  if (mark !== undefined) return { ...START, index: mark.index + 1 }
  const entry = plan.steps[place.index]?.(turn)
  if (entry !== undefined && isTrace(entry, response, place.traces)) return { ...place, traces: place.traces + 1 }
  return { ...START, index: place.index + 1 }
}

/** Where the next response stands: after those in the history, past steps that leave themselves out. */
const locate = (plan: Plan, turn: Turn): Place => {
  const place = turn.responses.reduce((current, response) => advance(current, response, plan, turn), START)
  const next = plan.steps.findIndex((step, index) => index >= place.index && step(turn) !== undefined)
  if (next === place.index) return place
  return { ...START, index: next < 0 ? plan.steps.length : next }
}

interface Due extends Place {
  readonly entry: Entry
  readonly kind: "call" | "search"
}

const entryAt = (plan: Plan, place: Place, turn: Turn): Pick<Due, "entry" | "kind"> => {
  const entry = plan.steps[place.index]?.(turn)
  if (entry === undefined) return { entry: { text: plan.closing(turn) }, kind: "call" }
  if (!plan.checksTools) return { entry, kind: "call" }
  const names = [...new Set((entry.tools ?? []).map((call) => call.name))]
  const missing = names.filter((name) => !turn.offered.has(name))
  if (missing.length === 0) return { entry, kind: "call" }
  if (place.searched || !turn.offered.has("ToolSearch")) {
    return { entry: { text: notOffered(missing, turn) }, kind: "call" }
  }
  const tools = [{ name: "ToolSearch", input: { query: `select:${missing.join(",")}` } }]
  return { entry: { text: `Looking for ${missing.join(", ")}.`, tools }, kind: "search" }
}

export interface Decided {
  readonly due: Due
  readonly turn: Turn
  readonly origin: string
}

interface PlanOptions {
  readonly script?: string | undefined
  readonly hasPanes?: boolean
  readonly windowTokens: number
}

const decideSide = (source: SideSource, request: ModelRequest, { script, windowTokens }: PlanOptions): Decided => {
  const turn = readTurn(request)
  const scripts = script === undefined ? undefined : Result.getOrElse(parseScript(script), () => undefined)
  const entry = scripts?.[source]?.[0] ?? { text: SIDE_ANSWERS[source](request, windowTokens) }
  return { due: { ...START, entry, kind: "call" }, turn, origin: script ?? "" }
}

/** Whoever writes into the memory follows a script of its own, or looks for signs of what lasts. */
const extraction = (turn: Turn, script: string | undefined): Plan => {
  const scripts = script === undefined ? undefined : Result.getOrElse(parseScript(script), () => undefined)
  if (scripts?.memory_extract !== undefined) return scripted(scripts.memory_extract, script ?? "")
  const steps = extractionSteps(turn)
  return steps === undefined
    ? saying("nothing", turn.prompt)
    : { steps, closing: describeCalls, checksTools: false, origin: turn.prompt }
}

/** The response that is due for a request. */
export const decide = (request: ModelRequest, options: PlanOptions): Decided => {
  const turn = readTurn(request)
  if (request.source === "memory_extract") return placed(extraction(turn, options.script), turn)
  if (request.source !== "main") return decideSide(request.source, request, options)
  const chapter = options.hasPanes === true ? chapterOf(humanPrompts(request.messages).map(({ text }) => text)) : undefined
  const plan = planFor(turn, options.script, chapter)
  return placed(plan, turn)
}

const placed = (plan: Plan, turn: Turn): Decided => {
  const place = locate(plan, turn)
  return { due: { ...place, ...entryAt(plan, place, turn) }, turn, origin: plan.origin }
}
