import * as Yaml from "effect/encoding/Yaml"
import { isRaw } from "../json/json-object.ts"

/** What stands between two lines of three dashes before a text of Markdown: fields about it, as YAML. */
export interface SplitText {
  /** Lines between the two marks; undefined when the text has none. */
  readonly fields: ReadonlyArray<string> | undefined
  readonly body: string
}

const MARK = /^---[ \t]*$/

/** The lines of the front matter, and what follows it. */
export const splitFrontMatter = (text: string): SplitText => {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/)
  const end = MARK.test(lines[0] ?? "") ? lines.findIndex((line, at) => at > 0 && MARK.test(line)) : -1
  if (end < 0) return { fields: undefined, body: text }
  return { fields: lines.slice(1, end), body: lines.slice(end + 1).join("\n") }
}

export interface FrontMatter {
  /** What could be read; nothing of it is checked. */
  readonly fields: ReadonlyMap<string, unknown>
  readonly body: string
  /** Why it is not understood as a whole, with the line of the file. */
  readonly problem?: { readonly line: number; readonly why: string }
}

/** A reader of YAML takes long for more. */
const MOST_CHARS = 64 * 1024

const FIELD = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/
const ENTRY = /^[ \t]*-[ \t]+(.*)$/

export const unquoted = (value: string): string => {
  const text = value.trim()
  return /^(["'])((?:(?!\1).)*)\1$/.exec(text)?.[2] ?? text
}

type Read = Omit<FrontMatter, "body">

/** Fields and lists of plain words line by line: YAML does not know globs without quotes, but what they mean is plain. */
const readLines = (lines: ReadonlyArray<string>): Read => {
  const fields = new Map<string, string | Array<string>>()
  let current = ""
  let bad: number | undefined
  for (const [at, line] of lines.entries()) {
    const field = FIELD.exec(line)
    const entry = ENTRY.exec(line)?.[1]
    const list = fields.get(current)
    if (field?.[1] !== undefined) {
      current = field[1]
      fields.set(current, field[2]?.trim() ? unquoted(field[2]) : [])
    } else if (entry !== undefined && Array.isArray(list)) list.push(unquoted(entry))
    else if (!/^[ \t]*(?:#.*)?$/.test(line)) bad ??= at
  }
  const readable = new Map([...fields].filter(([, value]) => value.length > 0))
  return bad === undefined ? { fields: readable } : { fields: readable, problem: { line: bad + 2, why: "it is not YAML" } }
}

const readFields = (lines: ReadonlyArray<string>): Read => {
  const text = lines.join("\n")
  if (text.length > MOST_CHARS) return { fields: new Map(), problem: { line: 1, why: "it is longer than 64 KiB" } }
  try {
    const value = Yaml.parse(text)
    if (isRaw(value)) return { fields: new Map(Object.entries(value)) }
    if (value === null || value === undefined) return { fields: new Map() }
  } catch {
    return readLines(lines)
  }
  return readLines(lines)
}

/** The fields and the text behind them. It answers for every text. */
export const readFrontMatter = (text: string): FrontMatter => {
  const { fields, body } = splitFrontMatter(text)
  return fields === undefined ? { fields: new Map(), body } : { ...readFields(fields), body }
}
