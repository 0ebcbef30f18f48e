import { characterBytes, decodeUtf8, join } from "./chunks.ts"
import { isStringIntroducer, onControlString, startString, stringBytes } from "./control-string.ts"
import type { InputEvent } from "./event.ts"
import { afterPasteDeadline, onAfterPaste, onPaste, pasteDeadline, pasteEvent } from "./paste.ts"
import { onOldMouse, onSequence, sequenceText } from "./sequence.ts"
import type { DecodeOptions, DecodeState, Phase } from "./state.ts"
import { emptyRun, isHeld, onRun, runDeadline, SEQUENCE_MS, settleRun } from "./text-run.ts"
import { characterEvent, GROUND, keyEvent, unknown, unknownText, type PhaseHandler, type Work } from "./decode-work.ts"

/**
 * Bytes from the terminal to events. Pure: time is an argument, and the same bytes at the same times give the same
 * events however they were cut into reads.
 */
export interface Decoded {
  readonly events: ReadonlyArray<InputEvent>
  readonly state: DecodeState
}

const ESC = 0x1b

const onGround: PhaseHandler<"Ground"> = (work, _phase, { bytes, at }) => {
  const byte = bytes[at] ?? 0
  if (byte === ESC) {
    work.phase = { _tag: "Escape", count: 1, lastAt: work.now }
    return at + 1
  }
  if (isHeld(byte, work.options)) {
    work.phase = emptyRun(work.now)
    return at
  }
  work.events.push(characterEvent(String.fromCharCode(byte), work.options, false))
  return at + 1
}

const onEscape: PhaseHandler<"Escape"> = (work, { count }, { bytes, at }) => {
  const byte = bytes[at] ?? 0
  const character = String.fromCharCode(byte)
  if (character === "[" || character === "O") {
    work.phase = { _tag: "Sequence", introducer: character, isAlt: count === 2, body: "", lastAt: work.now }
    return at + 1
  }
  if (count === 2) work.events.push(keyEvent({ key: "Esc" }))
  if (byte === ESC) {
    work.phase = { _tag: "Escape", count: 2, lastAt: work.now }
  } else if (isStringIntroducer(character)) {
    work.phase = startString(character, work.now)
  } else if (byte >= 0x80) {
    work.phase = { _tag: "AltCharacter", bytes: [], lastAt: work.now }
    return at
  } else {
    work.events.push(characterEvent(character, work.options, true))
    work.phase = GROUND
  }
  return at + 1
}

const onAltCharacter: PhaseHandler<"AltCharacter"> = (work, phase, { bytes, at }) => {
  const byte = bytes[at] ?? 0
  if (phase.bytes.length > 0 && (byte & 0xc0) !== 0x80) {
    work.events.push(unknown(Uint8Array.of(ESC, ...phase.bytes)))
    work.phase = GROUND
    return at
  }
  const collected = [...phase.bytes, byte]
  if (collected.length < characterBytes(collected[0] ?? 0)) {
    work.phase = { ...phase, bytes: collected, lastAt: work.now }
    return at + 1
  }
  work.events.push(altCharacter(collected, work.options))
  work.phase = GROUND
  return at + 1
}

const altCharacter = (bytes: ReadonlyArray<number>, options: DecodeOptions): InputEvent => {
  const text = decodeUtf8(Uint8Array.from(bytes))
  return text.includes("\ufffd") ? unknown(Uint8Array.of(ESC, ...bytes)) : characterEvent(text, options, true)
}

const advance = (work: Work, input: { readonly bytes: Uint8Array; readonly at: number }): number => {
  const { phase } = work
  switch (phase._tag) {
    case "Ground":
      return onGround(work, phase, input)
    case "Run":
      return onRun(work, phase, input)
    case "Escape":
      return onEscape(work, phase, input)
    case "AltCharacter":
      return onAltCharacter(work, phase, input)
    case "Sequence":
      return onSequence(work, phase, input)
    case "OldMouse":
      return onOldMouse(work, phase, input)
    case "ControlString":
      return onControlString(work, phase, input)
    case "Paste":
      return onPaste(work, phase, input)
    case "AfterPaste":
      return onHeld(work, phase, input)
  }
}

const advanceAll = (work: Work, bytes: Uint8Array): void => {
  let at = 0
  while (at < bytes.length) at = advance(work, { bytes, at })
}

const onHeld = onAfterPaste(advanceAll)

/** ESC and an introducer alone may be Alt with that key: they wait as long as a lone ESC does. */
const waitOf = (isBare: boolean, options: DecodeOptions): number => (isBare ? options.escDelayMs : SEQUENCE_MS)

const phaseDeadline = (phase: Phase, options: DecodeOptions): number | undefined => {
  switch (phase._tag) {
    case "Ground":
      return undefined
    case "Run":
      return runDeadline(phase, options)
    case "Escape":
      return phase.lastAt + options.escDelayMs
    case "Sequence":
      return phase.lastAt + waitOf(phase.body === "", options)
    case "ControlString":
      return phase.since + waitOf(phase.bytes === undefined && !phase.afterEscape, options)
    case "AltCharacter":
    case "OldMouse":
      return phase.lastAt + SEQUENCE_MS
    case "Paste":
      return pasteDeadline(phase)
    case "AfterPaste":
      return afterPasteDeadline(phase)
  }
}

/** What a phase comes to when the rest of it never arrives. */
const abandoned = (phase: Phase, options: DecodeOptions): ReadonlyArray<InputEvent> => {
  switch (phase._tag) {
    case "Ground":
    case "AfterPaste":
      return []
    case "Run":
      return settleRun(phase, options)
    case "Escape":
      return Array.from({ length: phase.count }, () => keyEvent({ key: "Esc" }))
    case "Sequence": {
      if (phase.body !== "") return [unknownText(sequenceText(phase))]
      const alt = characterEvent(phase.introducer, options, true)
      return phase.isAlt ? [keyEvent({ key: "Esc" }), alt] : [alt]
    }
    case "ControlString":
      return phase.bytes === undefined && !phase.afterEscape
        ? [characterEvent(phase.introducer, options, true)]
        : [unknown(stringBytes(phase))]
    case "AltCharacter":
      return [unknown(Uint8Array.of(ESC, ...phase.bytes))]
    case "OldMouse":
      return [unknown(Uint8Array.of(ESC, 0x5b, 0x4d, ...phase.bytes))]
    case "Paste":
      return [pasteEvent(phase, 0)]
  }
}

/** When the caller has to come back with `flush`, if no bytes come before. */
export const deadline = (state: DecodeState): number | undefined => phaseDeadline(state.phase, state.options)

/** The paste was really over: what was held back means what it always means, at the time it came. */
const released = ({ options }: DecodeState, held: Extract<Phase, { _tag: "AfterPaste" }>, now: number): Decoded => {
  const work: Work = { now: held.lastAt, events: [], options, phase: GROUND }
  advanceAll(work, join(held.bytes))
  const rest = flush({ options: work.options, phase: work.phase }, now)
  return { events: [...work.events, ...rest.events], state: rest.state }
}

/** Settles what has waited long enough. Calling it early does nothing. */
export const flush = (state: DecodeState, now: number): Decoded => {
  const due = deadline(state)
  if (due === undefined || now < due) return { events: [], state }
  if (state.phase._tag === "AfterPaste") return released(state, state.phase, now)
  return { events: abandoned(state.phase, state.options), state: { ...state, phase: GROUND } }
}

/** Decodes one read. All its bytes count as having arrived at `now`, in milliseconds that never go back. */
export const decode = (bytes: Uint8Array, state: DecodeState, now: number): Decoded => {
  const flushed = flush(state, now)
  const work: Work = { now, events: [...flushed.events], options: state.options, phase: flushed.state.phase }
  advanceAll(work, bytes)
  return { events: work.events, state: { options: work.options, phase: work.phase } }
}
