import { countText } from "../../domain/text/count-text.ts"
import { PROGRAM_OPENINGS } from "../../domain/program-texts.ts"
import { finish } from "../turn/finish.ts"
import { iterate, turnsUsedUp } from "./iterate.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { RunningState, TokenTarget, Turn } from "../machine/state.ts"
import { andThen, commitAndPublish, metaUser, notice, type Step } from "../machine/transition.ts"

/** Sends the model on until about so many tokens are spent as the prompt says it is worth. */

export type TargetVerdict =
  | { readonly _tag: "GoOn"; readonly percent: number; readonly gained: number }
  | { readonly _tag: "Stop"; readonly why: "reached" | "little gain" }

const DONE_SHARE = 0.9
const SMALL_GAIN_TOKENS = 500
const SURE_AFTER = 3

export const targetOf = (tokens: number): TokenTarget => ({ tokens, continuations: 0, spentBefore: 0, gainedBefore: 0 })

export const spentTokens = ({ usage }: Turn): number => usage.output_tokens

/** Whether there is a point in going on: not near the target, and not when the last two rounds brought nearly nothing. */
export const judgeTarget = (target: TokenTarget, spent: number): TargetVerdict => {
  if (spent >= target.tokens * DONE_SHARE) return { _tag: "Stop", why: "reached" }
  const gained = spent - target.spentBefore
  const isStuck = target.continuations >= SURE_AFTER && gained < SMALL_GAIN_TOKENS && target.gainedBefore < SMALL_GAIN_TOKENS
  return isStuck
    ? { _tag: "Stop", why: "little gain" }
    : { _tag: "GoOn", percent: Math.floor((100 * spent) / target.tokens), gained }
}

/** `312k of 500k (62%)` */
export const targetText = ({ tokens }: TokenTarget, spent: number): string =>
  `${countText(spent)} of ${countText(tokens)} (${Math.floor((100 * spent) / tokens)}%)`

/** The model has nothing left to do: the turn is complete, unless its prompt wants more spent on it. */
export const completeOrGoOn = (state: RunningState): Step => {
  const { turn } = state.run
  const { target } = turn
  if (target === undefined) return finish(state, "completed")
  const spent = spentTokens(turn)
  const verdict = judgeTarget(target, spent)
  const soFar = targetText(target, spent)
  if (verdict._tag === "Stop" || turnsUsedUp(state)) {
    const why = verdict._tag === "Stop" ? verdict.why : "no responses left"
    const text = `token target: ${soFar}, ${why}, continued ${target.continuations} times`
    return andThen([state, [notice("info", text)]], (next) => finish(next, "completed"))
  }
  const [message, drawn] = metaUser(
    state,
    `${PROGRAM_OPENINGS.target} ${soFar} tokens are spent. Go on with the task: what is missing, unproven or could be better? ` +
      "Do not repeat or summarise what is done."
  )
  const gone: TokenTarget = {
    tokens: target.tokens,
    continuations: target.continuations + 1,
    spentBefore: spent,
    gainedBefore: verdict.gained
  }
  return andThen(commitAndPublish(setTurn(drawn, { target: gone }), message), (next) =>
    iterate(next, "token_budget_continuation")
  )
}
