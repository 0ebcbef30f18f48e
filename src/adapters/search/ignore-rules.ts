import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { parentOf } from "../../core/domain/path/path-text.ts"
import { type GlobVerdict, lastMatch, type Place } from "./glob-match.ts"

/**
 * Ignore files as ripgrep reads them: .rgignore before .ignore before .gitignore before .git/info/exclude, within each
 * kind the nearest directory first. Those of git count only inside a repository and not beyond its top.
 */
type RuleFile = (place: Place) => GlobVerdict

export interface IgnoreRules {
  readonly ripgrep: ReadonlyArray<RuleFile>
  readonly plain: ReadonlyArray<RuleFile>
  readonly git: ReadonlyArray<RuleFile>
  readonly exclude: ReadonlyArray<RuleFile>
  readonly inRepository: boolean
}

const NO_RULES: IgnoreRules = { ripgrep: [], plain: [], git: [], exclude: [], inRepository: false }

const globsOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.replace(/\r$/, "").replace(/(?<!\\) +$/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"))

const ruleFile = async (path: string, directory: string): Promise<ReadonlyArray<RuleFile>> => {
  const globs = globsOf(await readFile(path, "utf8").catch(() => ""))
  if (globs.length === 0) return []
  const match = lastMatch(globs, directory)
  return [
    (place) => {
      const matched = match(place)
      if (matched === undefined) return "undecided"
      return matched === "plain" ? "exclude" : "include"
    }
  ]
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )

/** The rules in force in a directory, from those of its parent. */
export const enterDirectory = async (rules: IgnoreRules, directory: string): Promise<IgnoreRules> => {
  const isTop = await exists(join(directory, ".git"))
  const inRepository = rules.inRepository || isTop
  const outerGit = isTop ? [] : rules.git
  const outerExclude = isTop ? [] : rules.exclude
  const [ripgrep, plain, git, exclude] = await Promise.all([
    ruleFile(join(directory, ".rgignore"), directory),
    ruleFile(join(directory, ".ignore"), directory),
    inRepository ? ruleFile(join(directory, ".gitignore"), directory) : [],
    isTop ? ruleFile(join(directory, ".git", "info", "exclude"), directory) : []
  ])
  return {
    ripgrep: [...ripgrep, ...rules.ripgrep],
    plain: [...plain, ...rules.plain],
    git: [...git, ...outerGit],
    exclude: [...exclude, ...outerExclude],
    inRepository
  }
}

/** The rules that the directories above bring along. */
export const rulesAbove = async (directory: string): Promise<IgnoreRules> => {
  if (directory === "/") return NO_RULES
  const parent = parentOf(directory)
  return enterDirectory(await rulesAbove(parent), parent)
}

export const verdictFor = (rules: IgnoreRules, place: Place): GlobVerdict => {
  for (const file of [...rules.ripgrep, ...rules.plain, ...rules.git, ...rules.exclude]) {
    const said = file(place)
    if (said !== "undecided") return said
  }
  return "undecided"
}
