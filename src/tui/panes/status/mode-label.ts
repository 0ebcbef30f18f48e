import type { PermissionMode } from "../../../core/permission/verdict.ts"

/** What the permission modes are called on screen. */
const LABELS: Readonly<Record<PermissionMode, string>> = {
  default: "ask",
  acceptEdits: "accept edits",
  plan: "plan",
  auto: "auto",
  dontAsk: "do not ask",
  bypassPermissions: "bypass permissions"
}

export const modeLabel = (mode: PermissionMode): string => LABELS[mode]
