import { createHash } from "node:crypto"
import * as Log from "../../core/domain/append-list.ts"
import type { AgentState, Phase } from "../../core/loop/machine/state.ts"

export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value) ?? "undefined")
    .digest("hex")
    .slice(0, 16)

/** A growing answer is represented by its size: hashing all of it for every delta would be quadratic. */
const phaseSummary = (phase: Phase): unknown => {
  if (phase._tag !== "Streaming") return phase
  const { open, ...assembly } = phase.assembly
  const size =
    open === undefined ? 0 : "text" in open ? open.text.length : "thinking" in open ? open.thinking.length : open.json.length
  return { ...phase, assembly, openKind: open?.kind, openSize: size }
}

/**
 * What a replay compares after each event. Messages already announced are covered by the commands that carried them,
 * so their number and the newest one are enough here.
 */
export const stateSummary = (state: AgentState): unknown => ({
  phase: phaseSummary(state.phase),
  turn: state.turn,
  messages: state.messages.length,
  newest: Log.last(state.messages)?.uuid,
  ids: state.ids,
  serial: state.serial,
  cwd: state.cwd,
  queue: state.queue,
  tip: state.tip,
  count: state.count,
  totals: state.totals,
  mode: state.permission.mode,
  compaction: state.compaction,
  objections: state.objections
})
