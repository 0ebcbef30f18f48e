import { Result } from "effect"
import { parameterOf, PRIMARY_FIELDS } from "./parameter.ts"
import { parsePathPattern } from "./path-pattern.ts"
import {
  consultedInstead,
  isKnownTool,
  nearestTool,
  presentName,
  printRule,
  specifierFamily,
  type Rule,
  type RuleText
} from "../rule.ts"
import type { Verdict } from "../verdict.ts"
import type { RuleSource } from "../../domain/settings-source.ts"

/** Rule texts to rules. What cannot be understood is reported with a correction and changes nothing. */
export interface RuleFault {
  readonly text: string
  readonly why: string
  /** The rule that was probably meant. */
  readonly suggestion?: string
}

type Outcome<A> = Result.Result<A, RuleFault>

const unescape = (specifier: string): string => specifier.replaceAll(/\\([\\()])/g, "$1")

const endsUnescaped = (text: string): boolean => {
  const backslashes = /(\\*)\)$/.exec(text)?.[1]
  return backslashes !== undefined && backslashes.length % 2 === 0
}

const readText = (text: string): Outcome<RuleText> => {
  const trimmed = text.trim()
  const open = trimmed.indexOf("(")
  const name = open < 0 ? trimmed : trimmed.slice(0, open)
  if (name === "") return Result.fail({ text, why: "the tool name is missing" })
  if (/[\s),]/.test(name)) return Result.fail({ text, why: "a tool name has no blanks, commas or closing parentheses" })
  const tool = presentName(name)
  if (open < 0) return Result.succeed({ tool })
  if (!endsUnescaped(trimmed)) {
    return Result.fail({ text, why: "the closing parenthesis is missing at the end", suggestion: `${trimmed})` })
  }
  const specifier = unescape(trimmed.slice(open + 1, -1))
  if (specifier === "" || specifier === "*") return Result.succeed({ tool })
  if (specifier.trim() === "") return Result.fail({ text, why: "the specifier is blank", suggestion: tool })
  return Result.succeed({ tool, specifier })
}

/** A pattern in an allow rule's tool name must stay within one MCP server. */
const isAllowedPattern = (tool: string): boolean => /^mcp__(?:(?!__)[^*])+__/.test(tool)

const commandFault = (specifier: string): Omit<RuleFault, "text"> | undefined => {
  const early = specifier.slice(0, -2).indexOf(":*")
  if (early < 0) return undefined
  return {
    why: "':*' is only special at the end",
    suggestion: printRule({ tool: "Bash", specifier: specifier.replaceAll(":*", " *") })
  }
}

const domainFault = (specifier: string): Omit<RuleFault, "text"> | undefined =>
  /^domain:\s*(?:[^\s/:@[\]]+|\[[\da-f:.]+\])\s*$/i.test(specifier)
    ? undefined
    : { why: "a WebFetch rule names a host as domain:host", suggestion: `WebFetch(domain:${hostGuess(specifier)})` }

const hostGuess = (specifier: string): string =>
  /^(?:domain:)?(?:\w+:\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^\s/:@]+)/.exec(specifier.trim())?.[1] ?? "example.com"

const parameterFault = (rule: RuleText, behavior: Verdict): Omit<RuleFault, "text"> | undefined => {
  const parameter = parameterOf(rule)
  if (parameter === undefined) {
    if (isKnownTool(rule.tool) || /[_*]/.test(rule.tool)) {
      return { why: `rules for ${rule.tool} take no such specifier`, suggestion: rule.tool }
    }
    const nearest = nearestTool(rule.tool)
    const suggestion = nearest === undefined ? {} : { suggestion: printRule({ ...rule, tool: nearest }) }
    return { why: `${rule.tool} is not a known tool`, ...suggestion }
  }
  return behavior === "allow"
    ? { why: "an input field cannot be the reason to allow a call", suggestion: rule.tool }
    : undefined
}

/** The field that a tool's own rules are about is written without its name. */
const primaryFault = (rule: RuleText): Omit<RuleFault, "text"> | undefined => {
  const { name, value } = parameterOf(rule) ?? { name: "", value: "" }
  if (!PRIMARY_FIELDS.has(name)) return undefined
  const own = ownField(rule.tool) === name && value !== "" ? { ...rule, specifier: value } : { tool: rule.tool }
  return { why: `the field ${name} has rules of its own kind`, suggestion: printRule(own) }
}

const ownField = (tool: string): string | undefined => {
  const family = specifierFamily(tool)
  return family === "command" ? "command" : family === "path" ? "file_path" : undefined
}

const specifierFault = (rule: RuleText, behavior: Verdict): Omit<RuleFault, "text"> | undefined => {
  const { specifier } = rule
  if (specifier === undefined) return undefined
  const primary = primaryFault(rule)
  if (primary !== undefined) return primary
  switch (specifierFamily(rule.tool)) {
    case "command":
      return commandFault(specifier)
    case "path": {
      const pattern = parsePathPattern(specifier)
      return Result.isFailure(pattern) ? { why: pattern.failure } : undefined
    }
    case "domain":
      return behavior !== "allow" && parameterOf(rule) !== undefined ? undefined : domainFault(specifier)
    case "parameter":
      return parameterFault(rule, behavior)
    case "none":
      return { why: `${rule.tool} rules take no specifier`, suggestion: rule.tool }
    case "name":
    case "unused":
      return undefined
  }
}

export const parseRule = (text: string, behavior: Verdict): Outcome<RuleText> => {
  const read = readText(text)
  if (Result.isFailure(read)) return read
  const rule = read.success
  if (behavior === "allow" && rule.tool.includes("*") && !isAllowedPattern(rule.tool)) {
    return Result.fail({ text, why: "in an allow rule a pattern must stand after mcp__<server>__" })
  }
  const fault = specifierFault(rule, behavior)
  return fault === undefined ? read : Result.fail({ text, ...fault })
}

/** Something about an accepted rule that its author should know. */
export const ruleWarning = (rule: RuleText & { readonly behavior?: Verdict }): string | undefined => {
  const { behavior = "allow" } = rule
  const isField = behavior !== "allow" && parameterOf(rule) !== undefined
  if (rule.specifier !== undefined && specifierFamily(rule.tool) === "unused" && !isField) {
    return `${printRule(rule)} is never consulted; write ${printRule({ ...rule, tool: consultedInstead(rule.tool) })}`
  }
  if (behavior === "allow" || /[_*]/.test(rule.tool) || isKnownTool(rule.tool)) return undefined
  const nearest = nearestTool(rule.tool)
  return `${printRule(rule)} names no known tool${nearest === undefined ? "" : `; did you mean ${nearest}?`}`
}

export interface RuleOrigin {
  readonly behavior: Verdict
  readonly source: RuleSource
  readonly anchorDir?: string
  readonly file?: string
}

/** A rule as it stands in a file, with its line where that is known. */
export interface LocatedText {
  readonly text: string
  readonly line?: number
}

export interface RulesRead {
  readonly rules: ReadonlyArray<Rule>
  /** One sentence for every rule that was skipped or means less than it seems. */
  readonly problems: ReadonlyArray<string>
  /** Those of them that leave something open which a deny or ask rule was to close: they must stay in sight. */
  readonly banners: ReadonlyArray<string>
}

/** `settings.json:12`; empty for rules that stand in no file. */
export const placeText = (file: string | undefined, line: number | undefined): string =>
  file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`

/** What is wrong with a rule, where it stands, and which one was probably meant. */
export const faultSentence = ({ text, why, suggestion }: RuleFault, place: string): string =>
  `Ignored rule '${text}'${place}: ${why}.${suggestion === undefined ? "" : ` Did you mean '${suggestion}'?`}`

export const readRules = (texts: ReadonlyArray<string | LocatedText>, origin: RuleOrigin): RulesRead => {
  const rules: Array<Rule> = []
  const problems: Array<string> = []
  const banners: Array<string> = []
  for (const entry of texts) {
    const { text, line }: LocatedText = typeof entry === "string" ? { text: entry } : entry
    const place = placeText(origin.file, line)
    const parsed = parseRule(text, origin.behavior)
    if (Result.isFailure(parsed)) {
      const sentence = faultSentence(parsed.failure, place)
      problems.push(sentence)
      if (origin.behavior !== "allow") banners.push(sentence)
      continue
    }
    rules.push({ ...parsed.success, ...origin, ...(line === undefined ? {} : { line }) })
    const warning = ruleWarning({ ...parsed.success, behavior: origin.behavior })
    if (warning !== undefined) problems.push(`${warning}${place}`)
  }
  return { rules, problems, banners }
}
