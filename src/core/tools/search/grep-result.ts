import type { FileCount, Found, GrepLine } from "./search-result.ts"
import { displayPath, incompleteNote, warningNote } from "./display.ts"
import { type Page, pageOf, type PageRequest } from "./page.ts"
import type { GrepMode } from "./grep.ts"

/** What a search found as the record hosts know and as the text the model sees. */
export interface GrepData {
  readonly mode: GrepMode
  readonly numFiles: number
  readonly filenames: ReadonlyArray<string>
  readonly content?: string
  readonly numLines?: number
  readonly numMatches?: number
  readonly appliedLimit?: number
  readonly appliedOffset?: number
  /** The search ended early: there may be more. */
  readonly partial?: true
}

export interface GrepResult {
  readonly data: GrepData
  readonly text: string
}

export interface GrepView extends PageRequest {
  readonly cwd: string
  readonly lineNumbers: boolean
  readonly timeoutMs: number
}

type Applied = Pick<GrepData, "appliedLimit" | "appliedOffset" | "partial">

const appliedOf = (page: Page<unknown>, found: Found<unknown>): Applied => ({
  ...(page.appliedLimit === undefined ? {} : { appliedLimit: page.appliedLimit }),
  ...(page.appliedOffset === undefined ? {} : { appliedOffset: page.appliedOffset }),
  ...(found.complete ? {} : { partial: true })
})

const notes = (page: Page<unknown>, found: Found<unknown>, view: GrepView): ReadonlyArray<string> => [
  ...(page.appliedLimit === undefined
    ? []
    : [`(${page.appliedLimit} entries shown, more remain. Continue with offset ${view.offset + page.appliedLimit}.)`]),
  ...(found.complete ? [] : [incompleteNote(view.timeoutMs)]),
  ...(found.warning === undefined ? [] : [warningNote(found.warning)])
]

const NOTHING = "No matches found"

/** The body of a page: its entries, or why there are none. */
const body = (page: Page<unknown>, text: string): string => {
  if (page.pastEnd) return "No entries at this offset"
  return page.entries.length === 0 ? NOTHING : text
}

const plural = (count: number, singular: string): string =>
  count === 1 ? `1 ${singular}` : `${count} ${singular}${singular.endsWith("ch") ? "es" : "s"}`

export const filesResult = (found: Found<string>, view: GrepView): GrepResult => {
  const page = pageOf(found.entries, view)
  const filenames = page.entries.map((path) => displayPath(path, view.cwd))
  const text = [`${plural(found.entries.length, "file")} found`, ...filenames].join("\n")
  return {
    data: { mode: "files_with_matches", numFiles: filenames.length, filenames, ...appliedOf(page, found) },
    text: [body(page, text), ...notes(page, found, view)].join("\n")
  }
}

export const countsResult = (found: Found<FileCount>, view: GrepView): GrepResult => {
  const page = pageOf(found.entries, view)
  const content = page.entries.map((entry) => `${displayPath(entry.path, view.cwd)}:${entry.count}`).join("\n")
  const numMatches = found.entries.reduce((sum, entry) => sum + entry.count, 0)
  const numFiles = found.entries.length
  const total = `${plural(numMatches, "match")} in ${plural(numFiles, "file")} altogether`
  return {
    data: { mode: "count", numFiles, filenames: [], content, numMatches, ...appliedOf(page, found) },
    text: [body(page, content), ...(numFiles === 0 ? [] : [total]), ...notes(page, found, view)].join("\n")
  }
}

const lineText = (entry: GrepLine, view: GrepView): string => {
  if (entry.kind === "separator") return "--"
  const path = displayPath(entry.path, view.cwd)
  if (entry.kind === "notice") return `${path}: ${entry.text}`
  const mark = entry.kind === "match" ? ":" : "-"
  return view.lineNumbers ? `${path}${mark}${entry.line}${mark}${entry.text}` : `${path}${mark}${entry.text}`
}

export const linesResult = (found: Found<GrepLine>, view: GrepView): GrepResult => {
  const page = pageOf(found.entries, view)
  const content = page.entries.map((entry) => lineText(entry, view)).join("\n")
  return {
    data: {
      mode: "content",
      numFiles: 0,
      filenames: [],
      content,
      numLines: page.entries.length,
      ...appliedOf(page, found)
    },
    text: [body(page, content), ...notes(page, found, view)].join("\n")
  }
}
