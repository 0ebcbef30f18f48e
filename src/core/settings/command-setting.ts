import { Schema } from "effect"

/** A setting that names a command of the user's: what prints the status line or suggests files. */
const CommandSetting = Schema.Struct({
  type: Schema.Literals(["command"]),
  command: Schema.NonEmptyString,
  padding: Schema.optionalKey(Schema.Finite),
  refreshInterval: Schema.optionalKey(Schema.Finite),
  hideVimModeIndicator: Schema.optionalKey(Schema.Boolean)
})
export type CommandSetting = typeof CommandSetting.Type

/** Undefined for anything that is not a command; other fields belong to other programs. */
export const commandSetting = (value: unknown): CommandSetting | undefined =>
  Schema.is(CommandSetting)(value) ? value : undefined
