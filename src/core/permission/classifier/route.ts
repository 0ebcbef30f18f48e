import type { PermissionContext } from "../context.ts"
import { effectiveMode } from "../mode.ts"
import type { Need } from "../need.ts"
import type { Decision } from "../verdict.ts"
import { type ObjectionCount, tooManyObjections, NO_OBJECTIONS } from "./objections.ts"

/** Who answers for a call that was decided about. */
export type Route =
  /** The decision stands: it runs, it is refused, or somebody is asked. */
  | { readonly to: "decision" }
  | { readonly to: "allow" }
  | { readonly to: "classifier" }
  /** The classifier would have answered, but said no too often, or cannot see all of the call. */
  | { readonly to: "person"; readonly because: string }

export interface Routed {
  readonly decision: Decision
  readonly context: PermissionContext
  readonly needs: ReadonlyArray<Need>
  /** What the tool tells the classifier about the call; empty when there is nothing to judge. */
  readonly input: string
  readonly objections?: ObjectionCount
}

/** Beyond this the classifier would have to judge a part of the call for the whole. */
const JUDGED_CHARS = 100_000

const AS_DECIDED: Route = { to: "decision" }

/** The part of an ask that the classifier may answer in this mode. */
const mayAnswer = ({ decision, context, needs }: Routed): boolean => {
  if (decision.immune === true || decision.classifierApprovable !== true) return false
  const mode = effectiveMode(context)
  if (mode === "auto") return true
  const isPlanned = mode === "plan" && context.autoAvailable && context.auto.duringPlan
  return isPlanned && needs.some(({ kind }) => kind === "shell")
}

/** A command that something else would allow, where the settings want every command to be looked at. */
const isLookedAt = ({ decision, context, needs }: Routed): boolean =>
  decision.verdict === "allow" &&
  effectiveMode(context) === "auto" &&
  context.auto.classifyAllShell &&
  needs.some(({ kind }) => kind === "shell")

/** Denials and immune questions never reach the classifier; nor does what has nothing in it to be judged. */
export const routeOf = (routed: Routed): Route => {
  const { decision, input, objections = NO_OBJECTIONS } = routed
  const isAsked = decision.verdict === "ask" && mayAnswer(routed)
  if (!isAsked && !isLookedAt(routed)) return AS_DECIDED
  if (input === "") return { to: "allow" }
  const because = input.length > JUDGED_CHARS ? "the call is too long for the classifier" : tooManyObjections(objections)
  return because === undefined ? { to: "classifier" } : { to: "person", because }
}
