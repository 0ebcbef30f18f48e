import { Effect, Layer } from "effect"
import type { PermissionContext } from "../../../core/permission/context.ts"
import { type PathFact, componentsBelow, type Location, resolvePath } from "../../../core/domain/path/path-components.ts"
import { ruleGlobs, ruleHosts, sightFrom } from "../../../core/permission/rules/search-visibility.ts"
import { watchedStarts } from "../../../core/permission/rules/rule-index.ts"
import { Files } from "../../../core/ports/Files.ts"
import { SearchVisibility, type SearchView } from "./search-visibility.ts"

/** The same file seen from where the root of the search really is; searches follow no links below it. */
const placeBelow = (root: Location, path: string): Location => {
  const rest = root.path === root.realPath ? undefined : componentsBelow(root.path, path)
  return { path, realPath: rest === undefined ? path : resolvePath(root.realPath, rest.join("/")) }
}

const viewOf = (root: Location, context: PermissionContext, ruleLinks: ReadonlyArray<PathFact>): SearchView => {
  const sight = sightFrom(root, context, { ruleLinks })
  return {
    closed: ruleGlobs(context, "Read", "deny"),
    sight: (path) => sight(placeBelow(root, path))
  }
}

/** Joins the rules in force with where the links that they spell out lead at the moment. */
export const searchVisibilityLayer = (permission: () => PermissionContext): Layer.Layer<SearchVisibility, never, Files> =>
  Layer.effect(
    SearchVisibility,
    Effect.map(Files, (files) => ({
      viewFrom: Effect.fnUntraced(function* (root: Location) {
        const context = permission()
        const starts = yield* Effect.forEach(watchedStarts(context), (path) =>
          Effect.orElseSucceed(files.resolve(path), () => undefined)
        )
        const links = starts.filter((fact): fact is PathFact => fact !== undefined && fact.path !== fact.realPath)
        return viewOf(root, context, links)
      }),
      allowedHosts: Effect.sync(() => ruleHosts(permission(), "allow")),
      closedHosts: Effect.sync(() => [...ruleHosts(permission(), "deny"), ...ruleHosts(permission(), "ask")])
    }))
  )
