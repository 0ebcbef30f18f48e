import { Effect } from "effect"
import type { Look } from "../../core/context/sources/source.ts"
import type { Command } from "../../core/loop/machine/command.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { step } from "../../core/loop/step.ts"
import type { ModelRequest } from "../../core/model/request/model-request.ts"

/** The loop is asked for the next request, and what it wants done for it is answered as if it had been done. */
export interface Rehearsal {
  /** The conversation with the prompt and whatever joins it. */
  readonly state: AgentState
  readonly request: ModelRequest
}

export type Collect<R> = (command: Extract<Command, { _tag: "CollectContext" }>) => Effect.Effect<Look, never, R>

const answerTo = <R>(command: Command, collect: Collect<R>): Effect.Effect<ReadonlyArray<Occurrence>, never, R> => {
  switch (command._tag) {
    case "Persist":
      return Effect.succeed(command.ack === undefined ? [] : [{ _tag: "Persisted", ack: command.ack }])
    case "RunHooks":
      return Effect.succeed([{ _tag: "HooksSettled", hookId: command.hookId, outcome: {} }])
    case "CollectContext": {
      const { collectId } = command
      return Effect.map(collect(command), (look) => [{ _tag: "ContextRead", collectId, look, isLast: true, failed: [] }])
    }
    default:
      return Effect.succeed([])
  }
}

interface Stage<R> {
  readonly at: number
  readonly collect: Collect<R>
}

/** What would be sent for a prompt; undefined when something else comes first, as room has to be made. */
export const rehearse = Effect.fnUntraced(function* <R>(state: AgentState, prompt: string, { at, collect }: Stage<R>) {
  const waiting: Array<Occurrence> = [
    {
      _tag: "PromptSubmitted",
      uuid: crypto.randomUUID(),
      content: prompt,
      priority: "next",
      origin: "human",
      appendOnly: false
    }
  ]
  let current = state
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [stepped, commands] = step(current, { ...next, at })
    current = stepped
    const sent = commands.find((command) => command._tag === "StartRequest")
    if (sent?._tag === "StartRequest") return { state: current, request: sent.request }
    for (const command of commands) waiting.push(...(yield* answerTo(command, collect)))
  }
  return undefined
})
