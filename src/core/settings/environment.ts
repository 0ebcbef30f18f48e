import type { Env, EnvironmentScrub } from "../domain/env.ts"
import { settingOf, type Snapshot } from "./snapshot.ts"

/** The environment after the `env` blocks of the settings. */
export interface SettingsEnv {
  /** What the program itself reads. */
  readonly own: Env
  /** What commands get. */
  readonly children: Env
  /** What of it commands do not get. */
  readonly scrub: EnvironmentScrub
}

/** They say how output looks; a file may say it for commands, not for this program's own screen. */
const CHILDREN_ONLY: ReadonlySet<string> = new Set(["NO_COLOR", "FORCE_COLOR"])

/** A value of the settings wins over the shell's; an empty one takes the variable away. */
const overlaid = (env: Env, values: ReadonlyArray<readonly [string, string]>): Env => {
  const result: Record<string, string | undefined> = { ...env }
  for (const [name, value] of values) result[name] = value === "" ? undefined : value
  return result
}

export const environmentWith = (snapshot: Snapshot, env: Env): SettingsEnv => {
  const values = Object.entries(settingOf(snapshot, "env") ?? {})
  const scrub = {
    enabled: settingOf(snapshot, "nacre.env.scrub") ?? true,
    keep: settingOf(snapshot, "nacre.env.keep") ?? []
  }
  if (values.length === 0) return { own: env, children: env, scrub }
  return {
    scrub,
    own: overlaid(
      env,
      values.filter(([name]) => !CHILDREN_ONLY.has(name))
    ),
    children: overlaid(env, values)
  }
}
