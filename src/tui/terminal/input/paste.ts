import { append, type Chunks, decodeUtf8, join, pastedText } from "./chunks.ts"
import type { InputEvent } from "./event.ts"
import type { Phase } from "./state.ts"
import { GROUND, type PhaseHandler, type Work } from "./decode-work.ts"

/** Bracketed paste: everything up to the end marker is literal. */
const ESC = 0x1b
const START_MARKER = new TextEncoder().encode("\u001b[200~")
const END_MARKER = new TextEncoder().encode("\u001b[201~")

/** A terminal that forgot the end marker does not take the keyboard away for longer than this. */
const SILENCE_MS = 2000

type Paste = Extract<Phase, { _tag: "Paste" }>
type AfterPaste = Extract<Phase, { _tag: "AfterPaste" }>

export const startPaste = (now: number): Paste => ({ _tag: "Paste", bytes: undefined, matched: 0, lastAt: now })

export const pasteDeadline = (paste: Paste): number => paste.lastAt + SILENCE_MS

/** How much of the end marker has been seen after this byte; ESC is only at its start, so a miss restarts there. */
const matchedAfter = (matched: number, byte: number): number =>
  byte === END_MARKER[matched] ? matched + 1 : byte === ESC ? 1 : 0

interface Scanned {
  readonly bytes: Chunks
  readonly matched: number
  /** Where the scan stopped: behind the end marker, or at the end of the read. */
  readonly end: number
}

/** Takes bytes up to and including the next end marker. */
const scan = (
  held: { readonly bytes: Chunks | undefined; readonly matched: number },
  { bytes, at }: { readonly bytes: Uint8Array; readonly at: number }
): Scanned => {
  let { matched } = held
  let end = at
  while (end < bytes.length && matched < END_MARKER.length) {
    if (matched === 0) {
      const escape = bytes.indexOf(ESC, end)
      end = escape === -1 ? bytes.length : escape + 1
      matched = escape === -1 ? 0 : 1
    } else {
      matched = matchedAfter(matched, bytes[end] ?? 0)
      end++
    }
  }
  return { bytes: append(held.bytes, bytes.subarray(at, end)), matched, end }
}

const afterPaste = (now: number): AfterPaste => ({
  _tag: "AfterPaste",
  bytes: undefined,
  matched: 0,
  since: now,
  lastAt: now
})

export const onPaste: PhaseHandler<"Paste"> = (work, paste, input) => {
  const { end, ...scanned } = scan(paste, input)
  const grown: Paste = { ...paste, ...scanned, lastAt: work.now }
  if (grown.matched < END_MARKER.length) {
    work.phase = grown
    return end
  }
  work.events.push(pasteEvent(grown, END_MARKER.length))
  work.phase = afterPaste(work.now)
  // A terminal that brackets one paste brackets all of them: no need to watch for bursts any more.
  work.options = { ...work.options, bracketsPastes: true }
  return end
}

/** No hand is this quick; a link may be this slow. */
const QUIET_MS = 50
const LONGEST_HOLD_MS = 2000

export const afterPasteDeadline = ({ since, lastAt }: AfterPaste): number =>
  Math.min(lastAt + QUIET_MS, since + LONGEST_HOLD_MS)

const holds = (bytes: Uint8Array, marker: Uint8Array): boolean => decodeUtf8(bytes).includes(decodeUtf8(marker))

/**
 * Text that holds an end marker of its own would otherwise type the rest of itself. The terminal's marker is the last
 * one, so whatever lies before it was pasted, unless another paste began.
 */
export const onAfterPaste =
  (replay: (work: Work, held: Uint8Array) => void): PhaseHandler<"AfterPaste"> =>
  (work, phase, input) => {
    const { end, ...scanned } = scan(phase, input)
    const grown: AfterPaste = { ...phase, ...scanned, lastAt: work.now }
    if (grown.matched < END_MARKER.length) {
      work.phase = grown
      return end
    }
    const held = join(grown.bytes)
    if (holds(held, START_MARKER)) {
      work.phase = GROUND
      replay(work, held)
      return end
    }
    const text = pastedText(held.subarray(0, held.length - END_MARKER.length))
    if (text !== "") work.events.push({ _tag: "Paste", text })
    work.phase = { ...afterPaste(work.now), since: phase.since }
    return end
  }

/** The pasted text without what the marker took of its end. */
export const pasteEvent = (paste: Paste, markerBytes: number): InputEvent => {
  const bytes = join(paste.bytes)
  return { _tag: "Paste", text: pastedText(bytes.subarray(0, bytes.length - markerBytes)) }
}
