import { Effect } from "effect"
import type { Keyboard } from "../../process/keyboard.ts"
import { readPromptFromStdin } from "../../process/stdin.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"

/** What the first session of a start is made from. */

/** The first prompt: the argument, then what was piped in. */
export const firstPrompt = Effect.fnUntraced(function* ({ start }: SessionPlan, keyboard: Keyboard) {
  if (!keyboard.stdinIsText) return start.prompt
  const piped = yield* readPromptFromStdin(start.prompt !== undefined)
  const text = piped._tag === "Text" ? piped.text.trim() : ""
  if (text === "") return start.prompt
  return start.prompt === undefined ? text : `${start.prompt}\n${text}`
})

/** `--resume` without a name: the browser opens over an empty session. */
export const browses = ({ start: { session } }: SessionPlan): boolean =>
  session.from._tag === "Resume" && session.from.session === undefined

export const firstPlan = (plan: SessionPlan): SessionPlan =>
  browses(plan) ? { ...plan, start: { ...plan.start, session: { ...plan.start.session, from: { _tag: "New" } } } } : plan
