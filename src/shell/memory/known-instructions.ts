import { join } from "node:path"
import type { InstructionFile, InstructionKind } from "../../core/context/instructions/instruction-file.ts"
import type { PathRule } from "../../core/context/instructions/path-rules.ts"
import type { Found } from "../../core/context/instructions/search.ts"
import type { KnownFile } from "../../core/context/memory/look.ts"
import { estimateText } from "../../core/model/tokens/estimate.ts"
import type { InstructionPlan } from "../instructions/instruction-place.ts"

/** Instruction files as `/memory` lists them: those that count, those that wait, those left out, and those to be made. */
const DETAIL: Readonly<Record<InstructionKind, string>> = {
  managed: "of the organisation",
  user: "yours, for all projects",
  project: "this project's, shared",
  local: "this project's, only yours"
}

const GROUP = { group: "instructions" } as const

const labelOf = (path: string, { cwd, configHome }: InstructionPlan): string => {
  if (path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1)
  return path.startsWith(`${configHome}/`) ? path.slice(configHome.length + 1) : path
}

const LATER = "it was not there, or did not count, when the conversation began"

/** What `isHeard` affirms, this conversation was told. */
export const knownInstructions = (
  plan: InstructionPlan,
  { files, rules, skipped }: Found,
  isHeard: (path: string) => boolean
): ReadonlyArray<KnownFile> => {
  const entry = (file: InstructionFile, why: string): KnownFile => {
    const { path, kind, text } = file
    const isLoaded = isHeard(path)
    const detail = DETAIL[kind]
    return { ...GROUP, path, label: labelOf(path, plan), detail, tokens: estimateText(text), isLoaded, why }
  }
  const read = files.map((file) => {
    const imported = file.parent === undefined ? "" : `imported by ${labelOf(file.parent, plan)}`
    return entry(file, isHeard(file.path) ? imported : [imported, LATER].filter(Boolean).join("; "))
  })
  const ofRule = ({ files: own, patterns }: PathRule): ReadonlyArray<KnownFile> =>
    own.map((file) => entry(file, `comes with files that match ${patterns.join(", ")}`))
  const absent = (path: string, detail: string, why: string): KnownFile => ({
    ...GROUP,
    path,
    label: labelOf(path, plan),
    detail,
    tokens: undefined,
    isLoaded: false,
    why
  })
  const counting = new Set(files.map(({ path }) => path))
  const leftOut = skipped.filter(({ path }) => !counting.has(path))
  const known = new Set([...counting, ...leftOut.map(({ path }) => path)])
  const missing: ReadonlyArray<readonly [path: string, kind: InstructionKind]> = [
    [join(plan.configHome, "CLAUDE.md"), "user"],
    [join(plan.cwd, "CLAUDE.md"), "project"],
    [join(plan.cwd, "CLAUDE.local.md"), "local"]
  ]
  return [
    ...read,
    ...rules.flatMap(ofRule),
    ...leftOut.map(({ path, why }) => absent(path, "not read", why)),
    ...missing.filter(([path]) => !known.has(path)).map(([path, kind]) => absent(path, DETAIL[kind], ""))
  ]
}
