/**
 * How streamed text comes to the screen: steadily, a row with each frame, as long as little of it waits; all of
 * it as soon as too much waits or waits for too long. A pure decision; time comes from outside.
 */
export interface Pace {
  readonly mode: "smooth" | "catchUp"
  /** Since when the backlog has been small while catching up. */
  readonly calmSince: number | undefined
}

export const SMOOTH: Pace = { mode: "smooth", calmSince: undefined }

export interface Backlog {
  readonly rows: number
  /** How long the oldest of it has waited. */
  readonly ageMs: number
}

const MOST_ROWS = 8
const MOST_AGE_MS = 120
const CALM_MS = 250

export interface Decision {
  /** Rows to reveal now; all of them is Infinity. */
  readonly rows: number
  readonly pace: Pace
}

const ALL = Number.POSITIVE_INFINITY

export const decide = ({ rows, ageMs }: Backlog, now: number, pace: Pace): Decision => {
  if (rows >= MOST_ROWS || ageMs >= MOST_AGE_MS) return { rows: ALL, pace: { mode: "catchUp", calmSince: undefined } }
  if (pace.mode === "smooth") return { rows: 1, pace }
  const isCalm = rows < MOST_ROWS / 2 && ageMs < MOST_AGE_MS / 2
  if (!isCalm) return { rows: ALL, pace: { mode: "catchUp", calmSince: undefined } }
  const calmSince = pace.calmSince ?? now
  return now - calmSince >= CALM_MS ? { rows: 1, pace: SMOOTH } : { rows: ALL, pace: { mode: "catchUp", calmSince } }
}

/** Rows that a text takes at a width, about: enough to pace it by. */
export const rowsOfText = (text: string, width: number): number =>
  text.split("\n").reduce((rows, line) => rows + Math.ceil(line.length / Math.max(1, width)), 0)

/** Where the first so many rows of a text end: behind a newline, or at the width, never inside a character. */
export const endOfRows = (text: string, rows: number, width: number): number => {
  let end = 0
  for (let row = 0; row < rows && end < text.length; row++) {
    const newline = text.indexOf("\n", end)
    const cut = end + Math.max(1, width)
    end = newline >= 0 && newline < cut ? newline + 1 : Math.min(cut, text.length)
  }
  const isInside = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
  return end < text.length && isInside(text.charCodeAt(end)) ? end + 1 : end
}

export interface Growth {
  /** What is not shown yet. */
  readonly text: string
  readonly width: number
  readonly ageMs: number
}

/** How many characters of what waits are due. */
export const paceReveal = (
  { text, width, ageMs }: Growth,
  now: number,
  before: Pace
): { readonly characters: number; readonly pace: Pace } => {
  const { rows, pace } = decide({ rows: rowsOfText(text, width), ageMs }, now, before)
  return { characters: rows === ALL ? text.length : endOfRows(text, rows, width), pace }
}
