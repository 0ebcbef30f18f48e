import { append, decodeUtf8, join, type Chunks } from "./chunks.ts"
import { stringReply } from "./reply.ts"
import type { Phase, StringIntroducer } from "./state.ts"
import { GROUND, unknown, type PhaseHandler, type Work } from "./decode-work.ts"

/** OSC, DCS and the like: text up to a terminator. Only replies come this way, and they are short. */
const KEPT_BYTES = 65_536
const ESC = 0x1b
const BEL = 0x07

/** No answer holds a control character: whoever presses Enter, Ctrl+C or Backspace is not kept by a broken terminal. */
const endsText = (byte: number): boolean => byte < 0x20 || byte === 0x7f

const STRING_INTRODUCERS: ReadonlySet<string> = new Set(["]", "P", "_", "^", "X"])

type ControlString = Extract<Phase, { _tag: "ControlString" }>

export const isStringIntroducer = (character: string): character is StringIntroducer => STRING_INTRODUCERS.has(character)

export const startString = (introducer: StringIntroducer, now: number): ControlString => ({
  _tag: "ControlString",
  introducer,
  bytes: undefined,
  afterEscape: false,
  since: now,
  lastAt: now
})

const keep = (kept: Chunks | undefined, bytes: Uint8Array): Chunks | undefined =>
  (kept?.length ?? 0) >= KEPT_BYTES ? kept : append(kept, bytes.subarray(0, KEPT_BYTES - (kept?.length ?? 0)))

export const stringBytes = (phase: ControlString): Uint8Array => {
  const head = Uint8Array.of(ESC, phase.introducer.charCodeAt(0))
  return join(append(append(undefined, head), join(phase.bytes)))
}

const complete = (work: Work, phase: ControlString): void => {
  const reply = stringReply(phase.introducer, decodeUtf8(join(phase.bytes)))
  work.events.push(reply === undefined ? unknown(stringBytes(phase)) : { _tag: "Reply", reply })
  work.phase = GROUND
}

export const onControlString: PhaseHandler<"ControlString"> = (work, phase, { bytes, at }) => {
  if (phase.afterEscape) {
    if (bytes[at] === 0x5c) {
      complete(work, phase)
      return at + 1
    }
    // The ESC began something new; the string was cut off.
    work.events.push(unknown(stringBytes(phase)))
    work.phase = { _tag: "Escape", count: 1, lastAt: phase.lastAt }
    return at
  }
  let end = at
  while (end < bytes.length && !endsText(bytes[end] ?? 0)) end++
  const grown: ControlString =
    end > at ? { ...phase, bytes: keep(phase.bytes, bytes.subarray(at, end)), lastAt: work.now } : phase
  const byte = bytes[end]
  if (byte === undefined) {
    work.phase = grown
    return end
  }
  if (byte === ESC) {
    work.phase = { ...grown, afterEscape: true, lastAt: work.now }
    return end + 1
  }
  if (byte === BEL) {
    complete(work, grown)
    return end + 1
  }
  work.events.push(unknown(stringBytes(grown)))
  work.phase = GROUND
  return end
}
