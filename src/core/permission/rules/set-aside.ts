import { effectiveMode, type ModeState } from "../mode.ts"
import { printRule, type Rule, type RuleText, sourceLabel } from "../rule.ts"
import { INTERPRETERS, SHELLS } from "../bash/tables/programs.ts"

/**
 * Allow rules that grant arbitrary execution do not count in auto mode: with them the classifier would never be asked
 * about what matters. They are not removed, so they hold again as soon as the mode is left.
 */
const WHOLE_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell", "Monitor", "Agent"])
const COMMAND_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell", "Monitor"])

/** Run whatever stands behind them, so no word behind them makes a pattern narrow. */
const RUNNERS: ReadonlySet<string> = new Set("ssh eval exec env xargs sudo".split(" "))

/** Run code that a pattern leaves open, unless it names the file, package or script. */
const CODE_RUNNERS: ReadonlyArray<string> = [
  ...SHELLS,
  ...INTERPRETERS,
  ..."npx bunx".split(" "),
  ...["npm", "yarn", "pnpm", "bun"].map((manager) => `${manager} run`)
]

const ALL: ReadonlyArray<string> = [...CODE_RUNNERS, ...RUNNERS]

/** Python comes in many versions: `python3.12` too. */
const runsCode = (name: string): boolean => CODE_RUNNERS.includes(name) || name.startsWith("python")

/** The words of a pattern before its first star, without assignments and without the directory of the program. */
const literalWords = (literal: string): ReadonlyArray<string> => {
  const words = literal.split(/\s+/).filter((word) => word !== "")
  const program = words.findIndex((word) => !/^\w+=/.test(word))
  const [first = "", ...rest] = program < 0 ? [] : words.slice(program)
  return first === "" ? [] : [first.slice(first.lastIndexOf("/") + 1), ...rest]
}

interface BehindRunner {
  /** Whatever stands there is run. */
  readonly open: boolean
  readonly rest: ReadonlyArray<string>
}

/** What follows the runner in the pattern; undefined when it does not begin with one. */
const behindRunner = (words: ReadonlyArray<string>): BehindRunner | undefined => {
  const [first = "", second = ""] = words
  if (RUNNERS.has(first)) return { open: true, rest: words.slice(1) }
  if (runsCode(`${first} ${second}`)) return { open: false, rest: words.slice(2) }
  return runsCode(first) ? { open: false, rest: words.slice(1) } : undefined
}

/** Whether a pattern for commands lets code through that it does not spell. */
const grantsExecution = (specifier: string): boolean => {
  const text = specifier.trim().replace(/:\*$/, " *")
  const star = text.indexOf("*")
  const words = literalWords(star < 0 ? text : text.slice(0, star))
  const found = behindRunner(words)
  // Without a star it is one command; a bare interpreter still runs whatever is piped into it.
  if (star < 0) return found?.rest.every((word) => /^-[a-z]?$/.test(word)) === true
  const isWordEnd = star === 0 || text[star - 1] === " "
  const spelled = words.join(" ") + (isWordEnd && words.length > 0 ? " " : "")
  if (ALL.some((runner) => `${runner} `.startsWith(spelled))) return true
  return found !== undefined && (found.open || found.rest.every((word) => word.startsWith("-")))
}

export const allowsAnyCommand = ({ tool, specifier }: RuleText): boolean => {
  if (tool === "Agent") return true
  if (specifier === undefined) return WHOLE_TOOLS.has(tool)
  return COMMAND_TOOLS.has(tool) && grantsExecution(specifier)
}

type Ruled = ModeState & { readonly rules: ReadonlyArray<Rule> }

const isSetAside = (rule: Rule): boolean => rule.behavior === "allow" && allowsAnyCommand(rule)

/** The allow rules that do not count now. */
export const setAside = (context: Ruled): ReadonlyArray<Rule> =>
  effectiveMode(context) === "auto" ? context.rules.filter(isSetAside) : []

export const rulesInForce = (context: Ruled): ReadonlyArray<Rule> =>
  effectiveMode(context) === "auto" ? context.rules.filter((rule) => !isSetAside(rule)) : context.rules

const described = (rule: Rule): string => `${printRule(rule)} (${sourceLabel(rule.source)})`

/** What to tell whoever changed the mode or the rules; undefined when no further rule was set aside. */
export const setAsideNotice = (before: Ruled, after: Ruled): string | undefined => {
  const known = setAside(before)
  const added = setAside(after).filter((rule) => !known.includes(rule))
  if (added.length === 0) return undefined
  const why = added.length === 1 ? "it would allow any command" : "they would allow any command"
  return `auto mode sets aside ${added.map(described).join(", ")}: ${why}; leaving the mode brings back what was set aside`
}
