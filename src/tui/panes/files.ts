import { plural } from "../transcript/figures.ts"
import { type TouchedFile, touchedFiles } from "../transcript/select.ts"
import { shortPath } from "../app/short-path.ts"
import type { Look, Row } from "../text/row.ts"
import { sanitize } from "../text/sanitize.ts"
import { lineRow } from "../overlays/option-rows.ts"
import { type Item, rowItem } from "./list-state.ts"
import type { PaneScene } from "./scene.ts"
import { shortRow } from "./short-row.ts"

/** Files that were read, written or named, the latest first. */

const PATH: Look = { role: "text" }
const MARK: Look = { role: "subtle" }
const WRITTEN: Look = { role: "warning", bold: true }

/** Narrower rows need their room for the path. */
const WORDS_FROM = 36

const fileRow = (file: TouchedFile, { session, width }: PaneScene): Row => {
  const { path, reads, writes, mentions, turnsAgo } = file
  const counts = [
    reads > 0 ? `r${reads}` : "",
    writes > 0 ? `w${writes}` : "",
    mentions > 0 ? `@${mentions}` : "",
    turnsAgo > 0 && width >= WORDS_FROM ? `${plural(turnsAgo, "turn")} ago` : ""
  ]
    .filter((part) => part !== "")
    .join(" ")
  const name = shortRow(
    [
      { text: writes > 0 ? "± " : "  ", look: writes > 0 ? WRITTEN : MARK },
      ...sanitize(shortPath(path, session.cwd), "command", { look: PATH })
    ],
    Math.max(1, width - counts.length - 1)
  )
  const gap = " ".repeat(Math.max(1, width - name.width - counts.length))
  return lineRow([...name.spans, { text: gap + counts, look: MARK }], width)
}

export const fileItems = (scene: PaneScene): ReadonlyArray<Item> =>
  touchedFiles(scene.session.transcript)
    .toReversed()
    .map((file) => rowItem({ id: file.path, text: file.path }, { row: () => fileRow(file, scene), source: () => file.path }))
