import { append, join, pastedText } from "./chunks.ts"
import type { InputEvent } from "./event.ts"
import type { Phase } from "./state.ts"
import { GROUND, type PhaseHandler } from "./work.ts"

/** Bracketed paste: everything up to the end marker is literal. */
const ESC = 0x1b
const END_MARKER = new TextEncoder().encode("\u001b[201~")

/** A terminal that forgot the end marker does not take the keyboard away for longer than this. */
const SILENCE_MS = 2000

type Paste = Extract<Phase, { _tag: "Paste" }>

export const startPaste = (now: number): Paste => ({ _tag: "Paste", bytes: undefined, matched: 0, lastAt: now })

export const pasteDeadline = (paste: Paste): number => paste.lastAt + SILENCE_MS

/** How much of the end marker has been seen after this byte; ESC is only at its start, so a miss restarts there. */
const matchedAfter = (matched: number, byte: number): number =>
  byte === END_MARKER[matched] ? matched + 1 : byte === ESC ? 1 : 0

export const onPaste: PhaseHandler<"Paste"> = (work, paste, { bytes, at }) => {
  let matched = paste.matched
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
  const grown: Paste = { ...paste, bytes: append(paste.bytes, bytes.subarray(at, end)), matched, lastAt: work.now }
  if (matched < END_MARKER.length) {
    work.phase = grown
    return end
  }
  work.events.push(pasteEvent(grown, END_MARKER.length))
  work.phase = GROUND
  // A terminal that brackets one paste brackets all of them: no need to watch for bursts any more.
  work.options = { ...work.options, bracketsPastes: true }
  return end
}

/** The pasted text without what the marker took of its end. */
export const pasteEvent = (paste: Paste, markerBytes: number): InputEvent => {
  const bytes = join(paste.bytes)
  return { _tag: "Paste", text: pastedText(bytes.subarray(0, bytes.length - markerBytes)) }
}
