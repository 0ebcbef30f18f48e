import { editDistance } from "../../core/domain/text/edit-distance.ts"
import { formatChord } from "./chord.ts"
import { pressOf, type Stroke } from "./stroke.ts"

/** What is wrong or risky in keybindings.json, said so that the reader can repair it. */
export interface KeyWarning {
  readonly kind:
    | "parse"
    | "shape"
    | "context"
    | "action"
    | "key"
    | "reserved"
    | "multiplexer"
    | "duplicate"
    | "unsendable"
    | "shadowed"
  readonly message: string
  readonly line: number
  readonly column: number
}

/** What the terminal can tell apart. */
export type KeyboardProtocol = "legacy" | "extended"

/** Keys that the program keeps for itself, because it must stay possible to stop and to leave. */
const RESERVED: ReadonlyMap<Stroke, string> = new Map([
  ["<C-c>", "it always interrupts"],
  ["<C-d>", "it always leaves an empty prompt"],
  ["<C-m>", "most terminals send it as Enter"]
])

export const reservedReason = (strokes: ReadonlyArray<Stroke>): string | undefined => RESERVED.get(strokes[0] ?? "")

const TAKEN_BEFORE_US: ReadonlyMap<Stroke, string> = new Map([
  ["<C-b>", "tmux takes it as its prefix; inside tmux press it twice"],
  ["<C-a>", "screen takes it as its prefix; inside screen press it and then a"],
  ["<C-z>", "it suspends the program on Unix"]
])

export const multiplexerReason = (strokes: ReadonlyArray<Stroke>): string | undefined =>
  TAKEN_BEFORE_US.get(strokes[0] ?? "")

const CTRL_SENDABLE = /^[a-ln-z @[\\\]^_]$/

/** Whether a terminal without a keyboard protocol has a sequence of its own for the stroke. */
const isLegacySendable = (stroke: Stroke): boolean => {
  const { key, ctrl = false, shift = false, cmd = false } = pressOf(stroke)
  if (cmd) return false
  if (key === "Tab") return !ctrl
  if (key === "CR" || key === "BS" || key === "Esc") return !ctrl && !shift
  if (key === " ") return !shift
  if (key.length > 1) return true
  return !ctrl || (!shift && key !== "i" && key !== "[" && CTRL_SENDABLE.test(key))
}

export const unsendableReason = (strokes: ReadonlyArray<Stroke>, protocol: KeyboardProtocol): string | undefined => {
  const missing = protocol === "legacy" ? strokes.find((stroke) => !isLegacySendable(stroke)) : undefined
  return missing === undefined ? undefined : `this terminal cannot send ${formatChord([missing])}`
}

/** The name that was probably meant. */
export const nearestName = (word: string, names: Iterable<string>): string | undefined => {
  const limit = Math.max(2, Math.floor(word.length / 3))
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase())
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}
