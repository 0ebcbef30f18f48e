import { Result } from "effect"
import { escapeGlob } from "../../domain/path/glob-pattern.ts"
import type { PermissionContext } from "../context.ts"
import type { CallFacts } from "../facts.ts"
import { firingPathRule, isCoveredSecret } from "./match-path.ts"
import { asciiHost } from "./match-tool.ts"
import { effectiveMode } from "../mode.ts"
import { parsePathPattern, type PathPattern } from "./path-pattern.ts"
import { pathVariants, type Location, resolvePath } from "../../domain/path/path-components.ts"
import { anchorsOf } from "./rule-index.ts"
import type { Rule } from "../rule.ts"
import { SECRET_GLOBS } from "./sensitive-paths.ts"

/** What the rules mean for tools that touch many places with one call. */

/** Rules know no braces, globs do. */
const withoutBraces = (text: string): string => text.replaceAll(/[{}]/g, String.raw`\$&`)

/** A directory at the beginning of a glob: every character of it means itself. */
const literalGlob = (directory: string): string => (directory === "/" ? "" : escapeGlob(directory))

const globsOf = (pattern: PathPattern, anchors: ReadonlyArray<string>): ReadonlyArray<string> =>
  anchors.map((anchor) => {
    const base = resolvePath(anchor, "../".repeat(pattern.up))
    const anyDepth = pattern.anyDepth || pattern.isOwnDirectory
    return [literalGlob(base), ...(anyDepth ? ["**"] : []), ...pattern.components.map(withoutBraces)].join("/")
  })

/** The places that path rules of one kind name, as absolute globs. */
export const ruleGlobs = (
  context: PermissionContext,
  tool: "Read" | "Edit",
  behavior: Rule["behavior"]
): ReadonlyArray<string> =>
  context.rules.flatMap((rule) => {
    if (rule.behavior !== behavior || rule.tool !== tool || rule.specifier === undefined) return []
    const pattern = parsePathPattern(rule.specifier)
    return Result.isSuccess(pattern) ? globsOf(pattern.success, anchorsOf(pattern.success, rule, context)) : []
  })

/** Reading such a file asks, so a search that was not asked about must not show it. */
const secretGlobs = (context: PermissionContext): ReadonlyArray<string> =>
  effectiveMode(context) === "bypassPermissions" || context.secretFiles === "off"
    ? []
    : [...new Set(context.workingDirs.flatMap(pathVariants))].flatMap((directory) =>
        SECRET_GLOBS.map((glob) => `${literalGlob(directory)}/**/${glob}`)
      )

/** Places that searches leave out, as absolute globs: what deny rules name, and files that probably hold secrets. */
export const unreadableGlobs = (context: PermissionContext): ReadonlyArray<string> => [
  ...ruleGlobs(context, "Read", "deny"),
  ...secretGlobs(context)
]

/** What a search may say about a file: a rule closes it, it may hold secrets, or neither. */
export type Visibility = "open" | "closed" | "secret"

/**
 * What a search from `root` may show. It goes by the rules themselves: globs for a search program only save it from
 * opening files in vain. Whoever approved a root that rules ask about, or that holds secrets, approved what is in it.
 */
export const sightFrom = (
  root: Location,
  context: PermissionContext,
  facts: Pick<CallFacts, "ruleLinks">
): ((place: Location) => Visibility) => {
  const given = { tools: ["Read"], context, facts }
  const isAskedAbout = firingPathRule("ask", root, given) !== undefined
  const showsSecrets = effectiveMode(context) === "bypassPermissions" || isCoveredSecret(root, context)
  return (place) => {
    if (firingPathRule("deny", place, given) !== undefined) return "closed"
    if (!isAskedAbout && firingPathRule("ask", place, given) !== undefined) return "closed"
    return !showsSecrets && isCoveredSecret(place, context) ? "secret" : "open"
  }
}

const DOMAIN = "domain:"

/** Hosts that rules of one kind name for fetching. */
export const ruleHosts = (context: PermissionContext, behavior: Rule["behavior"]): ReadonlyArray<string> =>
  context.rules.flatMap((rule) =>
    rule.behavior === behavior && rule.tool === "WebFetch" && rule.specifier?.startsWith(DOMAIN) === true
      ? [asciiHost(rule.specifier.slice(DOMAIN.length))]
      : []
  )
