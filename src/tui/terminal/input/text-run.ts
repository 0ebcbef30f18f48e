import { clusters } from "../../screen/cell/width.ts"
import type { InputEvent } from "./event.ts"
import { append, decodeUtf8, endsInsideCharacter, join, pastedText } from "./chunks.ts"
import type { DecodeOptions, Phase } from "./state.ts"
import { characterEvent, emit, GROUND, type PhaseHandler, type Work } from "./decode-work.ts"

/**
 * Typed text. Where pastes are not bracketed it is held for a moment, because a burst no hand can type is a paste and
 * must not submit anything. Text outside ASCII is held as well, so that the code points of one emoji stay one key.
 */
const BURST_CHARACTERS = 8
const BURST_MS = 5

/** Once it is a paste, a slow link may pause between its pieces: their newlines must not become Enter. */
const BURST_GAP_MS = 50

/** How long the rest of a character or sequence may take. */
export const SEQUENCE_MS = 1000

type Run = Extract<Phase, { _tag: "Run" }>

/** Text, tabs and line ends; everything else that is below 0x20 is a key of its own. */
const isTextByte = (byte: number): boolean =>
  (byte >= 0x20 && byte !== 0x7f) || byte === 0x0d || byte === 0x0a || byte === 0x09

/** Whether a byte is held back; with bracketed pastes ASCII is a key at once. */
export const isHeld = (byte: number, options: DecodeOptions): boolean =>
  options.bracketsPastes ? byte >= 0x80 : isTextByte(byte)

export const emptyRun = (now: number): Run => ({
  _tag: "Run",
  bytes: undefined,
  characters: 0,
  isPaste: false,
  startedAt: now,
  lastAt: now
})

const settle = (work: Work, run: Run): void => {
  emit(work, settleRun(run, work.options))
  work.phase = GROUND
}

/** The run is over but for the rest of its last character, which may still come. */
const onLateByte: PhaseHandler<"Run"> = (work, run, { bytes, at }) => {
  if (((bytes[at] ?? 0) & 0xc0) !== 0x80) {
    settle(work, run)
    return at
  }
  const grown: Run = { ...run, bytes: append(run.bytes, bytes.subarray(at, at + 1)) }
  if (endsInsideCharacter(grown.bytes)) work.phase = grown
  else settle(work, grown)
  return at + 1
}

export const onRun: PhaseHandler<"Run"> = (work, run, { bytes, at }) => {
  if (work.now >= settlesAt(run, work.options)) return onLateByte(work, run, { bytes, at })
  let end = at
  let characters = run.characters
  while (end < bytes.length && isHeld(bytes[end] ?? 0, work.options)) {
    if (((bytes[end] ?? 0) & 0xc0) !== 0x80) characters++
    end++
  }
  const grown: Run = {
    ...run,
    bytes: end > at ? append(run.bytes, bytes.subarray(at, end)) : run.bytes,
    characters,
    isPaste: !work.options.bracketsPastes && characters > BURST_CHARACTERS,
    lastAt: work.now
  }
  if (end < bytes.length) settle(work, grown)
  else work.phase = grown
  return end
}

const settlesAt = (run: Run, options: DecodeOptions): number =>
  run.isPaste ? run.lastAt + BURST_GAP_MS : (options.bracketsPastes ? run.lastAt : run.startedAt) + BURST_MS

export const runDeadline = (run: Run, options: DecodeOptions): number =>
  endsInsideCharacter(run.bytes) ? run.lastAt + SEQUENCE_MS : settlesAt(run, options)

/** What the held text was: one paste, or its keys. */
export const settleRun = (run: Run, options: DecodeOptions): ReadonlyArray<InputEvent> => {
  const bytes = join(run.bytes)
  if (run.isPaste) return [{ _tag: "Paste", text: pastedText(bytes) }]
  return clusters(decodeUtf8(bytes)).flatMap((cluster) =>
    // Segmentation takes CR LF for one character; they are two keys.
    (cluster === "\r\n" ? ["\r", "\n"] : [cluster]).map((character) => characterEvent(character, options, false))
  )
}
