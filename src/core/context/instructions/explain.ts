import { type InstructionFile, KIND_LABELS } from "./instruction-file.ts"
import type { Found } from "./search.ts"

/** Why a file is read as an instruction, or why not. */
export interface InstructionReason {
  readonly path: string
  readonly isRead: boolean
  readonly why: string
}

const imported = ({ parent }: InstructionFile): string => (parent === undefined ? "" : `, imported by ${parent}`)

/** `nested`: what comes when a file beside it is touched. */
export const explainInstruction = (path: string, { files, rules, skipped }: Found, nested: Found): InstructionReason => {
  const isIt = (each: { readonly path: string }): boolean => each.path === path
  const atStart = files.find(isIt)
  if (atStart !== undefined) {
    return { path, isRead: true, why: `with the first prompt: ${KIND_LABELS[atStart.kind]}${imported(atStart)}` }
  }
  const rule = [...rules, ...nested.rules].find((each) => each.files.some(isIt))
  if (rule !== undefined) {
    const via = rule.path === path ? "" : `, imported by ${rule.path}`
    return { path, isRead: true, why: `with files that match ${rule.patterns.join(", ")}${via}` }
  }
  const beside = nested.files.find(isIt)
  if (beside !== undefined) {
    return { path, isRead: true, why: `with the first file of its folder that is touched${imported(beside)}` }
  }
  const left = [...skipped, ...nested.skipped].find(isIt)
  return {
    path,
    isRead: false,
    why: left?.why ?? "nothing that is read names it, and it is not where instructions are looked for"
  }
}
