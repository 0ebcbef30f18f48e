import { cutAt, groupRounds, hasWords } from "./keep.ts"
import type { RungInput, Summarise } from "./reduction.ts"

/** Takes whole rounds from the beginning, because somebody asked for it. The newest round is never among them. */
export const snip = ({ view }: RungInput): Summarise | undefined => {
  if (view.ask._tag !== "Snip") return undefined
  const messages = view.visible()
  const groups = groupRounds(messages)
  const opening = groups[0]?.[0]?.type === "assistant" ? 0 : 1
  const rounds = Math.min(view.ask.rounds, groups.length - opening - 1)
  if (rounds < 1) return undefined
  const place = groups.slice(0, opening + rounds).flat().length
  const cut = cutAt(messages, place, { promptUuid: view.promptUuid, pins: view.pins })
  if (!hasWords(cut)) return undefined
  return { _tag: "Summarise", rung: "snip", source: { _tag: "Marker", rounds }, side: "beginning", ...cut }
}
