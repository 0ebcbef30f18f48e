/** Where a permission rule comes from. */
export type RuleSource =
  | "userSettings"
  | "projectSettings"
  | "localSettings"
  | "flagSettings"
  | "policySettings"
  | "cliArg"
  | "command"
  | "session"

/** Where settings come from, weakest first. */
export const SETTINGS_SOURCES = [
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "policySettings"
] as const satisfies ReadonlyArray<RuleSource>

export type SettingsSource = (typeof SETTINGS_SOURCES)[number]
