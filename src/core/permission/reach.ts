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

const isReadDenial = (rule: Rule): rule is Rule & { readonly specifier: string } =>
  rule.behavior === "deny" && rule.tool === "Read" && rule.specifier !== undefined

const deniedGlobs = (context: PermissionContext): ReadonlyArray<string> =>
  context.rules.filter(isReadDenial).flatMap((rule) => {
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
  ...deniedGlobs(context),
  ...secretGlobs(context)
]

const DOMAIN = "domain:"

/** Hosts that allow rules name for fetching. */
export const allowedHosts = (context: PermissionContext): ReadonlyArray<string> =>
  context.rules.flatMap((rule) =>
    rule.behavior === "allow" && rule.tool === "WebFetch" && rule.specifier?.startsWith(DOMAIN) === true
      ? [rule.specifier.slice(DOMAIN.length).trim().toLowerCase()]
      : []
  )
