import { Result } from "effect"
import type { PermissionContext } from "./context.ts"
import { PERMISSION_MODES, type PermissionMode } from "./verdict.ts"

/** Names of modes and the ways from one to another. */
export interface ModeRead {
  readonly mode: PermissionMode
  /** A sentence for the user when the text was not taken as it stands. */
  readonly warning?: string
}

const startsInDefault = (text: string, why: string): ModeRead => ({
  mode: "default",
  warning: `permission mode ${text} ${why}; the session starts in default mode`
})

/** `manual` is another name for the default; what is unknown becomes the default, nothing looser. */
export const parseMode = (text: string): ModeRead => {
  const mode = PERMISSION_MODES.find((known) => known === text)
  if (mode !== undefined) return { mode }
  return text === "manual" ? { mode: "default" } : startsInDefault(text, "is unknown")
}

/** The mode that a session goes on with when it is continued. A plan and bypass are for the run they were chosen in. */
export const resumedMode = (recorded: string): PermissionMode | undefined =>
  recorded === "plan" || recorded === "bypassPermissions" ? undefined : PERMISSION_MODES.find((mode) => mode === recorded)

export type ModeState = Pick<PermissionContext, "mode" | "bypassAvailable" | "autoAvailable">

const isAvailable = (mode: PermissionMode, { bypassAvailable, autoAvailable }: Omit<ModeState, "mode">): boolean =>
  (mode !== "bypassPermissions" || bypassAvailable) && (mode !== "auto" || autoAvailable)

/** The mode that really holds: one that is not available is nothing. */
export const effectiveMode = (context: ModeState): PermissionMode =>
  isAvailable(context.mode, context) ? context.mode : "default"

const UNAVAILABLE: Readonly<Partial<Record<PermissionMode, string>>> = {
  bypassPermissions:
    "bypassPermissions is not available: start with --dangerously-skip-permissions or " +
    "--allow-dangerously-skip-permissions",
  auto: "auto is turned off by settings (disableAutoMode)"
}

export const changeMode = (context: PermissionContext, mode: PermissionMode): Result.Result<PermissionContext, string> =>
  isAvailable(mode, context)
    ? Result.succeed({ ...context, mode })
    : Result.fail(UNAVAILABLE[mode] ?? `${mode} is not available`)

/** The next mode of the cycle. `dontAsk` is left to flags and settings, and leads back to the default. */
export const nextMode = (context: ModeState): PermissionMode => {
  const cycle = (["default", "acceptEdits", "plan", "bypassPermissions", "auto"] as const).filter((mode) =>
    isAvailable(mode, context)
  )
  const at = cycle.findIndex((mode) => mode === effectiveMode(context))
  return at < 0 ? "default" : (cycle[(at + 1) % cycle.length] ?? "default")
}

export interface Account {
  readonly isRoot: boolean
  readonly isContainer: boolean
}

/** Why a session may not start in bypass mode; undefined when it may. */
export const bypassRefusal = ({ isRoot, isContainer }: Account): string | undefined =>
  isRoot && !isContainer
    ? "bypassPermissions is refused for root outside a container: what the model asks for would run with full rights"
    : undefined
