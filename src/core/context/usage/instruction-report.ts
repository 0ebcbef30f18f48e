import type { InstructionFile } from "../instructions/instruction-file.ts"
import type { Found } from "../instructions/search.ts"
import { estimateText } from "../../model/tokens/estimate.ts"
import type { ContextUsage } from "./context-usage.ts"
import type { UsageItem } from "./item.ts"

/** A file with instructions that is or is not in the window, and why. */
export interface InstructionReport {
  readonly path: string
  readonly kind: string
  readonly reason: string
  readonly tokens: number
  readonly loaded: boolean
  readonly why: string
}

const inWindow = ({ file, tokens, turn }: UsageItem): ReadonlyArray<InstructionReport> => {
  if (file === undefined) return []
  const { path, kind, reason } = file
  const why = turn === undefined ? "every request begins with it" : `in the window since turn ${turn}`
  return [{ path, kind, reason, tokens, loaded: true, why }]
}

const waiting = ({ path, kind, reason, text }: InstructionFile, why: string): InstructionReport => ({
  path,
  kind,
  reason,
  tokens: estimateText(text),
  loaded: false,
  why
})

/** What is in the window, and what the search found that is not. */
export const instructionReports = ({ categories }: ContextUsage, found: Found): ReadonlyArray<InstructionReport> => {
  const loaded = categories.flatMap(({ items }) => items.flatMap(inWindow))
  const others = [
    ...found.files.map((file) =>
      waiting(file, "it is read when the window begins anew: a compaction, /clear, a resumed session")
    ),
    ...found.rules.flatMap(({ files, patterns }) =>
      files.map((file) => waiting(file, `it comes with files that match ${patterns.join(", ")}`))
    ),
    ...found.skipped.map(({ path, why }) => ({ path, kind: "", reason: "skipped", tokens: 0, loaded: false, why }))
  ]
  const known = new Set(loaded.map(({ path }) => path))
  return [...loaded, ...others.filter(({ path }) => !known.has(path))]
}
