import { homedir } from "node:os"
import { join } from "node:path"
import type { StoredCredential } from "../../core/domain/secrets/stored-credential.ts"
import type { Env } from "../../core/domain/env.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import { loadCredential } from "../auth/credential-file.ts"
import type { TrustOptions } from "../layers/ports.ts"

/** Config home: ours, else the one we share, else the usual place. */
export const configHome = (env: Env): string =>
  env["NACRE_CONFIG_DIR"] || env["CLAUDE_CONFIG_DIR"] || join(homedir(), ".claude")

/** How the system reads paths; under WSL the drives of Windows have their own ways. */
export const pathSystem = (env: Env): Pick<PermissionContext, "platform" | "caseSensitiveFs"> => ({
  platform: process.platform === "win32" ? "windows" : env["WSL_DISTRO_NAME"] === undefined ? "posix" : "wsl",
  caseSensitiveFs: process.platform !== "win32" && process.platform !== "darwin"
})

/** The shared file is beside the config home, inside it when a variable names the home. */
export const trustOptions = (env: Env, home: string): TrustOptions => {
  const directory = configHome(env)
  const isNamed = directory === env["NACRE_CONFIG_DIR"] || directory === env["CLAUDE_CONFIG_DIR"]
  return {
    path: join(isNamed ? directory : home, ".claude.json"),
    backups: join(directory, "backups"),
    home,
    xdgConfigHome: env["XDG_CONFIG_HOME"]
  }
}

export interface NumberVariable {
  readonly name: string
  readonly value: string | undefined
  readonly fallback: number
  readonly minimum: number
  readonly maximum: number
}

/** A whole number from the environment; what cannot be read is reported and the default used. */
export const wholeNumber = (variable: NumberVariable, complain: (text: string) => void): number => {
  const { value, fallback } = variable
  if (value === undefined || value.trim() === "") return fallback
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0) {
    complain(`${variable.name}=${value} is not a whole number; using ${fallback}`)
    return fallback
  }
  return Math.min(variable.maximum, Math.max(variable.minimum, number))
}

/** `Name: value` lines of ANTHROPIC_CUSTOM_HEADERS. */
export const customHeaders = (value: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (value ?? "").split("\n").flatMap((line) => {
      const colon = line.indexOf(":")
      return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]]
    })
  )

export interface Credential {
  readonly apiKey?: string
  readonly authToken?: string
  /** As `system/init` names it. */
  readonly source: string
  /** A command prints the key when it is needed. */
  readonly helper?: string
  /** Kept by `nacre login`. */
  readonly isStored?: true
  /** The endpoint that it was kept for. */
  readonly baseUrl?: string
}

const fromStore = ({ kind, secret, baseUrl }: StoredCredential): Credential => ({
  ...(kind === "api_key" ? { apiKey: secret } : { authToken: secret }),
  source: "user",
  isStored: true,
  ...(baseUrl === undefined ? {} : { baseUrl })
})

export interface CredentialSources {
  readonly env: Env
  /** The setting `apiKeyHelper`. */
  readonly helper: string | undefined
  /** Where a kept credential lies. */
  readonly configHome: string
  readonly complain: (text: string) => void
}

/** The credential in force: a token, a key, a command that prints one, and last what was kept. */
export const credentialOf = ({ env, helper, configHome: home, complain }: CredentialSources): Credential | undefined => {
  const authToken = env["ANTHROPIC_AUTH_TOKEN"]
  if (authToken !== undefined && authToken !== "") return { authToken, source: "none" }
  const apiKey = env["ANTHROPIC_API_KEY"]
  if (apiKey !== undefined && apiKey !== "") return { apiKey, source: "ANTHROPIC_API_KEY" }
  if (helper !== undefined) return { helper, source: "apiKeyHelper" }
  const kept = loadCredential(home, complain)
  return kept === undefined ? undefined : fromStore(kept)
}
