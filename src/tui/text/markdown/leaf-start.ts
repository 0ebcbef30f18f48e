/** Blocks that begin with a line of their own, or turn the paragraph above into something else. */
import type { Alignment } from "./frame.ts"
import { indentOf } from "./indent.ts"
import { ATX, ATX_CLOSE, BLANK, cellsOf, FENCE, htmlEnd, RULE, SETEXT, TABLE_RULE } from "./marks.ts"
import { closeOpen, type Cursor, emit, endOf, trimBlanks, type Work } from "./open-leaf.ts"

const alignmentOf = (cell: string): Alignment => (cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : "left")

/** A paragraph's last line and a rule of as many cells below it are the head of a table. */
export const takeTableHead = (work: Work, { rest, at, line }: Cursor): boolean => {
  const { open } = work
  const head = open?.kind === "paragraph" ? open.lines.at(-1) : undefined
  if (open?.kind !== "paragraph" || head === undefined || !rest.includes("|") || !TABLE_RULE.test(rest)) return false
  const cells = cellsOf(rest)
  if (cells.length !== cellsOf(head.text).length) return false
  const before = open.lines.slice(0, -1)
  const start = before.length === 0 ? open.start : endOf(before, open.start)
  if (before.length > 0) {
    work.open = { ...open, lines: before }
    closeOpen(work)
  }
  work.open = {
    kind: "table",
    align: cells.map(({ from, to }) => alignmentOf(rest.slice(from, to))),
    lines: [head, { text: rest, at, end: line.end }],
    fresh: before.length === 0 ? open.fresh : work.frames.length,
    start,
    continued: false
  }
  return true
}

export const takeSetext = (work: Work, { rest, line }: Cursor): boolean => {
  const { open } = work
  const mark = SETEXT.exec(rest)?.[1]
  if (open?.kind !== "paragraph" || open.lines.length === 0 || mark === undefined) return false
  work.open = undefined
  const { lines, fresh, start } = open
  emit(work, { kind: "heading", depth: mark.startsWith("=") ? 1 : 2, lines, fresh, start, end: line.end })
  return true
}

export const startsLeaf = (rest: string): boolean =>
  indentOf(rest) < 4 && (ATX.test(rest) || FENCE.test(rest) || RULE.test(rest) || htmlEnd(rest) !== undefined)

/** Headings, rules, fences and HTML: what begins a block even in the middle of a paragraph. */
export const takeLeafStart = (work: Work, cursor: Cursor, fresh: number): boolean => {
  const { rest, at, line } = cursor
  if (indentOf(rest) >= 4) return false
  const place = { fresh, start: line.start, end: line.end }
  const heading = ATX.exec(rest)
  const fence = FENCE.exec(rest)
  const end = htmlEnd(rest)
  if (heading?.[1] === undefined && fence === null && end === undefined && !RULE.test(rest)) return false
  closeOpen(work)
  if (heading?.[1] !== undefined) {
    const text = rest.slice(heading[0].length).replace(ATX_CLOSE, "")
    const lines = [trimBlanks(text, at + heading[0].length, line.end)]
    emit(work, { kind: "heading", depth: heading[1].length, lines, ...place })
  } else if (fence !== null) {
    work.open = { kind: "fence", mark: fence[2] ?? "```", indent: fence[1]?.length ?? 0, depth: work.frames.length }
    emit(work, { kind: "fence", info: (fence[3] ?? "").trim(), ...place })
  } else if (end !== undefined) {
    emit(work, { kind: "html", line: { text: rest, at, end: line.end }, ...place })
    const over = end !== BLANK && end.test(rest.slice(rest.indexOf("<") + 1))
    work.open = over ? undefined : { kind: "html", end, depth: work.frames.length }
  } else {
    emit(work, { kind: "rule", ...place })
  }
  return true
}
