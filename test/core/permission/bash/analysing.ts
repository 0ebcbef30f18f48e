import { loadWasm } from "../../../../src/adapters/shell-parser/engine.ts"
import { analyse, type AnalyseOptions } from "../../../../src/core/permission/bash/analysis/analyse.ts"
import type { RepositoryFacts, ShellAnalysis, ShellPart } from "../../../../src/core/permission/bash/shell-analysis.ts"
import { commandPattern, matchesFromAny } from "../../../../src/core/permission/rules/command-pattern.ts"

/** A shell in /work of a user whose home is /home/u, in a repository that runs nothing. */
const parse = await loadWasm()

export const QUIET_REPOSITORY: RepositoryFacts = { entries: [{ key: "core.bare", value: "false" }], looksBare: false }

const SETTING: AnalyseOptions = {
  parse,
  home: "/home/u",
  cwd: "/work",
  workingDirs: ["/work"],
  repository: QUIET_REPOSITORY
}

export const analysed = (command: string, options: Partial<AnalyseOptions> = {}): ShellAnalysis =>
  analyse(command, { ...SETTING, ...options })

const own = ({ parts }: ShellAnalysis): ReadonlyArray<ShellPart> => parts.filter(({ handed }) => !handed)

/** The first part of a command that is expected to have one. */
export const partOf = (command: string, options?: Partial<AnalyseOptions>): ShellPart => {
  const [part] = analysed(command, options).parts
  if (part === undefined) throw new Error(`no part: ${command}`)
  return part
}

/** Why the text is not proven to only read; undefined when every part of it is. */
export const whyNotReading = (command: string, options?: Partial<AnalyseOptions>): string | undefined => {
  const analysis = analysed(command, options)
  if (analysis.obstacle !== undefined) return analysis.obstacle.sentence
  for (const { readOnly } of own(analysis)) if (!readOnly.proven) return readOnly.why
  return undefined
}

/** Whether a deny or ask rule with this pattern fires, or the text hides what it runs. */
export const ruleHits = (command: string, pattern: string): "hit" | "hidden" | undefined => {
  const { parts } = analysed(command)
  const compiled = commandPattern(pattern, true)
  if (parts.some(({ candidates }) => candidates.some(({ text, starts }) => matchesFromAny(compiled, text, starts))))
    return "hit"
  return parts.some(({ dynamicProgram }) => dynamicProgram !== undefined) ? "hidden" : undefined
}

export const touched = (command: string): ReadonlyArray<string> =>
  analysed(command).parts.flatMap(({ touches }) =>
    touches.map(
      ({ access, path, glob, rulesOnly, recursive }) =>
        `${access}${recursive ? "+" : ""} ${glob ?? path ?? "?"}${rulesOnly ? " (rules)" : ""}`
    )
  )
