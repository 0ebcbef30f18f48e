import type { InputEvent } from "./event.ts"
import { consoleKey, functionKey, isRxvtShift, ss3Key } from "./function-keys.ts"
import { numberAt, readFields } from "./modifiers.ts"
import { oldMouse, sgrMouse } from "./mouse.ts"
import { startPaste } from "./paste.ts"
import { csiReply } from "./reply.ts"
import { kittyKey, modifiedOtherKey } from "./reported-key.ts"
import type { DecodeOptions, Phase } from "./state.ts"
import { GROUND, keyEvent, unknownText, type PhaseHandler, type Work } from "./decode-work.ts"

/** CSI and SS3 sequences: collects the body, then asks the tables what it is. */
const BODY_LIMIT = 256

type Sequence = Extract<Phase, { _tag: "Sequence" }>

export const sequenceText = (sequence: Sequence): string =>
  `${sequence.isAlt ? "\u001b" : ""}\u001b${sequence.introducer}${sequence.body}`

/** `CSI 1;2 R` is Shift+F3 and also a cursor report of the first row; the caller knows whether it asked for one. */
const isCursorReport = (body: string, options: DecodeOptions): boolean =>
  /^\d+;\d+$/.test(body) && (options.expectsCursorReport || !/^1;([2-9]|1[0-6])$/.test(body))

const csiEvent = (sequence: Sequence, final: string, options: DecodeOptions): InputEvent | undefined => {
  const { body, isAlt } = sequence
  if (body === "[") return consoleKey(final, isAlt)
  if (body === "" && (final === "I" || final === "O")) return { _tag: "Focus", gained: final === "I" }
  if (body.startsWith("<")) return sgrMouse(body, final)
  const fields = readFields(body)
  if (fields !== undefined && (final !== "R" || !isCursorReport(body, options))) {
    const key =
      final === "u"
        ? kittyKey(fields, isAlt)
        : final === "~" && numberAt(fields, 0, 0) === 27
          ? modifiedOtherKey(fields, isAlt)
          : functionKey(fields, final, isAlt)
    if (key !== undefined) return key
  }
  const reply = csiReply(body, final)
  return reply === undefined ? undefined : { _tag: "Reply", reply }
}

/** Pastes, the mouse, the focus and answers know no Alt: the ESC before them was a key of its own. */
const pushEscape = (work: Work, { isAlt }: Sequence): void => {
  if (isAlt) work.events.push(keyEvent({ key: "Esc" }))
}

const finish = (work: Work, sequence: Sequence, final: string): void => {
  work.phase = GROUND
  if (sequence.introducer === "[" && final === "M" && sequence.body === "") {
    pushEscape(work, sequence)
    work.phase = { _tag: "OldMouse", bytes: [], lastAt: work.now }
    return
  }
  if (sequence.introducer === "[" && final === "~" && sequence.body === "200") {
    pushEscape(work, sequence)
    work.phase = startPaste(work.now)
    return
  }
  const event =
    sequence.introducer === "O" ? ss3Key(sequence.body, final, sequence.isAlt) : csiEvent(sequence, final, work.options)
  if (event !== undefined && event._tag !== "Key") pushEscape(work, sequence)
  work.events.push(event ?? unknownText(sequenceText(sequence) + final))
}

const isFinal = (sequence: Sequence, byte: number): boolean =>
  sequence.introducer === "O"
    ? byte === 0x20 || (byte >= 0x40 && byte < 0x7f)
    : isRxvtShift(sequence.body, String.fromCharCode(byte)) ||
      (byte >= 0x40 && byte < 0x7f && !(sequence.body === "" && byte === 0x5b))

const isBody = (sequence: Sequence, byte: number): boolean =>
  sequence.introducer === "O"
    ? byte >= 0x30 && byte <= 0x39
    : (byte >= 0x20 && byte < 0x40) || (sequence.body === "" && byte === 0x5b)

export const onSequence: PhaseHandler<"Sequence"> = (work, sequence, { bytes, at }) => {
  const byte = bytes[at] ?? 0
  if (isFinal(sequence, byte)) {
    finish(work, sequence, String.fromCharCode(byte))
    return at + 1
  }
  if (isBody(sequence, byte)) {
    const isFull = sequence.body.length >= BODY_LIMIT
    const body = isFull ? sequence.body : sequence.body + String.fromCharCode(byte)
    work.phase = { ...sequence, body, lastAt: work.now }
    return at + 1
  }
  // No sequence contains such a byte: what began is void, and the byte stands for itself.
  work.events.push(unknownText(sequenceText(sequence)))
  work.phase = GROUND
  return at
}

export const onOldMouse: PhaseHandler<"OldMouse"> = (work, phase, { bytes, at }) => {
  const collected = [...phase.bytes, bytes[at] ?? 0]
  if (collected.length < 3) {
    work.phase = { ...phase, bytes: collected, lastAt: work.now }
  } else {
    work.events.push(oldMouse(collected))
    work.phase = GROUND
  }
  return at + 1
}
