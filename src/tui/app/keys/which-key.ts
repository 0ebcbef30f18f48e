import type { Canvas } from "../../screen/cell/canvas.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { ACTIONS } from "../../keymap/actions/action-tables.ts"
import { continuations } from "../../keymap/help.ts"
import { rect } from "../../screen/cell/rect.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { Look } from "../../screen/style/row.ts"
import { nodeOf } from "./chords.ts"
import type { AppModel } from "../../model/app-model.ts"

/** What may follow a prefix, shown after a pause. It takes no keys and ends with the chord. */

const KEY: Look = { role: "claude", bold: true, background: "userMessageBackground" }
const PLAIN: Look = { role: "text", background: "userMessageBackground" }
const QUIET: Look = { role: "subtle", background: "userMessageBackground" }

const LEAST_COLUMN = 24
const MOST_COLUMN = 48
const MOST_ROWS = 14
const GAP = 2

interface Follower {
  readonly key: string
  readonly words: string
}

/** One row for each action, by the first of its keys; a further prefix says so. */
const followersOf = (model: AppModel): ReadonlyArray<Follower> => {
  const seen = new Set<string>()
  return continuations(nodeOf(model)).flatMap(({ key: written, action, isPrefix }) => {
    const key = written === "<lt>" ? "<" : written
    const words = action === undefined ? "" : (ACTIONS.get(action)?.description ?? action)
    if (isPrefix) return [{ key, words: words === "" ? "…" : `${words} …` }]
    if (seen.has(words)) return []
    seen.add(words)
    return [{ key, words }]
  })
}

/** The user has waited long enough behind a prefix. */
export const isHesitating = ({ now, keys, options }: AppModel): boolean =>
  keys.pending.length > 0 &&
  options.interface === "fullscreen" &&
  options.whichKeyMs > 0 &&
  now - keys.pendingSince >= options.whichKeyMs

/** At the bottom, above the status row, in as many columns as fit; at most half of the screen. */
export const drawWhichKey = (canvas: Canvas, model: AppModel): void => {
  const followers = isHesitating(model) ? followersOf(model) : []
  if (followers.length === 0) return
  const { columns, rows } = model.size
  const most = Math.max(1, Math.min(MOST_ROWS, Math.floor(rows / 2) - 1))
  const used = Math.max(1, Math.min(Math.ceil(followers.length / most), Math.floor((columns - GAP) / LEAST_COLUMN)))
  const height = Math.min(most, Math.ceil(followers.length / used))
  const width = Math.min(MOST_COLUMN, Math.floor((columns - GAP) / used))
  const hidden = Math.max(0, followers.length - used * height)
  const shown = hidden === 0 ? followers : followers.slice(0, used * height - 1)
  const top = rows - 1 - height
  canvas.fill(rect(0, top, columns, height), PLAIN)
  const keyWidth = Math.max(...followers.map(({ key }) => textWidth(key)))
  const drawCell = (index: number, spans: Parameters<typeof lineRow>[0]): void =>
    canvas.row(1 + Math.floor(index / height) * width, top + (index % height), lineRow(spans, width - GAP))
  for (const [index, { key, words }] of shown.entries()) {
    drawCell(index, [
      { text: `${" ".repeat(keyWidth - textWidth(key))}${key}`, look: KEY },
      { text: `  ${words}`, look: PLAIN }
    ])
  }
  if (hidden > 0) drawCell(shown.length, [{ text: `${" ".repeat(keyWidth)}  … ${hidden + 1} more`, look: QUIET }])
}
