import { takeBytes, utf8Bytes } from "../../domain/text/bytes.ts"
import { splitFrontMatter } from "../../domain/text/front-matter.ts"
import { withoutComments } from "../../domain/text/markdown-lines.ts"

/** The index of the memory: one line for each topic, which every conversation begins with. */
export const INDEX = "MEMORY.md"

export const INDEX_LINES = 200
export const INDEX_BYTES = 25_000
/** The longest line that a topic should have. */
export const INDEX_LINE_CHARS = 150

/** The first bytes of a text, ended at a line or else at a character. */
const firstBytes = (text: string, bytes: number): string => {
  const taken = takeBytes(text, bytes)
  const border = taken === text ? -1 : taken.lastIndexOf("\n")
  return border > 0 ? taken.slice(0, border) : taken
}

export interface CutIndex {
  readonly text: string
  /** What is missing, for people and the model; undefined when it is whole. */
  readonly cut: string | undefined
}

/** As much of the index as a conversation begins with. */
export const cutIndex = (raw: string): CutIndex => {
  const text = withoutComments(splitFrontMatter(raw.replaceAll("\r\n", "\n")).body).trim()
  const lines = text.split("\n")
  const shown = firstBytes(lines.slice(0, INDEX_LINES).join("\n"), INDEX_BYTES)
  if (shown === text) return { text, cut: undefined }
  const count = shown.split("\n").length
  const limit = count < INDEX_LINES ? `${INDEX_BYTES} bytes` : `${INDEX_LINES} lines`
  return { text: shown, cut: `${INDEX} has ${lines.length} lines; only the first ${count} are here (${limit} at most)` }
}

/** The index as a conversation gets it; nothing when there is nothing in it. */
export const indexText = (raw: string): string | undefined => {
  const { text, cut } = cutIndex(raw)
  if (text === "") return undefined
  return cut === undefined ? text : `${text}\n\n> ${cut}. Make it shorter: one line for each topic, details in its file.`
}

const linkTo = (line: string, file: string): boolean => line.includes(`](${file})`) || line.includes(`](./${file})`)

const indexLine = (file: string, title: string, hook: string): string => {
  const plain = (text: string): string => text.replace(/\s+/g, " ").trim()
  const start = `- [${plain(title).replace(/[[\]]/g, "")}](${file})`
  const words = plain(hook)
  const left = INDEX_LINE_CHARS - start.length - 3
  return words === "" || left < 10 ? start : `${start} — ${words.length > left ? `${words.slice(0, left - 1)}…` : words}`
}

export interface IndexEntry {
  readonly file: string
  readonly title: string
  readonly hook: string
}

/** The index with a line for a topic; one that it has already is replaced. */
export const withEntry = (index: string, { file, title, hook }: IndexEntry): string => {
  const line = indexLine(file, title, hook)
  const lines = index.replaceAll("\r\n", "\n").trimEnd().split("\n")
  const at = lines.findIndex((each) => linkTo(each, file))
  if (at >= 0) return `${lines.with(at, line).join("\n")}\n`
  return index.trim() === "" ? `${line}\n` : `${[...lines, line].join("\n")}\n`
}

/** What the index says about a topic, line by line. */
export const entriesFor = (index: string, file: string): ReadonlyArray<string> =>
  index.split(/\r?\n/).filter((line) => linkTo(line, file))

/** The index without the lines of a topic. */
export const withoutEntry = (index: string, file: string): string => {
  const lines = index.split("\n")
  const left = lines.filter((line) => !linkTo(line, file))
  return left.length === lines.length ? index : left.join("\n")
}

/** The index with lines that were taken out of it; those that it has again are not doubled. */
export const withLines = (index: string, entries: ReadonlyArray<string>): string => {
  const present = new Set(index.split(/\r?\n/))
  const missing = entries.filter((line) => !present.has(line))
  const start = index === "" || index.endsWith("\n") ? index : `${index}\n`
  return missing.length === 0 ? index : `${start}${missing.join("\n")}\n`
}

/** How near the index is to what a conversation takes of it, in percent of the limit that comes first. */
export const indexFill = (raw: string): number => {
  const text = raw.trimEnd()
  const lines = text === "" ? 0 : text.split("\n").length
  return Math.round(100 * Math.max(lines / INDEX_LINES, utf8Bytes(text) / INDEX_BYTES))
}
