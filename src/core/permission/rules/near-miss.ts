import { commandPattern, matchesCommand } from "./command-pattern.ts"
import { printRule, specifierFamily, type Rule } from "../rule.ts"
import type { ShellAnalysis } from "../bash/shell-analysis.ts"

/** Rules about commands that nearly matched, with the place where they differ. */
export interface NearMiss {
  readonly rule: string
  readonly text: string
  /** From 1. */
  readonly column: number
}

const MOST = 5

/** How far the beginnings agree. */
const agreement = (literal: string, text: string): number => {
  let at = 0
  while (at < literal.length && at < text.length && literal[at] === text[at]) at++
  return at
}

const firstWord = (text: string): string => text.split(" ", 1)[0] ?? ""

const missOf = (rule: Rule, texts: ReadonlyArray<string>): NearMiss | undefined => {
  const pattern = commandPattern(rule.specifier ?? "")
  const near = texts.filter((text) => firstWord(text) === firstWord(pattern.literal) && firstWord(text) !== "")
  if (near.length === 0 || near.some((text) => matchesCommand(pattern, text))) return undefined
  const [text = ""] = near.toSorted((left, right) => agreement(pattern.literal, right) - agreement(pattern.literal, left))
  return { rule: printRule(rule), text, column: agreement(pattern.literal, text) + 1 }
}

export const nearMisses = (rules: ReadonlyArray<Rule>, analysis: ShellAnalysis): ReadonlyArray<NearMiss> => {
  const texts = [...new Set(analysis.parts.flatMap(({ allow }) => allow.texts))]
  return rules
    .filter(({ tool, specifier }) => specifier !== undefined && specifierFamily(tool) === "command")
    .flatMap((rule) => missOf(rule, texts) ?? [])
    .slice(0, MOST)
}
