import type { PermissionMode } from "../../core/permission/verdict.ts"

/** What the permission modes are called on screen. */
const LABELS: Readonly<Record<PermissionMode, string>> = {
  default: "ask",
  acceptEdits: "accept edits",
  plan: "plan",
  dontAsk: "do not ask",
  bypassPermissions: "bypass permissions"
}

export const modeLabel = (mode: PermissionMode): string => LABELS[mode]

/** The order in which shift+tab goes through them. Bypass is only in it when the session was started with it. */
export const nextMode = (mode: PermissionMode, bypassAvailable: boolean): PermissionMode => {
  const cycle: ReadonlyArray<PermissionMode> = ["default", "acceptEdits", "plan", ...(bypassAvailable ? ["bypassPermissions" as const] : [])]
  return cycle[(cycle.indexOf(mode) + 1) % cycle.length] ?? "default"
}
