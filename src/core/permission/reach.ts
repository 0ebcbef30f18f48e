import { Result } from "effect"
import type { PermissionContext } from "./context.ts"
import { anchorsOf } from "./match.ts"
import { parsePathPattern, type PathPattern } from "./path-pattern.ts"
import { resolvePath } from "./path-scope.ts"
import type { Rule } from "./rule.ts"

/** What the rules mean for tools that touch many places with one call. */

const globsOf = (pattern: PathPattern, anchors: ReadonlyArray<string>): ReadonlyArray<string> =>
  anchors.map((anchor) => {
    const base = resolvePath(anchor, "../".repeat(pattern.up))
    const anyDepth = pattern.anyDepth || pattern.isOwnDirectory
    return [base === "/" ? "" : base, ...(anyDepth ? ["**"] : []), ...pattern.components].join("/")
  })

const isReadDenial = (rule: Rule): rule is Rule & { readonly specifier: string } =>
  rule.behavior === "deny" && rule.tool === "Read" && rule.specifier !== undefined

/** Places that deny rules keep from being read, as absolute globs: searches leave them out. */
export const unreadableGlobs = (context: PermissionContext): ReadonlyArray<string> =>
  context.rules.filter(isReadDenial).flatMap((rule) => {
    const pattern = parsePathPattern(rule.specifier)
    return Result.isSuccess(pattern) ? globsOf(pattern.success, anchorsOf(pattern.success, rule, context)) : []
  })

const DOMAIN = "domain:"

/** Hosts that allow rules name for fetching. */
export const allowedHosts = (context: PermissionContext): ReadonlyArray<string> =>
  context.rules.flatMap((rule) =>
    rule.behavior === "allow" && rule.tool === "WebFetch" && rule.specifier?.startsWith(DOMAIN) === true
      ? [rule.specifier.slice(DOMAIN.length).trim().toLowerCase()]
      : []
  )
