import { type Handler, workOf } from "./handler.ts"
import type { HookEvent } from "./hook-event.ts"
import { mismatch } from "./matcher.ts"

export interface Occasion {
  readonly event: HookEvent
  /** What matchers are compared with; a tool is also known by its former names. */
  readonly subject: string | undefined
  /** Whether a condition speaks of the call; absent where there is none. */
  readonly holds?: (condition: string) => boolean
}

export interface Choice {
  readonly handler: Handler
  /** Why it does not run. */
  readonly why?: string
}

const whyNot = ({ event, subject, holds }: Occasion, handler: Handler): string | undefined => {
  if (handler.event !== event) return `it is for ${handler.event}`
  const unlike = mismatch(handler.pattern, subject)
  if (unlike !== undefined) return unlike
  const { condition } = handler
  if (condition === undefined) return undefined
  return holds?.(condition) === true ? undefined : `"if": ${condition} does not speak of this call`
}

/** Every handler with why it does not run, if it does not. What is written down twice runs once. */
export const chooseHandlers = (handlers: ReadonlyArray<Handler>, occasion: Occasion): ReadonlyArray<Choice> => {
  const seen = new Set<string>()
  return handlers.map((handler): Choice => {
    const why = whyNot(occasion, handler)
    if (why !== undefined) return { handler, why }
    const work = workOf(handler)
    if (work === undefined) return { handler }
    if (seen.has(work)) return { handler, why: "the same handler runs already" }
    seen.add(work)
    return { handler }
  })
}
