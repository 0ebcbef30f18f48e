/** What a case reports, how it is judged, and how it is printed. */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} what
 * @property {"ms" | "us" | "ns" | "MB" | "KB" | "B" | "/s"} unit
 * @property {import("./measure.mjs").Summary} ours
 * @property {import("./measure.mjs").Summary} [floor]
 * @property {Target} [target] Absent: told, not judged.
 *
 * @typedef {object} Target
 * @property {"ratio" | "ours" | "added"} of What is bounded: ours by floor, our figure, or our figure less the floor.
 * @property {number} [most]
 * @property {number} [least]
 */

const valueOf = ({ ours, floor, target }) => {
  if (target.of === "ours") return ours.median
  return target.of === "added" ? ours.median - floor.median : ours.median / floor.median
}

/** How far a row is past its target: 1 is exactly on it, more is over. */
export const excess = (row) => {
  const { most, least } = row.target ?? {}
  if (most !== undefined) return valueOf(row) / most
  return least === undefined ? 0 : least / valueOf(row)
}

const digits = (value) => {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US")
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
}

const figure = (summary, unit) => {
  if (summary === undefined) return "-"
  const p90 = summary.p90 === summary.median ? "" : ` (p90 ${digits(summary.p90)})`
  return `${digits(summary.median)} ${unit}${p90}`
}

const ratioText = ({ ours, floor }) => {
  if (floor === undefined) return "-"
  const ratio = ours.median / floor.median
  return ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2)
}

const targetText = ({ target, unit }) => {
  if (target === undefined) return "-"
  const bound = target.most === undefined ? `>= ${digits(target.least)}` : `<= ${target.most}`
  return target.of === "ratio" ? `${bound}x` : `${target.of === "added" ? "added " : ""}${bound} ${unit}`
}

const verdictText = (row) => {
  if (row.target === undefined) return "-"
  return excess(row) <= 1 ? "ok" : "over"
}

const HEADINGS = ["name", "what", "ours", "floor", "ratio", "target", ""]

export const renderTable = (rows) => {
  const cells = rows.map((row) => [
    row.name,
    row.what,
    figure(row.ours, row.unit),
    figure(row.floor, row.unit),
    ratioText(row),
    targetText(row),
    verdictText(row)
  ])
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...cells.map((line) => line[column].length)))
  const printed = (line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd()
  return [HEADINGS, widths.map((width) => "-".repeat(width)), ...cells].map(printed).join("\n")
}
