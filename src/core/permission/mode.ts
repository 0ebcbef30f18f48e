import { Result } from "effect"
import type { PermissionContext } from "./context.ts"
import { PERMISSION_MODES, type PermissionMode } from "./verdict.ts"

/** Names of modes and the ways from one to another. */
export interface ModeRead {
  readonly mode: PermissionMode
  /** A sentence for the user when the text was not taken as it stands. */
  readonly warning?: string
}

/** `manual` is another name for the default; what is unknown or unavailable becomes the default, nothing looser. */
export const parseMode = (text: string): ModeRead => {
  const mode = PERMISSION_MODES.find((known) => known === text)
  if (mode !== undefined) return { mode }
  if (text === "manual") return { mode: "default" }
  const why = text === "auto" ? "is not available in this version" : "is unknown"
  return { mode: "default", warning: `permission mode ${text} ${why}; the session starts in default mode` }
}

type ModeState = Pick<PermissionContext, "mode" | "bypassAvailable">

/** The mode that really holds: bypass without its availability is nothing. */
export const effectiveMode = (context: ModeState): PermissionMode =>
  context.mode === "bypassPermissions" && !context.bypassAvailable ? "default" : context.mode

const BYPASS_UNAVAILABLE =
  "bypassPermissions is not available: start with --dangerously-skip-permissions or " +
  "--allow-dangerously-skip-permissions"

export const changeMode = (
  context: PermissionContext,
  mode: PermissionMode
): Result.Result<PermissionContext, string> =>
  mode === "bypassPermissions" && !context.bypassAvailable
    ? Result.fail(BYPASS_UNAVAILABLE)
    : Result.succeed({ ...context, mode })

export interface Account {
  readonly isRoot: boolean
  readonly isContainer: boolean
}

/** Why a session may not start in bypass mode; undefined when it may. */
export const bypassRefusal = ({ isRoot, isContainer }: Account): string | undefined =>
  isRoot && !isContainer
    ? "bypassPermissions is refused for root outside a container: what the model asks for would run with full rights"
    : undefined
