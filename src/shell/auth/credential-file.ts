import { chmodSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { readStored, type StoredCredential, writeStored } from "../../core/domain/secrets/stored-credential.ts"
import { readIfThere, writeWhole } from "../system/private-file.ts"

/** The credential of `nacre login` on the disk: the user's own file, in a directory that is theirs alone. */
const OTHERS = 0o077
const OWNER_ONLY = 0o600

export const credentialPath = (configHome: string): string => join(configHome, "nacre-credentials.json")

/** Whoever else could read it till now, nobody can from here on. */
const madePrivate = (path: string, complain: (text: string) => void): void => {
  if (process.platform === "win32" || (statSync(path).mode & OTHERS) === 0) return
  chmodSync(path, OWNER_ONLY)
  complain(`${path} could be read by others; it is private now. Fix: if somebody else uses this computer, make a new key`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether there is one that can be used; nothing is changed or reported. */
export const hasCredential = (configHome: string): boolean => {
  try {
    const text = readIfThere(credentialPath(configHome))
    return text !== undefined && Result.isSuccess(readStored(text))
  } catch {
    return false
  }
}

/** Undefined when there is none, or when it cannot be used, which is reported. */
export const loadCredential = (configHome: string, complain: (text: string) => void): StoredCredential | undefined => {
  const path = credentialPath(configHome)
  try {
    const text = readIfThere(path)
    if (text === undefined) return undefined
    madePrivate(path, complain)
    const stored = readStored(text)
    if (Result.isSuccess(stored)) return stored.success
    complain(`${path} is not used: ${stored.failure}. Fix: nacre login`)
  } catch (error) {
    complain(`${path} is not used: ${messageOf(error)}. Fix: make it readable, or nacre login`)
  }
  return undefined
}

export const saveCredential = (configHome: string, credential: StoredCredential): void =>
  writeWhole(credentialPath(configHome), writeStored(credential), OWNER_ONLY)

export const removeCredential = (configHome: string): void => rmSync(credentialPath(configHome))
