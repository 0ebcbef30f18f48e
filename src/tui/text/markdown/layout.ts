/** One leaf of a Markdown text becomes rows. What a leaf needs to know of those before it is the layout's state. */
import type { Links } from "marked"
import { languageNamed } from "../code/language-names.ts"
import { DIM, lookOf, TEXT, withTrait } from "../../screen/style/look.ts"
import { type Colouring, NO_COLOURING } from "../code/paint.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { decoration, fitMargin, rowsOfLine } from "../rows.ts"
import { sanitize } from "../sanitize.ts"
import { columnsOf } from "../wrap.ts"
import { codeRows, fenceRows } from "./code.ts"
import type { MarkdownOptions } from "./context.ts"
import type { Fragment, Leaf } from "./frame.ts"
import { inlineLines } from "./inline.ts"
import { locateText } from "./located.ts"
import { isQuoted, marginOf } from "./margin.ts"
import { type TableHead, tableRows } from "./table.ts"

export interface LayoutState {
  readonly colouring: Colouring
  readonly table: TableHead | undefined
  /** Definitions seen so far: a reference finds only those before it, so that rows once shown stay. */
  readonly links: Links
}

/** Without a prototype: a label may be `constructor`. */
const definitions = (known: Links, label: string, href: string): Links =>
  Object.assign(Object.create(null), known, { [label]: { href, title: "" } })

export const LAYOUT_START: LayoutState = { colouring: NO_COLOURING, table: undefined, links: Object.create(null) }

export interface LaidOut {
  readonly rows: ReadonlyArray<Row>
  readonly state: LayoutState
}

const HEADING = lookOf("heading")
const STRONG = withTrait(HEADING, "bold")
const HEADINGS: ReadonlyArray<Look> = [withTrait(STRONG, "underline"), STRONG, withTrait(HEADING, "underline"), HEADING]
const RULE = lookOf("tableBorder")
const QUOTED = lookOf("quote")

const headingLook = (depth: number): Look => HEADINGS[depth - 1] ?? HEADING

interface Prose {
  readonly lines: ReadonlyArray<Fragment>
  readonly look: Look
  readonly open: boolean
}

/** Lines of the source stay lines on the screen; only long ones wrap. */
const proseRows = (
  leaf: Leaf,
  prose: Prose,
  { options, links }: { readonly options: MarkdownOptions; readonly links: Links }
): ReadonlyArray<Row> => {
  const { look, lines, open } = prose
  const pieces = inlineLines(locateText(lines), { look, links, workspace: options.cwd, open })
  const margin = marginOf(leaf, options.glyphs)
  return pieces.flatMap((line, index) => {
    const start = index === 0 ? leaf.start : (lines[index - 1]?.end ?? leaf.start)
    const end = index === pieces.length - 1 ? leaf.end : (lines[index]?.end ?? leaf.end)
    const first = index === 0 ? margin.first : margin.rest
    return rowsOfLine(line, { start, end }, { width: options.width, margin: { first, rest: margin.rest } })
  })
}

const blankRow = (leaf: Leaf, { glyphs, width }: MarkdownOptions): Row => {
  const frames = leaf.frames.slice(0, leaf.frames.findLastIndex((frame) => frame.kind === "quote") + 1)
  const spans = fitMargin(marginOf({ frames, fresh: frames.length }, glyphs).rest, width)
  return { ...decoration(spans, leaf.start), end: leaf.end }
}

const ruleRows = (leaf: Leaf, { glyphs, width }: MarkdownOptions): ReadonlyArray<Row> => {
  const margin = marginOf(leaf, glyphs)
  const room = Math.max(1, width - columnsOf(fitMargin(margin.first, width)))
  const text = (glyphs === "unicode" ? "─" : "-").repeat(room)
  const pieces: ReadonlyArray<Span> = [{ text, look: RULE, at: leaf.start, covers: leaf.end - leaf.start }]
  return rowsOfLine(pieces, leaf, { width, margin })
}

const verbatimRows = (
  leaf: Leaf,
  line: Fragment,
  { look, options }: { readonly look: Look; readonly options: MarkdownOptions }
): ReadonlyArray<Row> =>
  rowsOfLine(sanitize(line.text, "prose", { look, at: line.at }), leaf, {
    width: options.width,
    margin: marginOf(leaf, options.glyphs)
  })

/** `open`: the leaf is the last one and may still grow. */
export const layoutLeaf = (
  leaf: Leaf,
  state: LayoutState,
  { options, open }: { readonly options: MarkdownOptions; readonly open: boolean }
): LaidOut => {
  const { links } = state
  const same = (rows: ReadonlyArray<Row>): LaidOut => ({ rows, state })
  switch (leaf.kind) {
    case "paragraph":
      return same(
        proseRows(leaf, { lines: leaf.lines, look: isQuoted(leaf.frames) ? QUOTED : TEXT, open }, { options, links })
      )
    case "heading":
      return same(proseRows(leaf, { lines: leaf.lines, look: headingLook(leaf.depth), open }, { options, links }))
    case "fence": {
      const language = options.highlight ? languageNamed(leaf.info) : undefined
      return { rows: fenceRows(leaf, options), state: { ...state, colouring: { language, state: [] } } }
    }
    case "fenceEnd":
      return { rows: fenceRows(leaf, options), state: { ...state, colouring: NO_COLOURING } }
    case "code": {
      const { rows, colouring } = codeRows(leaf, options, leaf.fenced ? state.colouring : NO_COLOURING)
      return { rows, state: { ...state, colouring } }
    }
    case "table": {
      const { rows, head } = tableRows(leaf, { options, links, head: state.table })
      return { rows, state: { ...state, table: head } }
    }
    case "definition": {
      const label = leaf.label.trim().replaceAll(/\s+/g, " ").toLowerCase().toUpperCase().toLowerCase()
      const known = Object.hasOwn(links, label) ? links : definitions(links, label, leaf.href)
      return { rows: verbatimRows(leaf, leaf.line, { look: DIM, options }), state: { ...state, links: known } }
    }
    case "html":
      return same(verbatimRows(leaf, leaf.line, { look: TEXT, options }))
    case "rule":
      return same(ruleRows(leaf, options))
    case "empty":
      return same(rowsOfLine([], leaf, { width: options.width, margin: marginOf(leaf, options.glyphs) }))
    case "blank":
      return same([blankRow(leaf, options)])
  }
}
