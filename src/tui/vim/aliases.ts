/** Commands that are short for an operator with its motion. */
import type { Operand } from "./invocation.ts"

const by = (name: string): Operand => ({ kind: "motion", name, argument: "" })
const LINES: Operand = { kind: "lines" }

export const aliases: ReadonlyMap<string, { readonly name: string; readonly operand: Operand }> = new Map([
  ["x", { name: "d", operand: by("l") }],
  ["<Del>", { name: "d", operand: by("l") }],
  ["X", { name: "d", operand: by("h") }],
  ["D", { name: "d", operand: by("$") }],
  ["C", { name: "c", operand: by("$") }],
  ["s", { name: "c", operand: by("l") }],
  ["S", { name: "c", operand: LINES }],
  ["Y", { name: "y", operand: LINES }]
])
