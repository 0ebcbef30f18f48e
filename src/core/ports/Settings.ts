import { Context, Data, type Effect, type Result, type Scope } from "effect"
import type { SettingsSource } from "../domain/settings-source.ts"

/** A file that may hold settings. */
export interface SettingsPlace {
  readonly source: SettingsSource
  readonly path: string
  /**
   * own: the config home, links are followed. workspace: a link is refused, because the repository may have put it
   * there. named: given on the command line, a link is refused. managed: the administrator's.
   */
  readonly kind: "own" | "workspace" | "named" | "managed"
}

export type SettingsFound =
  /** `leadsTo`: a link is there, but not the file that it names. */
  | { readonly _tag: "Absent"; readonly leadsTo?: string }
  | {
      readonly _tag: "Unreadable"
      readonly reason: string
      readonly fix: string
      /** Where in the file, if it is a place in it that is wrong. */
      readonly at?: { readonly line: number; readonly column: number }
    }
  | {
      readonly _tag: "Found"
      readonly text: string
      readonly realPath: string
      /** Owned by the administrator and writable by nobody else. */
      readonly secure: boolean
    }

export interface PlacesRequest {
  readonly home: string
  readonly configHome: string
  readonly startDir: string
}

export class SettingsWriteError extends Data.TaggedError("SettingsWriteError")<{
  readonly path: string
  /** One sentence with what to do. */
  readonly message: string
}> {}

export interface SettingsWritten {
  readonly path: string
  readonly before: string
  readonly after: string
  /** Things worth saying: another file that was changed, or that the change was not made in the usual safe way. */
  readonly notices: ReadonlyArray<string>
}

/** The settings files on the disk. Reading never fails: what is wrong with a file is part of the answer. */
export class Settings extends Context.Service<
  Settings,
  {
    /** Every place where settings may be, weakest first. Reads the repository's files as data, runs nothing. */
    readonly places: (request: PlacesRequest) => Effect.Effect<ReadonlyArray<SettingsPlace>>
    readonly read: (place: SettingsPlace) => Effect.Effect<SettingsFound>
    /**
     * Replaces a file by what `edit` makes of its present text, all or nothing, one writer at a time. Nothing is
     * written when nothing changes.
     */
    readonly change: (
      place: SettingsPlace,
      edit: (text: string) => Result.Result<string, string>
    ) => Effect.Effect<SettingsWritten, SettingsWriteError>
    /**
     * Tells which files changed, once for each change that `change` did not make. A path that ends in a slash is a
     * directory: every file in it counts.
     */
    readonly watch: (
      paths: ReadonlyArray<string>,
      onChange: (paths: ReadonlyArray<string>) => void
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>()("nacre/ports/Settings") {}
