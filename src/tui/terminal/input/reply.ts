import type { Reply, Rgb, SizeSubject } from "./event.ts"
import { numberAt, readFields, type Fields } from "./modifiers.ts"
import type { StringIntroducer } from "./state.ts"

/** Answers to our queries, by the form of the sequence that carries them. */
const numbersOf = (fields: Fields): ReadonlyArray<number> => fields.flatMap((field) => field[0] ?? [])

const SIZES: ReadonlyMap<number, SizeSubject> = new Map([
  [4, "windowPixels"],
  [6, "cellPixels"],
  [8, "screenCells"]
])

const sizeReply = (fields: Fields): Reply | undefined => {
  const of = SIZES.get(numberAt(fields, 0, 0))
  if (of === undefined || fields.length !== 3) return undefined
  return { _tag: "Size", of, height: numberAt(fields, 1, 0), width: numberAt(fields, 2, 0) }
}

const modeReport = (fields: Fields, isPrivate: boolean): Reply => ({
  _tag: "ModeReport",
  mode: numberAt(fields, 0, 0),
  isPrivate,
  value: numberAt(fields, 1, 0)
})

const cursorReply = (fields: Fields): Reply => ({
  _tag: "CursorPosition",
  row: Math.max(0, numberAt(fields, 0, 1) - 1),
  column: Math.max(0, numberAt(fields, 1, 1) - 1)
})

const privateReply = (fields: Fields, ending: string): Reply | undefined => {
  if (ending === "c") return { _tag: "PrimaryAttributes", attributes: numbersOf(fields) }
  if (ending === "u") return { _tag: "KeyboardFlags", flags: numberAt(fields, 0, 0) }
  if (ending === "$y") return modeReport(fields, true)
  if (ending === "R") return cursorReply(fields)
  const scheme = numberAt(fields, 1, 0)
  if (ending === "n" && numberAt(fields, 0, 0) === 997 && (scheme === 1 || scheme === 2)) {
    return { _tag: "ColourScheme", scheme: scheme === 1 ? "dark" : "light" }
  }
  return undefined
}

/** A reply in a CSI sequence: its body without the final character, and that character. */
export const csiReply = (body: string, final: string): Reply | undefined => {
  const marker = /^[?>]/.exec(body)?.[0] ?? ""
  const hasDollar = body.endsWith("$")
  const fields = readFields(body.slice(marker.length, hasDollar ? -1 : undefined))
  if (fields === undefined) return undefined
  const ending = (hasDollar ? "$" : "") + final
  if (marker === "?") return privateReply(fields, ending)
  if (marker === ">" && ending === "c") return { _tag: "SecondaryAttributes", attributes: numbersOf(fields) }
  if (marker !== "") return undefined
  if (ending === "$y") return modeReport(fields, false)
  if (ending === "R") return cursorReply(fields)
  return ending === "t" ? sizeReply(fields) : undefined
}

const COLOUR = /^(1[01]);(?:rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]+)?|#([0-9a-f]{6}))$/i

/** A channel has one to four hexadecimal digits, each count with its own full value. */
const channel = (digits: string): number => Math.round((Number.parseInt(digits, 16) * 255) / (16 ** digits.length - 1))

const colourReply = (body: string): Reply | undefined => {
  const match = COLOUR.exec(body)
  if (match === null) return undefined
  const [, which, red = "", green = "", blue = "", packed] = match
  const rgb: Rgb =
    packed === undefined
      ? [channel(red), channel(green), channel(blue)]
      : [channel(packed.slice(0, 2)), channel(packed.slice(2, 4)), channel(packed.slice(4))]
  return { _tag: "Colour", which: which === "10" ? "foreground" : "background", rgb }
}

const fromHex = (digits: string): string =>
  (digits.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join("")

const CAPABILITY = /^([01])\+r([0-9a-f]*)(?:=([0-9a-f]*))?/i

const deviceReply = (body: string): Reply | undefined => {
  if (body.startsWith(">|")) return { _tag: "TerminalVersion", text: body.slice(2) }
  const match = CAPABILITY.exec(body)
  if (match === null) return undefined
  const [, known, name = "", value] = match
  return known === "1"
    ? { _tag: "Capability", name: fromHex(name), value: fromHex(value ?? "") }
    : { _tag: "Capability", name: fromHex(name) }
}

/** A reply in a control string: OSC for colours, DCS for the version and for capabilities. */
export const stringReply = (introducer: StringIntroducer, body: string): Reply | undefined =>
  introducer === "]" ? colourReply(body) : introducer === "P" ? deviceReply(body) : undefined
