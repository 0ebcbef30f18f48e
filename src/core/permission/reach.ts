import { Result } from "effect"
import type { PermissionContext } from "./context.ts"
import { effectiveMode } from "./mode.ts"
import { parsePathPattern, type PathPattern } from "./path-pattern.ts"
import { formsOf, resolvePath } from "./path-scope.ts"
import { anchorsOf } from "./rule-index.ts"
import type { Rule } from "./rule.ts"
import { SECRET_GLOBS } from "./sensitive-paths.ts"

/** What the rules mean for tools that touch many places with one call. */

const globsOf = (pattern: PathPattern, anchors: ReadonlyArray<string>): ReadonlyArray<string> =>
  anchors.map((anchor) => {
    const base = resolvePath(anchor, "../".repeat(pattern.up))
    const anyDepth = pattern.anyDepth || pattern.isOwnDirectory
    return [base === "/" ? "" : base, ...(anyDepth ? ["**"] : []), ...pattern.components].join("/")
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
    : [...new Set(context.workingDirs.flatMap(formsOf))].flatMap((directory) =>
        SECRET_GLOBS.map((glob) => `${directory === "/" ? "" : directory}/**/${glob}`)
      )

/** Places that searches leave out, as absolute globs: what deny rules name, and files that probably hold secrets. */
export const unreadableGlobs = (context: PermissionContext): ReadonlyArray<string> => [
  ...ruleGlobs(context, "Read", "deny"),
  ...secretGlobs(context)
]

const DOMAIN = "domain:"

/** Hosts that rules of one kind name for fetching. */
export const ruleHosts = (context: PermissionContext, behavior: Rule["behavior"]): ReadonlyArray<string> =>
  context.rules.flatMap((rule) =>
    rule.behavior === behavior && rule.tool === "WebFetch" && rule.specifier?.startsWith(DOMAIN) === true
      ? [rule.specifier.slice(DOMAIN.length).trim().toLowerCase()]
      : []
  )
