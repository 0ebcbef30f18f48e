import type { Message } from "../../domain/message.ts"
import { type Cut, cutAt, cutAtEnd, cutBeforeNewest, hasExchange, hasWords, type Wanted } from "./keep.ts"
import { roomAfter, type RungInput, type Summarise, type SummaryPart } from "./reduction.ts"

/** Failed summaries in a row after which none is tried without being asked for. */
export const MOST_FAILURES = 3

/** Above this the newest round does not stay either: it would fill the window again at once. */
const MOST_KEPT_TOKENS = 40_000

const modelSummary = (cut: Cut, side: Summarise["side"] = "beginning"): Summarise => ({
  _tag: "Summarise",
  rung: "summary",
  source: { _tag: "Model" },
  side,
  ...cut
})

const placeOf = (messages: ReadonlyArray<Message>, uuid: string): number =>
  messages.findIndex((message) => message.uuid === uuid)

/** One side of a message. A cut from a message on keeps what stands before it, and reads all. */
const cutPart = (messages: ReadonlyArray<Message>, part: SummaryPart, wanted: Wanted): Cut | undefined => {
  if (part._tag === "All") return cutBeforeNewest(messages, wanted, MOST_KEPT_TOKENS)
  const place = placeOf(messages, part.uuid)
  if (place < 0) return undefined
  if (part._tag === "UpTo") return cutAt(messages, place, wanted)
  const before = messages.slice(0, place)
  const pins = new Set([...wanted.pins, ...before.map(({ uuid }) => uuid)])
  return cutAtEnd(messages, { promptUuid: undefined, pins })
}

/** Whether the window itself calls for a summary, and summaries work. What a user undid waits until nothing else helps. */
export const wantsSummary = ({ status, view, settings }: RungInput): boolean =>
  (status.state === "blocked" || (status.state === "compact" && !view.isUndone)) &&
  settings.isAutomatic &&
  view.failures < MOST_FAILURES

/** The rung of the model's summary. */
export const summarise = (input: RungInput): Summarise | undefined => {
  const { status, view } = input
  const wanted: Wanted = { promptUuid: view.promptUuid, pins: view.pins }
  if (view.ask._tag === "Manual") {
    const cut = cutPart(view.visible(), view.ask.part, wanted)
    const side = view.ask.part._tag === "From" ? "end" : "beginning"
    return cut !== undefined && hasWords(cut) ? modelSummary(cut, side) : undefined
  }
  const isRescue = view.ask._tag === "Rescue"
  if (!isRescue && (view.ask._tag !== "Nothing" || !wantsSummary(input))) return undefined
  const messages = view.visible()
  const cut = cutBeforeNewest(messages, wanted, Math.min(MOST_KEPT_TOKENS, roomAfter(input)))
  if (hasExchange(cut)) return modelSummary(cut)
  const whole = isRescue || status.state === "blocked" ? cutAtEnd(messages, wanted) : undefined
  return whole !== undefined && hasExchange(whole) ? modelSummary(whole) : undefined
}
