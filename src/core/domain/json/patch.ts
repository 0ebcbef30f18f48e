import { Result } from "effect"
import {
  isList,
  isObject,
  type Json,
  type JsonMember,
  type JsonNode,
  locationFrom,
  plainOf,
  readJson
} from "./positioned-json.ts"
import { describeBreak } from "./syntax-error.ts"

/**
 * Changes of a settings file as text to text: what is not named keeps every byte, its order and its place. `undefined`
 * deletes; a list replaces the old one as a whole.
 */
export interface Edit {
  readonly path: ReadonlyArray<string>
  readonly value: Json | undefined
}

type ObjectNode = JsonNode & { readonly kind: "object" }

const DEFAULT_INDENT = "  "

const indentOf = (text: string): string => /\n([ \t]+)"/.exec(text)?.[1] ?? DEFAULT_INDENT

const lineEndOf = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n")

/** White space before the line's first character. */
const marginAt = (text: string, at: number): string => {
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ""
}

interface Style {
  readonly indent: string
  readonly lineEnd: string
}

const written = (value: Json, style: Style, margin: string): string =>
  JSON.stringify(value, null, style.indent).replaceAll("\n", `${style.lineEnd}${margin}`)

const onOneLine = (value: Json): string => {
  if (isList(value)) return `[${value.map(onOneLine).join(", ")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`)
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

/** `{a: {b: 1}}` for the rest of a path that the file does not have. */
const nested = (path: ReadonlyArray<string>, value: Json): Json =>
  path.reduceRight<Json>((inner, name) => Object.fromEntries([[name, inner]]), value)

const splice = (text: string, from: number, to: number, insert: string): string =>
  text.slice(0, from) + insert + text.slice(to)

const isOneLine = (text: string, { at, end }: JsonNode): boolean => !text.slice(at, end).includes("\n")

/** Adds a member at the end of an object. An object on one line stays on one line if it has members. */
const append = (text: string, node: ObjectNode, name: string, value: Json, style: Style): string => {
  const last = node.members.at(-1)
  const key = JSON.stringify(name)
  if (last !== undefined && isOneLine(text, node)) {
    return splice(text, last.value.end, last.value.end, `, ${key}: ${onOneLine(value)}`)
  }
  const margin = last === undefined ? marginAt(text, node.at) + style.indent : marginAt(text, last.at)
  const member = `${style.lineEnd}${margin}${key}: ${written(value, style, margin)}`
  if (last !== undefined) return splice(text, last.value.end, last.value.end, `,${member}`)
  return splice(text, node.at + 1, node.end - 1, `${member}${style.lineEnd}${marginAt(text, node.at)}`)
}

/** Takes a member out with its comma. */
const remove = (text: string, node: ObjectNode, index: number): string => {
  const member = node.members[index]
  const before = node.members[index - 1]
  const after = node.members[index + 1]
  if (member === undefined) return text
  if (after !== undefined) return splice(text, member.at, after.at, "")
  if (before !== undefined) return splice(text, before.value.end, member.value.end, "")
  return splice(text, node.at + 1, node.end - 1, "")
}

const sameJson = (left: string, right: Json): boolean => JSON.stringify(JSON.parse(left)) === JSON.stringify(right)

/** The last member of a name is the one that counts. */
const indexOfName = (members: ReadonlyArray<JsonMember>, name: string): number =>
  members.findLastIndex(({ key }) => key === name)

const editWithin = (text: string, node: ObjectNode, { path, value }: Edit, style: Style): string => {
  const [name = "", ...rest] = path
  const index = indexOfName(node.members, name)
  const member = node.members[index]
  if (member === undefined) return value === undefined ? text : append(text, node, name, nested(rest, value), style)
  const inner = member.value
  if (rest.length > 0 && inner.kind === "object") return editWithin(text, inner, { path: rest, value }, style)
  if (value === undefined) return rest.length > 0 ? text : remove(text, node, index)
  const wanted = nested(rest, value)
  if (sameJson(text.slice(inner.at, inner.end), wanted)) return text
  return splice(text, inner.at, inner.end, written(wanted, style, marginAt(text, member.at)))
}

const brokenText = (text: string): string => {
  const reading = readJson(text)
  if (reading._tag === "Read") return "the file holds no JSON object. Fix: put the settings between { and }"
  const { at, message, suggestion } = describeBreak(text, reading)
  const { line, column } = locationFrom(text, at)
  return `line ${line}, column ${column}: ${message}. Fix: ${suggestion}`
}

const editOnce = (text: string, edit: Edit): Result.Result<string, string> => {
  const isBlank = text.replace(/^\uFEFF/, "").trim() === ""
  if (isBlank && edit.value === undefined) return Result.succeed(text)
  const base = isBlank ? "{}\n" : text
  const reading = readJson(base)
  if (reading._tag === "Broken" || reading.node.kind !== "object") return Result.fail(brokenText(text))
  const next = editWithin(base, reading.node, edit, { indent: indentOf(base), lineEnd: lineEndOf(base) })
  // A name that stood twice must not come back with its older value.
  return edit.value === undefined && next !== base ? editOnce(next, edit) : Result.succeed(next)
}

/** The file after the edits, equal to the text itself when nothing changes. A text says why it cannot be edited. */
export const patchText = (text: string, edits: ReadonlyArray<Edit>): Result.Result<string, string> =>
  edits.reduce<Result.Result<string, string>>(
    (before, edit) => Result.flatMap(before, (current) => editOnce(current, edit)),
    Result.succeed(text)
  )

/** The value that a file itself has at a path; undefined where it has none or is not JSON. */
export const valueInText = (text: string, path: ReadonlyArray<string>): Json | undefined => {
  const reading = readJson(text)
  return reading._tag === "Broken"
    ? undefined
    : path.reduce<Json | undefined>(
        (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
        plainOf(reading.node)
      )
}

/** Changes a list by what the file holds at that moment, so that nobody else's item is lost. */
export const patchList = (
  text: string,
  path: ReadonlyArray<string>,
  change: (items: ReadonlyArray<Json>) => ReadonlyArray<Json>
): Result.Result<string, string> => {
  const present = valueInText(text, path)
  return patchText(text, [{ path, value: change(present !== undefined && isList(present) ? present : []) }])
}
