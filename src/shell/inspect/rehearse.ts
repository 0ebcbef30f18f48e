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

const answerTo = (command: Command, look: Look): Occurrence | undefined => {
  if (command._tag === "CollectContext") return { _tag: "ContextRead", collectId: command.collectId, look }
  if (command._tag === "Persist" && command.ack !== undefined) return { _tag: "Persisted", ack: command.ack }
  return command._tag === "RunHooks" ? { _tag: "HooksSettled", hookId: command.hookId, outcome: {} } : undefined
}

/** What is put to the loop, when, and what the sources of context would show it. */
export interface RehearsedPrompt {
  readonly prompt: string
  readonly at: number
  readonly look: Look
}

/** What would be sent for a prompt; undefined when something else comes first, as room has to be made. */
export const rehearse = (state: AgentState, { prompt, at, look }: RehearsedPrompt): Rehearsal | undefined => {
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
    waiting.push(...commands.flatMap((command) => answerTo(command, look) ?? []))
  }
  return undefined
}
