import { homedir } from "node:os"
import { isAbsolute } from "node:path"

/**
 * Where the user's own files are. A HOME that is empty or relative would put them into whatever folder the program is
 * started in, where a repository could pass its settings off as the user's: the account's own home counts then.
 */
const ofAccount = (): string | undefined => {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : undefined
  } catch {
    return undefined
  }
}

/** What containers give to accounts that have none. */
const NOBODYS_HOME = "/"

/** Sets HOME for this program and whatever it starts. A sentence when what was there could not be used. */
export const resolveHome = (): string | undefined => {
  const given = process.env["HOME"]
  if (process.platform === "win32" || (given !== undefined && isAbsolute(given))) return undefined
  delete process.env["HOME"]
  const home = ofAccount() ?? NOBODYS_HOME
  process.env["HOME"] = home
  return given === undefined || given === ""
    ? undefined
    : `HOME=${given} is not an absolute path; ${home} is used. Fix: set HOME to your home directory`
}
