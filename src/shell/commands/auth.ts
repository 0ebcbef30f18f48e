import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Result } from "effect"
import { lastFour, secretFrom } from "../../core/domain/secrets/secret.ts"
import type { StoredCredential } from "../../core/domain/secrets/stored-credential.ts"
import { DEFAULT_BASE_URL } from "../../core/model/catalog/model.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import { parseUrl } from "../../core/domain/net/host.ts"
import { credentialPath, removeCredential, saveCredential } from "../auth/credential-file.ts"
import { proxyInUse, verifyCredential } from "../layers/ports.ts"
import { configHome, type Credential, credentialOf } from "../plan/environment.ts"
import { openSettings } from "../settings/open-settings.ts"
import { VERSION } from "../process/version.ts"
import type { CommandIo } from "./io/command-io.ts"
import type { CommandInvocation } from "../cli/options.ts"

/** `nacre auth status|login|logout`. No secret is printed or stands in an argument; its last four characters may. */

const homeOf = ({ env }: CommandIo): string => resolve(configHome(env))

const complainTo =
  (io: CommandIo) =>
  (text: string): void =>
    io.err(`nacre: ${text}\n`)

const fail = (io: CommandIo, text: string): number => {
  complainTo(io)(text)
  return 1
}

/** What a session would have of the user's own; a project's settings have no part in it. */
const ownSettings = (io: CommandIo) =>
  openSettings({ env: io.env, home: io.home, configHome: homeOf(io), startDir: io.cwd, sources: ["user"] }).current()

const kindOf = (credential: Credential | undefined): string => {
  if (credential === undefined) return "none"
  if (credential.isStored === true) return "stored"
  if (credential.helper !== undefined) return "helper"
  return credential.authToken === undefined ? "api_key" : "auth_token"
}

const sourceOf = (credential: Credential | undefined, io: CommandIo): string => {
  if (credential === undefined) return "none"
  if (credential.isStored === true) return credentialPath(homeOf(io))
  if (credential.helper !== undefined) return "apiKeyHelper"
  return credential.authToken === undefined ? "ANTHROPIC_API_KEY" : "ANTHROPIC_AUTH_TOKEN"
}

const status = ({ flags }: CommandInvocation, io: CommandIo): number => {
  const { env: merged, snapshot } = ownSettings(io)
  const env = merged.own
  const credential = credentialOf({
    env,
    helper: settingOf(snapshot, "apiKeyHelper"),
    configHome: homeOf(io),
    complain: complainTo(io)
  })
  const end = lastFour(credential?.authToken ?? credential?.apiKey ?? "")
  const status = {
    loggedIn: credential !== undefined,
    kind: kindOf(credential),
    source: sourceOf(credential, io),
    baseUrl: env["ANTHROPIC_BASE_URL"] || (credential?.baseUrl ?? DEFAULT_BASE_URL),
    ...(end === undefined ? {} : { last4: end })
  }
  const sentence = status.loggedIn
    ? `A credential from ${status.source}${end === undefined ? "" : ` that ends in ${end}`} is used with ${status.baseUrl}.`
    : "There is no credential; the offline model answers. Fix: nacre login, or set ANTHROPIC_API_KEY"
  io.out(flags["text"] === true ? `${sentence}\n` : `${JSON.stringify(status, null, 2)}\n`)
  return status.loggedIn ? 0 : 1
}

const firstLine = async (io: CommandIo): Promise<string> => {
  for await (const [line = ""] of io.lineBlocks()) return line
  return ""
}

const LONELY = "nobody is there to paste it. Fix: nacre login --api-key-stdin < file"

/** From stdin when a flag says so, else pasted by whoever sits there, unseen. */
const askedSecret = async ({ flags }: CommandInvocation, io: CommandIo): Promise<Result.Result<string, string>> => {
  const isPiped = flags["api-key-stdin"] === true || flags["auth-token-stdin"] === true
  if (!isPiped && !io.stdinIsTerminal) return Result.fail(LONELY)
  const pasted = isPiped ? await firstLine(io) : await io.secret("API key (it is not shown): ")
  return Result.mapError(secretFrom(pasted), (why) => `${why}. Fix: paste the whole key, and nothing else`)
}

const isHttp = (address: string): boolean => /^https?:$/.test(parseUrl(address)?.protocol ?? "")

/** Why it is not kept, if so. Only a clear no counts: the endpoint may be out of reach today. */
const objection = async (credential: StoredCredential, io: CommandIo): Promise<string | undefined> => {
  const env = ownSettings(io).env.own
  const baseUrl = credential.baseUrl ?? (env["ANTHROPIC_BASE_URL"] || DEFAULT_BASE_URL)
  const proxy = proxyInUse(env, baseUrl, complainTo(io))
  const verdict = await verifyCredential({ ...credential, baseUrl, proxy, userAgent: `nacre/${VERSION}` })
  if (verdict._tag === "Refused") {
    return `${baseUrl} does not accept it (${verdict.status}); nothing was stored. Fix: check it, or add --no-verify`
  }
  if (verdict._tag === "Unknown") complainTo(io)(`it could not be checked (${verdict.why}) and is stored as it is`)
  return undefined
}

const login = async (invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const { flags } = invocation
  if (flags["api-key-stdin"] === true && flags["auth-token-stdin"] === true) {
    return fail(io, "--api-key-stdin cannot be used with --auth-token-stdin — it is one or the other. Fix: keep one of them")
  }
  const baseUrl = typeof flags["base-url"] === "string" ? flags["base-url"] : undefined
  if (baseUrl !== undefined && !isHttp(baseUrl)) {
    return fail(io, `--base-url does not accept "${baseUrl}" — it is not a web address. Fix: --base-url https://host`)
  }
  const secret = await askedSecret(invocation, io)
  if (Result.isFailure(secret)) return fail(io, secret.failure)
  const credential: StoredCredential = {
    kind: flags["auth-token-stdin"] === true ? "auth_token" : "api_key",
    secret: secret.success,
    ...(baseUrl === undefined ? {} : { baseUrl })
  }
  const why = flags["no-verify"] === true ? undefined : await objection(credential, io)
  if (why !== undefined) return fail(io, why)
  try {
    saveCredential(homeOf(io), credential)
  } catch (error) {
    return fail(
      io,
      `it was not stored (${error instanceof Error ? error.message : String(error)}). Fix: make ${homeOf(io)} writable`
    )
  }
  io.out(`Stored in ${credentialPath(homeOf(io))}, for you alone.\n`)
  const stronger = ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"].find((name) => (io.env[name] ?? "") !== "")
  if (stronger !== undefined) complainTo(io)(`${stronger} is set in the environment and takes precedence`)
  return 0
}

const logout = async ({ flags }: CommandInvocation, io: CommandIo): Promise<number> => {
  const path = credentialPath(homeOf(io))
  if (!existsSync(path)) return fail(io, "there is nothing to remove: login has stored no key")
  if (flags["yes"] !== true) {
    if (!io.stdinIsTerminal) return fail(io, `${path} was not removed: nobody is there to ask. Fix: nacre logout --yes`)
    io.out(`Remove the key in ${path}? [y/N] `)
    if (!/^y(?:es)?$/i.test((await firstLine(io)).trim())) return fail(io, "nothing was removed")
  }
  removeCredential(homeOf(io))
  io.out(`Removed: ${path}\n`)
  return 0
}

export const runAuth = async (invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  switch (invocation.sub) {
    case "login":
      return login(invocation, io)
    case "logout":
      return logout(invocation, io)
    default:
      return status(invocation, io)
  }
}
