/** Registers: text with a type, and the rules by which yanks and deletions are kept. */
import type { Shape } from "../../selection.ts"

export interface RegisterText {
  readonly type: Shape
  readonly lines: ReadonlyArray<string>
  /** Columns of a block. */
  readonly width?: number
}

export interface Registers {
  readonly texts: ReadonlyMap<string, RegisterText>
  /** The register that `"` stands for: the one last written. */
  readonly unnamed: string
}

export const NO_REGISTERS: Registers = { texts: new Map(), unnamed: "0" }

const APPENDS = /^[A-Z]$/
const WRITABLE = /^[a-zA-Z0-9"\-_+*]$/
const READABLE = /^[a-zA-Z0-9"\-_+*.:/%]$/

export const isWritable = (name: string): boolean => WRITABLE.test(name)
/** Whether a register keeps a text, and does not only tell what was searched for or typed. */
export const isKept = (name: string): boolean => !/^[.:/%]$/.test(name)
export const isReadable = (name: string): boolean => READABLE.test(name)
export const isClipboard = (name: string | undefined): boolean => name === "+" || name === "*"

/** What a register reads as; the read-only ones are kept up to date by those who own the facts. */
export const readRegister = (registers: Registers, name: string | undefined): RegisterText | undefined => {
  const asked = name ?? '"'
  return registers.texts.get(asked === '"' ? registers.unnamed : asked.toLowerCase())
}

const joinTexts = (old: RegisterText, added: RegisterText): RegisterText => {
  if (added.type === "line" || old.type !== "char") {
    return { ...old, type: added.type === "line" ? "line" : old.type, lines: [...old.lines, ...added.lines] }
  }
  const last = old.lines.at(-1) ?? ""
  const [first = "", ...rest] = added.lines
  return { ...old, lines: [...old.lines.slice(0, -1), last + first, ...rest] }
}

/** Puts text into one register, appending for an upper-case name. */
export const writeRegister = (registers: Registers, name: string, text: RegisterText): Registers => {
  if (name === "_") return registers
  const target = name === '"' ? "0" : name.toLowerCase()
  const old = APPENDS.test(name) ? registers.texts.get(target) : undefined
  const kept = old === undefined ? text : joinTexts(old, text)
  return { texts: new Map(registers.texts).set(target, kept), unnamed: target }
}

/** Keeps a fact in a read-only register without making it the unnamed one. */
export const noteRegister = (registers: Registers, name: string, line: string): Registers => ({
  ...registers,
  texts: new Map(registers.texts).set(name, { type: "char", lines: [line] })
})

export const keepYank = (registers: Registers, name: string | undefined, text: RegisterText): Registers =>
  writeRegister(registers, name ?? "0", text)

const shiftNumbered = (registers: Registers, text: RegisterText): Registers => {
  const texts = new Map(registers.texts)
  for (let number = 9; number > 1; number--) {
    const older = texts.get(String(number - 1))
    if (older === undefined) texts.delete(String(number))
    else texts.set(String(number), older)
  }
  return { texts: texts.set("1", text), unnamed: "1" }
}

export interface Deletion {
  readonly name: string | undefined
  readonly text: RegisterText
  /** Some motions always use the numbered registers, however small the deletion. */
  readonly numbered: boolean
}

/** A deletion goes to the named register, to `1` with a shift, and unnamed ones within a line to `-`. */
export const keepDeletion = (registers: Registers, { name, text, numbered }: Deletion): Registers => {
  if (name === "_") return registers
  const named = name === undefined ? registers : writeRegister(registers, name, text)
  const short = text.type !== "line" && text.lines.length === 1
  const shifted = numbered || !short ? shiftNumbered(named, text) : named
  if (name === undefined && short) return { texts: new Map(shifted.texts).set("-", text), unnamed: "-" }
  return name !== undefined && APPENDS.test(name) ? { ...shifted, unnamed: named.unnamed } : shifted
}
