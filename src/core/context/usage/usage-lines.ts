import { countText } from "../../domain/text/count-text.ts"
import type { CategoryChange, UsageChange } from "./compare.ts"
import { type ContextUsage, goesNext, type NextReduction, type UsageCategory } from "./context-usage.ts"
import { findingsOf } from "./findings.ts"
import { gridOf, letterOf } from "./grid.ts"
import type { UsageItem } from "./item.ts"

/** What fills a window as lines of plain text: for a terminal without the interface, for files and for hosts. */

const LABEL_COLUMNS = 46
const NAME_COLUMNS = 20
/** Items that are shown of a category when not all are. */
const LARGEST = 5

const percent = (tokens: number, windowTokens: number): string => `${((tokens / windowTokens) * 100).toFixed(1)}%`

/** How full the window is, in one line. */
export const headLine = ({ model, status }: ContextUsage): string => {
  const { usedTokens, windowTokens, percentLeft, autoCompact, isEstimated } = status
  const share = Math.round((usedTokens / windowTokens) * 100)
  const left = autoCompact ? `${percentLeft}% until auto-compact` : `${percentLeft}% left`
  const counted = isEstimated ? "about " : ""
  return `${model} · ${counted}${countText(usedTokens)} of ${countText(windowTokens)} tokens (${share}%) · ${left}`
}

const legendLines = ({ categories, spaces, status }: ContextUsage): ReadonlyArray<string> =>
  [...categories, ...spaces].map(({ id, label, tokens }) => {
    const figures = `${countText(tokens).padStart(7)} ${percent(tokens, status.windowTokens).padStart(6)}`
    return `${letterOf(id)} ${label.padEnd(NAME_COLUMNS)}${figures}`
  })

/** The picture, and beside it what its letters mean. */
const pictureLines = (usage: ContextUsage): ReadonlyArray<string> => {
  const grid = gridOf(usage).map((row) => row.map(({ id }) => letterOf(id)).join(" "))
  const legend = legendLines(usage)
  const width = grid[0]?.length ?? 0
  return Array.from({ length: Math.max(grid.length, legend.length) }, (_line, index) =>
    `${(grid[index] ?? "").padEnd(width)}   ${legend[index] ?? ""}`.trimEnd()
  )
}

const shorten = (label: string, columns: number): string =>
  label.length <= columns ? label : `${label.slice(0, columns - 1)}…`

/** Where an item stands, whether it is kept, and whether it goes. */
export const remarksOn = (item: UsageItem, next: NextReduction | undefined): ReadonlyArray<string> => [
  ...(item.turn === undefined ? [] : [`since turn ${item.turn}`]),
  ...(item.cached ? ["cached"] : []),
  ...(item.pinned ? ["pinned"] : []),
  ...(goesNext(item, next) ? ["goes next"] : [])
]

const itemLine = (item: UsageItem, next: NextReduction | undefined): string => {
  const label = shorten(item.label, LABEL_COLUMNS).padEnd(LABEL_COLUMNS)
  return `  ${label} ${countText(item.tokens).padStart(7)}  ${remarksOn(item, next).join(" · ")}`.trimEnd()
}

const categoryLines = (category: UsageCategory, next: NextReduction | undefined, all: boolean): ReadonlyArray<string> => {
  const items = all ? category.items : category.items.toSorted((left, right) => right.tokens - left.tokens).slice(0, LARGEST)
  const rest = category.items.length - items.length
  return [
    "",
    category.label,
    ...items.map((item) => itemLine(item, next)),
    ...(rest > 0 ? [`  … ${rest} more, with --all`] : [])
  ]
}

/** What will go when the window fills, in one sentence. */
export const nextLine = (next: NextReduction | undefined): string => {
  if (next === undefined) return "Nothing here can be taken out yet."
  const frees = countText(next.freesTokens)
  const what =
    next.kind === "clear"
      ? `${next.calls.size} old tool results are cleared (${frees} tokens)`
      : `${next.messages.size} older messages give way to a summary (${frees} tokens)`
  return next.atTokens === undefined ? `With /compact ${what}.` : `At ${countText(next.atTokens)} tokens ${what}.`
}

/** The whole report. */
export const usageLines = (usage: ContextUsage, { all }: { readonly all: boolean }): ReadonlyArray<string> => {
  const findings = findingsOf(usage).map(
    ({ text, freesTokens }) => `- ${text}${freesTokens === undefined ? "" : ` Frees ${countText(freesTokens)} tokens.`}`
  )
  return [
    headLine(usage),
    "",
    ...pictureLines(usage),
    ...usage.categories.flatMap((category) => categoryLines(category, usage.next, all)),
    "",
    nextLine(usage.next),
    ...(findings.length === 0 ? [] : ["", "Findings", ...findings])
  ]
}

const signed = (tokens: number): string => `${tokens < 0 ? "-" : "+"}${countText(Math.abs(tokens))}`

const changeLines = ({ label, before, after, added, removed }: CategoryChange): ReadonlyArray<string> => [
  "",
  `${label.padEnd(NAME_COLUMNS)} ${countText(before).padStart(7)} → ${countText(after).padStart(7)}  ${signed(after - before)}`,
  ...added.map(
    (item) => `  + ${shorten(item.label, LABEL_COLUMNS).padEnd(LABEL_COLUMNS)} ${countText(item.tokens).padStart(7)}`
  ),
  ...removed.map(
    (item) => `  - ${shorten(item.label, LABEL_COLUMNS).padEnd(LABEL_COLUMNS)} ${countText(item.tokens).padStart(7)}`
  )
]

/** What became of the window between two turns. */
export const diffLines = (change: UsageChange, [from, to]: readonly [number, number]): ReadonlyArray<string> => {
  const [was, is] = [change.before.usedTokens, change.after.usedTokens]
  return [
    `turn ${from}: ${countText(was)} tokens · turn ${to}: ${countText(is)} tokens · ${signed(is - was)}`,
    ...change.categories.flatMap(changeLines)
  ]
}
