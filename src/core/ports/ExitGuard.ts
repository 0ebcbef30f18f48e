import { Context, type Effect, type Scope } from "effect"

/** The end of the process, for those who must leave nothing behind even when no scope is closed any more. */
export class ExitGuard extends Context.Service<
  ExitGuard,
  {
    /** Called at the exit unless the scope was closed before: the event loop is over, so it must not wait for anything. */
    readonly onExit: (release: () => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("nacre/ports/ExitGuard") {}
