import { Context, type Effect } from "effect"

/**
 * What the permission rules in force say to tools that reach many places with one call. Asked anew for every call,
 * because rules change while a session runs.
 */
export class Reach extends Context.Service<
  Reach,
  {
    // Places denied for reading, as absolute globs in gitignore form, for example /project/secrets or /project/**/.env.
    readonly unreadable: Effect.Effect<ReadonlyArray<string>>
    /** Hosts that allow rules of WebFetch name: `host` or `*.host`, in the form of P-21. */
    readonly allowedHosts: Effect.Effect<ReadonlyArray<string>>
  }
>()("nacre/shell/Reach") {}
