import { Context, Data, type Effect } from "effect"
import type { JsonObject } from "../domain/json/json-object.ts"
import type { Edit } from "../domain/json/patch.ts"

export class GlobalConfigError extends Data.TaggedError("GlobalConfigError")<{
  /** One sentence with the file, the place in it and what to do. */
  readonly message: string
}> {}

/** The file that remembers things about the user's machine, shared with other tools: `~/.claude.json`. */
export class GlobalConfig extends Context.Service<
  GlobalConfig,
  {
    /** Everything in it; an absent or empty file holds nothing. */
    readonly read: Effect.Effect<JsonObject, GlobalConfigError>
    /** Changes the named fields and no other byte. The file as it was is kept beside the newest earlier ones. */
    readonly patch: (edits: ReadonlyArray<Edit>) => Effect.Effect<void, GlobalConfigError>
  }
>()("nacre/ports/GlobalConfig") {}
