import fs from "node:fs"
import path from "node:path"
import { RecordsFailure } from "../../core/ports/Records.ts"
import { codeOf } from "../system/error-code.ts"

/** Opening below the config directory: private modes, and no link is ever followed there. */
const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = fs.constants
/** Not defined on every platform. */
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0

export const APPEND_FLAGS = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW
export const CREATE_FLAGS = O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW
export const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700

const refusal = (place: string, code: string, message: string): RecordsFailure =>
  new RecordsFailure({ path: place, code, message })

/** Any thrown value as the port's failure. */
export const failureOf = (error: unknown, place: string): RecordsFailure => {
  if (error instanceof RecordsFailure) return error
  const code = codeOf(error) || "UNKNOWN"
  if (code === "ELOOP") return refusal(place, "LINK", `${place} is a link and is not followed`)
  return refusal(place, code, error instanceof Error ? error.message : String(error))
}

const partsBelow = (home: string, directory: string): ReadonlyArray<string> => {
  const relative = path.relative(home, directory)
  if (relative.startsWith("..") || path.isAbsolute(relative)) {
    throw refusal(directory, "OUTSIDE", `${directory} is not below ${home}`)
  }
  return relative === "" ? [] : relative.split(path.sep)
}

const requireDirectory = (place: string): void => {
  const stats = fs.lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined) {
    try {
      fs.mkdirSync(place, { mode: PRIVATE_DIRECTORY })
      return
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error
      return requireDirectory(place)
    }
  }
  if (stats.isSymbolicLink()) throw refusal(place, "LINK", `${place} is a link and is not followed`)
  if (!stats.isDirectory()) throw refusal(place, "ENOTDIR", `${place} is not a directory`)
}

/** Closes a directory to other users; one that belongs to somebody else stays as it is. */
const tighten = (place: string): void => {
  if ((fs.lstatSync(place).mode & 0o077) === 0) return
  try {
    fs.chmodSync(place, PRIVATE_DIRECTORY)
  } catch (error) {
    if (codeOf(error) !== "EPERM") throw error
  }
}

/** Step by step: Node's recursive form never returns where a file system answers every new name with ENOENT. */
const makeDirectories = (directory: string): void => {
  if (fs.existsSync(directory)) return
  const parent = path.dirname(directory)
  if (parent !== directory) makeDirectories(parent)
  fs.mkdirSync(directory, { mode: PRIVATE_DIRECTORY })
}

/**
 * Makes a directory below `home` and everything between, each private and none of them a link. The directory itself is
 * closed to others if it was open. `home` may be a link: it is the user's own choice.
 */
export const requirePrivateDirectory = (home: string, directory: string): void => {
  makeDirectories(home)
  let place = home
  for (const part of partsBelow(home, directory)) {
    place = path.join(place, part)
    requireDirectory(place)
  }
  if (place !== home) tighten(place)
}

/** A directory could become a link between check and open; where the path really leads is looked at afterwards. */
export const requireSamePlace = (home: string, file: string): void => {
  const directory = path.dirname(file)
  const expected = path.join(fs.realpathSync(home), path.relative(home, directory))
  if (fs.realpathSync(directory) === expected) return
  throw refusal(file, "LINK", `${directory} leads elsewhere through a link`)
}
