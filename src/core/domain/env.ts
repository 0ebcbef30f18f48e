/** The environment as data, and how its variables are read. */
export type Env = Readonly<Record<string, string | undefined>>

/** `NACRE_X` wins over `CLAUDE_CODE_X`; an empty value counts as none. */
export const readVariable = (env: Env, name: string): string | undefined =>
  env[`NACRE_${name}`] || env[`CLAUDE_CODE_${name}`] || undefined

export const isOn = (value: string | undefined): boolean => /^(?:1|true|yes|on)$/i.test(value?.trim() ?? "")

export const isOff = (value: string | undefined): boolean => /^(?:0|false|no|off)$/i.test(value?.trim() ?? "")

export interface EnvironmentScrub {
  /** Names that sound like secrets are left out, not only the program's own credentials. */
  readonly enabled: boolean
  /** Names that stay. */
  readonly keep: ReadonlyArray<string>
}

export const DEFAULT_SCRUB: EnvironmentScrub = { enabled: true, keep: [] }
