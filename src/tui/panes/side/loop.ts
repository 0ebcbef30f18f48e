import type { AgentState, Recovery, SentRequest, Turn } from "../../../core/loop/machine/state.ts"
import { phaseOf, turnOf } from "../../../core/loop/machine/transition.ts"
import { currentModel, outputLimit, statusOf } from "../../../core/loop/turn/send-request.ts"
import type { IdsOf } from "../../keymap/actions/action-tables.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import { cacheBreakLines } from "../../model/conversation/cache-break-lines.ts"
import { hastenRetry, isWaitingToRetry } from "../../model/hasten-retry.ts"
import type { Item } from "../../model/list-state.ts"
import { isRunning } from "../../model/session-model.ts"
import { notify, type Update, withCommands, withoutCommands } from "../../model/update-result.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"
import type { Look } from "../../screen/style/row.ts"
import { textRows } from "../../text/line-rows.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { plural, secondsText } from "../../transcript/number-format.ts"
import { retryText } from "../../transcript/entries/work-text.ts"
import type { FocusedList, ListHandlers } from "../list/focused-list.ts"

/** How the loop of a session stands: its phase, what it waits for, its limits, and the requests of the turn. */

const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }
const WARNING: Look = { role: "warning" }
const KEY: Look = { role: "suggestion" }

interface Line {
  readonly id: string
  readonly text: string
  readonly look: Look
}

const phaseLine = ({ session, now }: PaneScene): Line => {
  const { state } = session
  const turn = turnOf(state)
  const phase = phaseOf(state)._tag.toLowerCase()
  const since = turn === undefined ? "" : ` · ${secondsText(now - turn.startedAt)}`
  return { id: "phase", text: `${phase} · ${currentModel(state)}${since}`, look: TEXT }
}

/** What somebody who waits can do. */
const CHOICES = [
  { id: "loop:retryNow", text: "r  try again now" },
  { id: "loop:nextModel", text: "m  let the next model answer" },
  { id: "loop:giveUp", text: "x  end the turn" }
] as const

const waitLines = ({ session, now }: PaneScene): ReadonlyArray<Line> => {
  if (!isWaitingToRetry(session)) return []
  const { fallbackModels } = session.state.config.choice
  const next = fallbackModels[turnOf(session.state)?.modelIndex ?? 0]
  const choices = CHOICES.filter(({ id }) => id !== "loop:nextModel" || next !== undefined)
  return [
    { id: "wait", text: retryText(session.transcript, now), look: WARNING },
    ...choices.map(({ id, text }) => ({ id, text: id === "loop:nextModel" ? `${text}: ${next}` : text, look: KEY }))
  ]
}

const limitLines = (state: AgentState, turn: Turn | undefined): ReadonlyArray<Line> => {
  const { limits } = state.config
  const { usedTokens, windowTokens } = statusOf(state)
  const of = (most: string | undefined): string => (most === undefined ? "" : ` of ${most}`)
  const responses = `${turn?.responses ?? 0}${of(limits.maxTurns === undefined ? undefined : String(limits.maxTurns))}`
  const money = `$${state.totals.costUsd.toFixed(4)}`
  const mostMoney = limits.maxBudgetUsd === undefined ? undefined : `$${limits.maxBudgetUsd}`
  const texts = [
    `responses     ${responses}`,
    `cost          ${money}${of(mostMoney)}`,
    `window        ${countText(usedTokens)} of ${countText(windowTokens)} tokens`,
    ...(turn === undefined ? [] : [`output limit  ${countText(outputLimit(state, turn))} tokens`])
  ]
  return texts.map((text, index) => ({ id: `limit:${index}`, text, look: QUIET }))
}

/** How much of the last request the cache had, and what it did not give back. */
const prefixLines = ({ session: { state }, now }: PaneScene): ReadonlyArray<Line> => {
  const { cache } = state.conversation
  const { last } = cache
  if (last === undefined || last.promptTokens === 0) return []
  const share = Math.round((100 * last.readTokens) / last.promptTokens)
  const front = `${plural(last.tools.length, "tool")}, ${plural(last.system.length, "block")} of system prompt in front`
  const read: Line = { id: "prefix", text: `from cache    ${share}% of the last request · ${front}`, look: QUIET }
  return [read, ...cacheBreakLines(cache, now).map((text, index) => ({ id: `break:${index}`, text, look: WARNING }))]
}

const REPAIRS: ReadonlyArray<readonly [string, (recovery: Recovery) => number]> = [
  ["larger output limit", ({ escalated }) => Number(escalated)],
  ["answers continued after a cut", ({ continuations }) => continuations],
  ["made room for a refused request", ({ rescued }) => rescued.length],
  ["media left out", ({ mediaStripped }) => Number(mediaStripped)],
  ["fields left out", ({ omitted }) => omitted.length],
  ["calls that were not JSON", ({ malformed }) => malformed],
  ["structured output refused", ({ structuredRetries }) => structuredRetries],
  ["sent on by stop hooks", ({ stopHookRounds }) => stopHookRounds],
  ["sent again after thinking", ({ thinkingResends }) => thinkingResends],
  ["asked again after silence", ({ silenceNudged }) => Number(silenceNudged)],
  ["asked again after a refusal", ({ refusalNudged }) => Number(refusalNudged)]
]

const repairLines = ({ recovery }: Turn): ReadonlyArray<Line> =>
  REPAIRS.flatMap(([name, count]) =>
    count(recovery) === 0 ? [] : [{ id: `repair:${name}`, text: `${name}  ${count(recovery)}`, look: WARNING }]
  )

const requestText = ({ number, reason, model, failures, at }: SentRequest, startedAt: number): string => {
  const tries = failures === 0 ? "" : ` · after ${failures} failed`
  return `${String(number).padStart(3)}  ${secondsText(at - startedAt).padStart(6)}  ${reason.replaceAll("_", " ")} · ${model}${tries}`
}

const requestLines = ({ sent, startedAt }: Turn): ReadonlyArray<Line> =>
  sent.toReversed().map((one) => ({ id: `request:${one.number}`, text: requestText(one, startedAt), look: QUIET }))

export const loopItems = (scene: PaneScene): ReadonlyArray<Item> => {
  const { state } = scene.session
  const turn = turnOf(state)
  const lines = [
    phaseLine(scene),
    ...waitLines(scene),
    ...limitLines(state, turn),
    ...prefixLines(scene),
    ...(turn === undefined ? [] : [...repairLines(turn), ...requestLines(turn)])
  ]
  return lines.map(({ id, text, look }) => ({ id, rows: textRows(text, scene.width, look), source: text }))
}

const hasten =
  (by: "sameModel" | "nextModel"): Handler<FocusedList> =>
  ({ model, session }) =>
    hastenRetry(model, session, by) ?? withoutCommands(notify(model, "no request waits for another try"))

const giveUp: Handler<FocusedList> = ({ model, session }) =>
  isRunning(session)
    ? withCommands(model, { _tag: "Interrupt", session: session.id })
    : withoutCommands(notify(model, "no turn runs"))

const DEEDS: Handlers<IdsOf<"Loop">, FocusedList> = {
  "loop:retryNow": hasten("sameModel"),
  "loop:nextModel": hasten("nextModel"),
  "loop:giveUp": giveUp
}

const choose: Handler<FocusedList> = (at, press): Update | undefined => {
  const choice = CHOICES.find(({ id }) => id === at.item?.id)
  return choice === undefined ? undefined : DEEDS[choice.id](at, press)
}

export const LOOP_HANDLERS: ListHandlers = { ...DEEDS, "pane:open": choose }
