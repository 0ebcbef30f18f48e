import type { PermissionContext } from "../context.ts"
import type { CallFacts } from "../facts.ts"
import { matchesPathPattern, namesParticularFile } from "./path-pattern.ts"
import { componentsBelow, pathVariants, isWithin, type Location, resolvePath } from "../../domain/path/path-components.ts"
import { firstRanked, pathRulesFor, type RankedPath, ruleIndex } from "./rule-index.ts"
import type { Rule } from "../rule.ts"
import { isSecretPath } from "./sensitive-paths.ts"
import type { Verdict } from "../verdict.ts"

/** Path rules on places. Deny and ask fire on any form of a path; an allow needs one rule that covers every form. */
const matchesForm = (entry: RankedPath, path: string, context: PermissionContext): boolean =>
  matchesPathPattern(entry.pattern, {
    path,
    behavior: entry.rule.behavior,
    anchors: entry.anchors,
    foldsCase: !context.caseSensitiveFs
  })

const rulesOn = (behavior: Verdict, path: string, context: PermissionContext): ReadonlyArray<RankedPath> =>
  pathRulesFor(ruleIndex(context)[behavior].paths, path)

/** Names under which rules know a place: those of the links that they spell out and that lead to it. */
const namedByLinks = (form: string, links: ReadonlyArray<Location>): ReadonlyArray<string> =>
  links.flatMap((link) =>
    pathVariants(link).flatMap((end) => {
      const rest = end === link.path ? undefined : componentsBelow(end, form, true)
      return rest === undefined ? [] : [resolvePath(link.path, rest.join("/"))]
    })
  )

export interface Firing {
  readonly tools: ReadonlyArray<string>
  readonly context: PermissionContext
  readonly facts: Pick<CallFacts, "ruleLinks">
}

/** The deny or ask rule of one of the tools that fires for the place. */
export const firingPathRule = (
  behavior: "deny" | "ask",
  place: Location,
  { tools, context, facts: { ruleLinks = [] } }: Firing
): RankedPath | undefined =>
  firstRanked(
    pathVariants(place)
      .flatMap((form) => [form, ...namedByLinks(form, ruleLinks)])
      .flatMap((form) =>
        rulesOn(behavior, form, context).filter(
          (entry) => tools.includes(entry.rule.tool) && matchesForm(entry, form, context)
        )
      )
  )

const coversEveryForm = (rule: Rule, place: Location, context: PermissionContext): boolean =>
  pathVariants(place).every((form) =>
    rulesOn("allow", form, context).some((entry) => entry.rule === rule && matchesForm(entry, form, context))
  )

/** The allow rule of the tool that covers the place in every form. */
export const coveringPathRule = (
  tool: "Read" | "Edit",
  place: Location,
  context: PermissionContext,
  isGoodEnough: (entry: RankedPath) => boolean = () => true
): RankedPath | undefined =>
  firstRanked(
    rulesOn("allow", place.path, context).filter(
      (entry) => entry.rule.tool === tool && isGoodEnough(entry) && coversEveryForm(entry.rule, place, context)
    )
  )

export const isInsideWork = (place: Location, context: PermissionContext): boolean =>
  isWithin(context.workingDirs, place, !context.caseSensitiveFs)

/** A file that probably holds secrets and that no rule uncovers: one that names it, not merely everything in a place. */
export const isCoveredSecret = (place: Location, context: PermissionContext): boolean =>
  context.secretFiles !== "off" &&
  pathVariants(place).some((path) => isSecretPath(path, context)) &&
  coveringPathRule("Read", place, context, ({ pattern }) => namesParticularFile(pattern)) === undefined
