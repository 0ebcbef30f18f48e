/**
 * From strokes to a command: register, counts, then a command, an operator with what it works on, or a motion. The
 * tables say what exists; this file only knows how they combine.
 */
import type { Shape } from "../selection.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import type { Alias } from "./aliases.ts"
import type { Invocation, Operand } from "./state/invocation.ts"
import { motions } from "./motions/table.ts"
import { textObjects } from "./objects/table.ts"
import { operators } from "./operators/table.ts"
import { isReadable } from "./state/register.ts"

/** What a command waits for after its keys. */
export interface Taking {
  readonly takes?: "char"
}

export interface Grammar {
  readonly visual: boolean
  /** Commands that are neither operators nor motions. */
  readonly actions: ReadonlyMap<string, Taking>
  /** Commands that stand for an operator with its motion. */
  readonly aliases: ReadonlyMap<string, Alias>
}

export type Parsed =
  | { readonly kind: "incomplete"; readonly operator: string | undefined }
  /** A line must be typed before the command is complete. */
  | { readonly kind: "line"; readonly prompt: "/" | "?" }
  | { readonly kind: "complete"; readonly invocation: Invocation }
  | { readonly kind: "unknown" }

const PREFIXES = new Set(["g", "z", "Z", "[", "]", "<C-w>"])
/** Selections of a match, which stand where motions do; whether they look back. */
const MATCHES: ReadonlyMap<string, boolean> = new Map([
  ["gn", false],
  ["gN", true]
])
const FORCES: ReadonlyMap<string, Shape> = new Map([
  ["v", "char"],
  ["V", "line"],
  ["<C-v>", "block"]
])
const MOST = 99_999_999

interface Reader {
  readonly strokes: ReadonlyArray<Stroke>
  /** The line that was typed for a motion that takes one. */
  readonly line: string | undefined
  at: number
}

const readCount = (reader: Reader): number | undefined => {
  let digits = ""
  for (let key = reader.strokes[reader.at]; key !== undefined; key = reader.strokes[++reader.at]) {
    if (key === "<Del>" && digits !== "") digits = digits.slice(0, -1)
    else if (/^[1-9]$/.test(key) || (key === "0" && digits !== "")) digits += key
    else break
  }
  return digits === "" ? undefined : Math.min(Number(digits), MOST)
}

const multiply = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a * b, MOST)

/** The keys of one command: one stroke, or two behind a prefix. Undefined while the second is missing. */
const readName = (reader: Reader): string | undefined => {
  const first = reader.strokes[reader.at]
  if (first === undefined) return undefined
  if (!PREFIXES.has(first)) {
    reader.at++
    return first
  }
  const second = reader.strokes[reader.at + 1]
  if (second === undefined) return undefined
  reader.at += 2
  return first + second
}

type Argument = { readonly kind: "ready"; readonly text: string } | Exclude<Parsed, { kind: "complete" }>

const readArgument = (reader: Reader, takes: "char" | "line" | undefined, name: string): Argument => {
  if (takes === undefined) return { kind: "ready", text: "" }
  if (takes === "line") {
    if (reader.line !== undefined) return { kind: "ready", text: reader.line }
    return { kind: "line", prompt: name === "?" ? "?" : "/" }
  }
  const stroke = reader.strokes[reader.at++]
  if (stroke === undefined) return { kind: "incomplete", operator: undefined }
  return stroke === "<Esc>" ? { kind: "unknown" } : { kind: "ready", text: stroke }
}

/** Doubled keys mean whole lines: `dd`, `gUU`, `gUgU`. */
const isDoubled = (operator: string, name: string): boolean =>
  name === operator || (operator.length > 1 && name === operators.get(operator)?.double)

const readObject = (reader: Reader, key: Stroke): Operand | "incomplete" | undefined => {
  const name = reader.strokes[reader.at + 1]
  if (name === undefined) return "incomplete"
  if (!textObjects.has(name)) return undefined
  reader.at += 2
  return { kind: "object", name: key + name }
}

const readForce = (reader: Reader): Shape | undefined => {
  const shape = FORCES.get(reader.strokes[reader.at] ?? "")
  if (shape !== undefined) reader.at++
  return shape
}

type OperandResult =
  | { readonly kind: "ready"; readonly operand: Operand; readonly count: number | undefined; readonly force?: Shape }
  | Exclude<Parsed, { kind: "complete" }>

const readOperand = (reader: Reader, operator: string): OperandResult => {
  const waiting = { kind: "incomplete", operator } as const
  let count = readCount(reader)
  let force: Shape | undefined
  for (let shape = readForce(reader); shape !== undefined; shape = readForce(reader)) {
    force = shape
    count = multiply(count, readCount(reader))
  }
  const rest = force === undefined ? { count } : { count, force }
  const key = reader.strokes[reader.at]
  if (key === undefined) return waiting
  if (key === "i" || key === "a") {
    const object = readObject(reader, key)
    if (object === "incomplete") return waiting
    return object === undefined ? { kind: "unknown" } : { kind: "ready", operand: object, ...rest }
  }
  const name = readName(reader)
  if (name === undefined) return waiting
  if (isDoubled(operator, name)) return { kind: "ready", operand: { kind: "lines" }, ...rest }
  const backward = MATCHES.get(name)
  if (backward !== undefined) return { kind: "ready", operand: { kind: "match", backward }, ...rest }
  const motion = motions.get(name)
  if (motion === undefined) return { kind: "unknown" }
  const argument = readArgument(reader, motion.takes, name)
  if (argument.kind === "incomplete") return waiting
  if (argument.kind !== "ready") return argument
  return { kind: "ready", operand: { kind: "motion", name, argument: argument.text }, ...rest }
}

interface Prefix {
  readonly register: string | undefined
  readonly count: number | undefined
}

const readPrefix = (reader: Reader): Prefix | "incomplete" | "unknown" => {
  let register: string | undefined
  let count = readCount(reader)
  while (reader.strokes[reader.at] === '"') {
    const name = reader.strokes[reader.at + 1]
    if (name === undefined) return "incomplete"
    if (!isReadable(name)) return "unknown"
    register = name
    reader.at += 2
    count = multiply(count, readCount(reader))
  }
  return { register, count }
}

const complete = (invocation: Invocation): Parsed => ({ kind: "complete", invocation })

const readMotion = (reader: Reader, prefix: Prefix, name: string): Parsed | undefined => {
  const backward = MATCHES.get(name)
  if (backward !== undefined)
    return complete({ name: "move", ...prefix, argument: "", operand: { kind: "match", backward } })
  const motion = motions.get(name)
  if (motion === undefined) return undefined
  const argument = readArgument(reader, motion.takes, name)
  if (argument.kind !== "ready") return argument
  return complete({ name: "move", ...prefix, argument: "", operand: { kind: "motion", name, argument: argument.text } })
}

const readAction = (reader: Reader, prefix: Prefix, rule: { name: string; action: Taking }): Parsed => {
  const argument = readArgument(reader, rule.action.takes, rule.name)
  if (argument.kind !== "ready") return argument
  return complete({ name: rule.name, ...prefix, argument: argument.text })
}

const readOperator = (reader: Reader, prefix: Prefix, name: string): Parsed => {
  const found = readOperand(reader, name)
  if (found.kind !== "ready") return found
  const { operand, force } = found
  const count = multiply(prefix.count, found.count)
  return complete({ name, register: prefix.register, count, argument: "", operand, ...(force && { force }) })
}

export const parse = (strokes: ReadonlyArray<Stroke>, grammar: Grammar, line?: string): Parsed => {
  const reader: Reader = { strokes, line, at: 0 }
  const prefix = readPrefix(reader)
  if (prefix === "incomplete") return { kind: "incomplete", operator: undefined }
  if (prefix === "unknown") return { kind: "unknown" }
  const key = strokes[reader.at]
  if (key === undefined) return { kind: "incomplete", operator: undefined }
  if (grammar.visual && (key === "i" || key === "a")) {
    const object = readObject(reader, key)
    if (object === "incomplete") return { kind: "incomplete", operator: undefined }
    if (object === undefined) return { kind: "unknown" }
    return complete({ name: "move", ...prefix, argument: "", operand: object })
  }
  const name = readName(reader)
  if (name === undefined) return { kind: "incomplete", operator: undefined }
  const action = grammar.actions.get(name)
  if (action !== undefined) return readAction(reader, prefix, { name, action })
  const alias = grammar.aliases.get(name)
  if (alias !== undefined) return complete({ ...prefix, argument: "", ...alias })
  if (operators.has(name)) {
    return grammar.visual ? complete({ name, ...prefix, argument: "" }) : readOperator(reader, prefix, name)
  }
  return readMotion(reader, prefix, name) ?? { kind: "unknown" }
}
