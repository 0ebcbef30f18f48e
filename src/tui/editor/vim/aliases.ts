/** Commands that are short for an operator with its motion. */
import type { Operand } from "./state/invocation.ts"

const by = (name: string): Operand => ({ kind: "motion", name, argument: "" })
const LINES: Operand = { kind: "lines" }

export interface Alias {
  readonly name: string
  readonly operand: Operand
  /** A register that was named is not used. */
  readonly register?: undefined
}

export const aliases: ReadonlyMap<string, Alias> = new Map<string, Alias>([
  ["x", { name: "d", operand: by("l") }],
  ["<Del>", { name: "d", operand: by("l"), register: undefined }],
  ["X", { name: "d", operand: by("h") }],
  ["D", { name: "d", operand: by("$") }],
  ["C", { name: "c", operand: by("$") }],
  ["s", { name: "c", operand: by("l") }],
  ["S", { name: "c", operand: LINES }],
  ["Y", { name: "y", operand: LINES }]
])
