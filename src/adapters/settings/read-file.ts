import { isUtf8 } from "node:buffer"
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats
} from "node:fs"
import { dirname, resolve } from "node:path"
import { codeOf } from "../system/error-code.ts"
import type { SettingsFound, SettingsPlace } from "../../core/ports/Settings.ts"

/** Reads one settings file without following links where a stranger may have put them, and never a pipe or device. */

export const SETTINGS_BYTES = 2 * 1024 * 1024

/** Flags that Windows does not have are left out there. */
const SAFELY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

const isAbsent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(error))

type Unreadable = Extract<SettingsFound, { readonly _tag: "Unreadable" }>

const unreadable = (reason: string, fix: string): Unreadable => ({ _tag: "Unreadable", reason, fix })

/** The directory may be what is closed. */
const openingCommand = (path: string): string => {
  try {
    accessSync(dirname(path), constants.X_OK)
    return `chmod u+r ${path}`
  } catch {
    return `chmod u+rx ${dirname(path)}`
  }
}

const refusedOpen = (error: unknown, path: string): Unreadable => {
  switch (codeOf(error)) {
    case "ELOOP":
      return unreadable("it is a link; links are not followed here", "put the file itself there")
    case "EACCES":
    case "EPERM":
      return unreadable("it may not be read", openingCommand(path))
    default:
      return unreadable(error instanceof Error ? error.message : String(error), "make it a file that you can read")
  }
}

const WRITABLE_BY_OTHERS = 0o002

const isSecure = ({ uid, mode }: Stats): boolean => uid === 0 && (mode & WRITABLE_BY_OTHERS) === 0

const refusal = (stat: Stats): Unreadable | undefined => {
  if (stat.isDirectory()) return unreadable("it is a directory", "replace it by a file, or remove it")
  if (!stat.isFile()) return unreadable("it is not a regular file", "replace it by a file, or remove it")
  return stat.size > SETTINGS_BYTES
    ? unreadable(`it is larger than ${SETTINGS_BYTES / 1024 / 1024} MiB`, "make it smaller, or remove it")
    : undefined
}

const LINE_FEED = 0x0a

/** A line feed is never part of another character, so lines can be looked at one by one. */
const firstBadPlace = (bytes: Buffer): { readonly line: number; readonly column: number } => {
  let start = 0
  for (let line = 1; ; line++) {
    const feed = bytes.indexOf(LINE_FEED, start)
    const end = feed < 0 ? bytes.length : feed
    const text = bytes.subarray(start, end)
    if (!isUtf8(text) || feed < 0) return { line, column: text.toString("utf8").indexOf("\ufffd") + 1 }
    start = feed + 1
  }
}

const readOpen = (fd: number, realPath: string, isManaged: boolean): SettingsFound => {
  const stat = fstatSync(fd)
  const refused = refusal(stat)
  if (refused !== undefined) return refused
  const bytes = readFileSync(fd)
  return isUtf8(bytes)
    ? { _tag: "Found", text: bytes.toString("utf8"), realPath, secure: !isManaged || isSecure(stat) }
    : { ...unreadable("it is not UTF-8 text", "save it as UTF-8"), at: firstBadPlace(bytes) }
}

const followsLinks = ({ kind }: SettingsPlace): boolean => kind === "own" || kind === "managed"

/** A link of one's own that leads nowhere: the file it names may be created, but what it held is missing. */
const absent = (place: SettingsPlace): SettingsFound => {
  try {
    return followsLinks(place)
      ? { _tag: "Absent", leadsTo: resolve(dirname(place.path), readlinkSync(place.path)) }
      : { _tag: "Absent" }
  } catch {
    return { _tag: "Absent" }
  }
}

export const readSettingsFile = (place: SettingsPlace): SettingsFound => {
  try {
    const realPath = realpathSync(place.path)
    const fd = openSync(followsLinks(place) ? realPath : place.path, SAFELY)
    try {
      return readOpen(fd, realPath, place.kind === "managed")
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    return isAbsent(error) ? absent(place) : refusedOpen(error, place.path)
  }
}
