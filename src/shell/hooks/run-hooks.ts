import { Effect } from "effect"
import { type Handler, labelOf, placeOf, sourceName } from "../../core/hooks/handler.ts"
import { type HookEvent, specOf, subjectOf } from "../../core/hooks/hook-event.ts"
import type { HookOutcome } from "../../core/hooks/outcome.ts"
import { type Answer, type RawAnswer, readAnswer } from "../../core/hooks/read-answer.ts"
import { type Choice, chooseHandlers } from "../../core/hooks/select.ts"
import { hookName } from "../../core/hooks/texts.ts"
import { outcomeOf } from "../../core/hooks/verdict.ts"
import { aboutCall } from "./about-call.ts"
import { hookInput } from "./hook-input.ts"
import type { Asker, HookFields, HookOccasion } from "./hooks.ts"

/** Handlers of one event from the choice to the verdict. */

export interface HookQuestion extends HookOccasion {
  readonly asker: Asker
  /** Those that are registered for the event, in the order in which they count. */
  readonly handlers: ReadonlyArray<Handler>
}

export interface HookRuns {
  readonly ask: (question: HookQuestion) => Effect.Effect<HookOutcome>
}

/** One handler that runs now. */
export interface Started {
  readonly asker: Asker
  readonly handler: Handler
  readonly event: HookEvent
  readonly fields: HookFields
  /** The event as one line of JSON. */
  readonly input: string
  readonly whole: HookFields
  readonly index: number
}

export interface RunHooksOptions {
  /** What makes a handler speak; it may take as long as it wants. */
  readonly start: (started: Started) => Effect.Effect<RawAnswer>
  /** Puts what is too long into a file. */
  readonly bound: (started: Started, text: string) => Effect.Effect<string>
  readonly note: (asker: Asker, text: string) => void
  readonly newId: () => string
}

const MOST_AT_ONCE = 16

const DEFAULT_MS: Readonly<Record<Handler["type"], number>> = {
  command: 600_000,
  http: 600_000,
  mcp_tool: 600_000,
  prompt: 30_000,
  agent: 60_000,
  callback: 60_000
}

const timeoutOf = ({ event, type, timeoutMs }: Handler): number =>
  timeoutMs ?? Math.min(specOf(event).timeoutMs ?? Number.POSITIVE_INFINITY, DEFAULT_MS[type])

const noteOf = (name: string, { handler, why }: Choice): string =>
  `${name}: ${labelOf(handler)} [${sourceName(handler.from)} ${placeOf(handler.from)}] ${why === undefined ? "runs" : `does not run: ${why}`}`

/** What the user sees of an answer, if anything. */
const noticesOf = (name: string, { from }: Handler, { message, problem }: Answer): ReadonlyArray<string> => [
  ...(problem === undefined ? [] : [`${name} hook error [${sourceName(from)} ${placeOf(from)}] ${problem}`]),
  ...(message === undefined ? [] : [`${name} hook: ${message}`])
]

const boundAnswer = (options: RunHooksOptions, started: Started, answer: Answer): Effect.Effect<Answer> =>
  Effect.gen(function* () {
    const bound = (text: string): Effect.Effect<string> => options.bound(started, text)
    const { said, effects } = answer
    const context = effects.additionalContext
    return {
      ...answer,
      ...(said === undefined ? {} : { said: yield* bound(said) }),
      ...(typeof context === "string" ? { effects: { ...effects, additionalContext: yield* bound(context) } } : {})
    }
  })

const printed = (raw: RawAnswer): { readonly stdout: string; readonly stderr: string; readonly code?: number } => {
  switch (raw._tag) {
    case "Exited":
      return { stdout: raw.stdout, stderr: raw.stderr, ...(raw.code === null ? {} : { code: raw.code }) }
    case "Replied":
      return { stdout: raw.body, stderr: "" }
    case "Failed":
      return { stdout: "", stderr: raw.why }
    case "Returned":
    case "Judged":
    case "TimedOut":
    case "InBackground":
      return { stdout: "", stderr: "" }
  }
}

/** Runs one handler in its time and reads what it says. */
const runOne = (
  options: RunHooksOptions,
  started: Started
): Effect.Effect<{ readonly answer: Answer; readonly raw: RawAnswer }> => {
  const { handler, index } = started
  const ms = timeoutOf(handler)
  return options.start(started).pipe(
    Effect.timeoutOrElse({ duration: ms, orElse: () => Effect.succeed<RawAnswer>({ _tag: "TimedOut", afterMs: ms }) }),
    Effect.flatMap((raw) =>
      Effect.map(boundAnswer(options, started, readAnswer({ handler, by: index }, raw)), (answer) => ({ answer, raw }))
    )
  )
}

/** Tells whoever watches that a handler begins and ends; one that is called off ends too. */
const watched = (options: RunHooksOptions, started: Started): Effect.Effect<Answer> => {
  const { asker, event, handler, whole } = started
  const name = hookName(event, subjectOf(event, whole))
  const about = {
    hookId: options.newId(),
    name,
    event,
    ...(handler.statusMessage === undefined ? {} : { status: handler.statusMessage })
  }
  return Effect.gen(function* () {
    asker.emit({ _tag: "HookStarted", ...about })
    const { answer, raw } = yield* runOne(options, started).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => asker.emit({ _tag: "HookEnded", ...about, outcome: "cancelled", stdout: "", stderr: "" }))
      )
    )
    const outcome = raw._tag === "TimedOut" ? "cancelled" : answer.ending === "error" ? "error" : "success"
    asker.emit({ _tag: "HookEnded", ...about, outcome, ...printed(raw) })
    for (const text of noticesOf(name, handler, answer))
      asker.emit({ _tag: "Notice", level: "warning", text, isForHosts: true })
    return answer
  })
}

export const makeHookRuns = (options: RunHooksOptions): HookRuns => {
  const chosenFor = ({ asker, event, fields, callId, handlers }: HookQuestion): ReadonlyArray<Handler> => {
    const subject = subjectOf(event, fields)
    const choices = chooseHandlers(handlers, {
      event,
      subject,
      holds: aboutCall(asker.state(), callId ?? fields["tool_use_id"])
    })
    for (const choice of choices) options.note(asker, noteOf(hookName(event, subject), choice))
    return choices.flatMap(({ handler, why }) => (why === undefined ? [handler] : []))
  }
  return {
    ask: (question) =>
      Effect.suspend(() => {
        const { asker, event, fields } = question
        const chosen = chosenFor(question)
        if (chosen.length === 0) return Effect.succeed({})
        const whole = hookInput(asker, event, fields)
        const input = JSON.stringify(whole)
        const answers: Array<Answer> = []
        return Effect.forEach(
          chosen,
          (handler, index) =>
            Effect.map(watched(options, { asker, handler, event, fields, input, whole, index }), (answer) => {
              answers.push(answer)
            }),
          { concurrency: MOST_AT_ONCE, discard: true }
        ).pipe(Effect.map(() => outcomeOf({ event, subject: subjectOf(event, fields), answers })))
      })
  }
}
