import { Result } from "effect"
import { commandPattern, type CommandPattern } from "./command-pattern.ts"
import { rulesInForce } from "./set-aside.ts"
import type { PermissionContext } from "../context.ts"
import { parameterOf } from "./parameter.ts"
import { absolutePatterns, literalStarts, parsePathPattern, type PathPattern } from "./path-pattern.ts"
import { componentsOf, foldCase, pathVariants, resolvePath } from "../../domain/path/path-components.ts"
import { RULE_SOURCES, specifierFamily, type Rule } from "../rule.ts"
import type { Verdict } from "../verdict.ts"

/**
 * The rules of a context, ordered so that a decision looks at few of them: commands by their first word, paths by the
 * directories they lie in. Rules stand in the order in which they are named, so the first match is the one to name.
 */
export interface RuleIndex {
  readonly deny: RuleShelf
  readonly ask: RuleShelf
  readonly allow: RuleShelf
}

export interface RuleShelf {
  /** Rules about whole tools. */
  readonly tools: ReadonlyArray<Ranked>
  /** Rules about an input field, an agent or a skill. */
  readonly inputs: ReadonlyArray<Ranked>
  readonly domains: ReadonlyArray<Ranked>
  readonly commands: CommandShelf
  readonly paths: PathShelf
}

export interface Ranked {
  readonly rule: Rule
  /** Position among all rules in the order of naming. */
  readonly rank: number
}

export interface RankedCommand extends Ranked {
  readonly pattern: CommandPattern
}

export interface RankedPath extends Ranked {
  readonly pattern: PathPattern
  readonly anchors: ReadonlyArray<string>
}

export interface CommandShelf {
  readonly all: ReadonlyArray<RankedCommand>
  /** By the first word, or by the first two where the pattern spells both; in lower case. */
  readonly byWords: ReadonlyMap<string, ReadonlyArray<RankedCommand>>
  /** Patterns whose first word has a star. */
  readonly open: ReadonlyArray<RankedCommand>
}

/** A tree of directories in lower case; a pattern hangs at the directory its first wildcard stands in. */
export interface PathShelf {
  readonly patterns: Array<RankedPath>
  readonly entries: Map<string, PathShelf>
}

const emptyShelf = (): PathShelf => ({ patterns: [], entries: new Map() })

/** The directories that a pattern's anchor stands for, every form of them. */
export const anchorsOf = (pattern: PathPattern, rule: Rule, context: PermissionContext): ReadonlyArray<string> => {
  switch (pattern.anchor) {
    case "root":
      return ["/"]
    case "home":
      return pathVariants(context.home)
    case "source":
      return rule.anchorDir === undefined ? pathVariants(context.cwd) : [rule.anchorDir]
    case "cwd":
      return pathVariants(context.cwd)
  }
}

/** The pattern's directories as far as they are literal, for one anchor. */
const literalStart = (pattern: PathPattern, anchor: string, behavior: Verdict): ReadonlyArray<string> => {
  const base = componentsOf(resolvePath(anchor, "../".repeat(pattern.up)))
  if (pattern.anyDepth || (behavior !== "allow" && pattern.isOwnDirectory)) return base
  const wild = pattern.components.findIndex((component) => /[*?[\\]/.test(component))
  return [...base, ...(wild < 0 ? pattern.components : pattern.components.slice(0, wild))]
}

const hang = (shelf: PathShelf, directories: ReadonlyArray<string>, entry: RankedPath): void => {
  let at = shelf
  for (const directory of directories) {
    const key = foldCase(directory)
    const next = at.entries.get(key) ?? emptyShelf()
    at.entries.set(key, next)
    at = next
  }
  at.patterns.push(entry)
}

const pathShelf = (rules: ReadonlyArray<Ranked>, context: PermissionContext): PathShelf => {
  const shelf = emptyShelf()
  for (const { rule, rank } of rules) {
    const parsed = parsePathPattern(rule.specifier ?? "")
    if (Result.isFailure(parsed)) continue
    const pattern = parsed.success
    const anchors = anchorsOf(pattern, rule, context)
    for (const anchor of anchors) {
      hang(shelf, literalStart(pattern, anchor, rule.behavior), { rule, rank, pattern, anchors: [anchor] })
    }
  }
  return shelf
}

/** The words a pattern begins with, as a key; undefined when already the first one has a star. */
const keyOf = (specifier: string): string | undefined => {
  const [first = "", second = "*"] = specifier.trim().replace(/:\*$/, " *").toLowerCase().split(" ", 2)
  if (first.includes("*")) return undefined
  return second === "" || second.includes("*") ? first : `${first} ${second}`
}

const commandShelf = (rules: ReadonlyArray<Ranked>): CommandShelf => {
  const byWords = new Map<string, Array<RankedCommand>>()
  const open: Array<RankedCommand> = []
  const all: Array<RankedCommand> = []
  for (const { rule, rank } of rules) {
    const entry = { rule, rank, pattern: commandPattern(rule.specifier ?? "", rule.behavior !== "allow") }
    const key = keyOf(rule.specifier ?? "")
    all.push(entry)
    const group = key === undefined ? open : byWords.get(key)
    if (group !== undefined) group.push(entry)
    else if (key !== undefined) byWords.set(key, [entry])
  }
  return { all, byWords, open }
}

const shelfOf = (rules: ReadonlyArray<Ranked>, context: PermissionContext): RuleShelf => {
  const withSpecifier = rules.filter(({ rule }) => rule.specifier !== undefined)
  const ofFamily = (...families: ReadonlyArray<string>) =>
    withSpecifier.filter(({ rule }) => families.includes(specifierFamily(rule.tool)))
  return {
    tools: rules.filter(({ rule }) => rule.specifier === undefined),
    inputs: withSpecifier.filter(({ rule }) => specifierFamily(rule.tool) === "name" || parameterOf(rule) !== undefined),
    domains: ofFamily("domain"),
    commands: commandShelf(ofFamily("command")),
    paths: pathShelf(
      ofFamily("path").filter(({ rule }) => rule.tool !== "Cd"),
      context
    )
  }
}

const build = (context: PermissionContext): RuleIndex => {
  const rules = rulesInForce(context)
  const ranked = RULE_SOURCES.flatMap((source) => rules.filter((rule) => rule.source === source)).map((rule, rank) => ({
    rule,
    rank
  }))
  const shelf = (behavior: Verdict) =>
    shelfOf(
      ranked.filter(({ rule }) => rule.behavior === behavior),
      context
    )
  return { deny: shelf("deny"), ask: shelf("ask"), allow: shelf("allow") }
}

const indexes = new WeakMap<PermissionContext, RuleIndex>()

/** Built once per context: a context is replaced as a whole, so its rules never change. */
export const ruleIndex = (context: PermissionContext): RuleIndex => {
  const known = indexes.get(context)
  if (known !== undefined) return known
  const made = build(context)
  indexes.set(context, made)
  return made
}

type PathsOf = (pattern: PathPattern, anchors: ReadonlyArray<string>) => ReadonlyArray<string>

/** Something about every deny and ask rule about paths, made once per context. */
const ofWatchingRules = (pathsOf: PathsOf): ((context: PermissionContext) => ReadonlyArray<string>) => {
  const made = new WeakMap<PermissionContext, ReadonlyArray<string>>()
  const make = (context: PermissionContext) =>
    context.rules.flatMap((rule) => {
      const isWatching = rule.behavior !== "allow" && (rule.tool === "Read" || rule.tool === "Edit")
      const parsed = isWatching && rule.specifier !== undefined ? parsePathPattern(rule.specifier) : undefined
      if (parsed === undefined || Result.isFailure(parsed)) return []
      return pathsOf(parsed.success, anchorsOf(parsed.success, rule, context))
    })
  return (context) => {
    const known = made.get(context) ?? [...new Set(make(context))]
    made.set(context, known)
    return known
  }
}

/** What deny and ask rules about paths name, as absolute patterns. */
export const watchedPatterns = ofWatchingRules(absolutePatterns)

/** The same as far as it is spelled out: paths that may be links, and then the rules mean where they lead as well. */
export const watchedStarts = ofWatchingRules(literalStarts)

const NO_RULES: ReadonlyArray<RankedCommand> = []

/** Command rules that could match a text, by its first words. */
export const commandRulesFor = (shelf: CommandShelf, text: string): ReadonlyArray<RankedCommand> => {
  const words = text.toLowerCase()
  const first = words.indexOf(" ")
  const second = first < 0 ? -1 : words.indexOf(" ", first + 1)
  const one = shelf.byWords.get(first < 0 ? words : words.slice(0, first)) ?? NO_RULES
  const two = (first < 0 ? undefined : shelf.byWords.get(second < 0 ? words : words.slice(0, second))) ?? NO_RULES
  const filled = [one, two, shelf.open].filter(({ length }) => length > 0)
  return filled.length === 1 ? (filled[0] ?? NO_RULES) : filled.flat()
}

/** Path rules that could match a path: those that hang at one of its directories or at itself. */
export const pathRulesFor = (shelf: PathShelf, path: string): ReadonlyArray<RankedPath> => {
  const found: Array<RankedPath> = [...shelf.patterns]
  let at: PathShelf | undefined = shelf
  for (const component of componentsOf(path)) {
    at = at.entries.get(foldCase(component))
    if (at === undefined) break
    found.push(...at.patterns)
  }
  return found
}

/** The one to name among rules that match. */
export const firstRanked = <A extends Ranked>(found: ReadonlyArray<A>): A | undefined =>
  found.reduce<A | undefined>((best, next) => (best === undefined || next.rank < best.rank ? next : best), undefined)
