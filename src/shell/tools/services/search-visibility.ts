import { Context, type Effect } from "effect"
import type { Location } from "../../../core/domain/path/path-components.ts"
import type { Visibility } from "../../../core/permission/rules/search-visibility.ts"

/** What a search from one place may open and show. */
export interface SearchView {
  // Places that rules close, as absolute globs in gitignore form, for example /project/secrets or /project/**/*.log.
  readonly closed: ReadonlyArray<string>
  /** The word of the rules themselves, for every file that was found; it also knows those that may hold secrets. */
  readonly sight: (path: string) => Visibility
}

/**
 * What the permission rules in force say to tools that reach many places with one call. Asked anew for every call,
 * because rules change while a session runs.
 */
export class SearchVisibility extends Context.Service<
  SearchVisibility,
  {
    readonly viewFrom: (root: Location) => Effect.Effect<SearchView>
    /** Hosts that allow rules of WebFetch name: `host` or `*.host`, as in rules. */
    readonly allowedHosts: Effect.Effect<ReadonlyArray<string>>
    /** Hosts that deny and ask rules of WebFetch name, in the same form. */
    readonly closedHosts: Effect.Effect<ReadonlyArray<string>>
  }
>()("nacre/shell/Reach") {}
