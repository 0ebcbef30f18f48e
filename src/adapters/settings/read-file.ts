import { isUtf8 } from "node:buffer"
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, type Stats } from "node:fs"
import type { SettingsFound, SettingsPlace } from "../../core/ports/Settings.ts"

/** Reads one settings file without following links where a stranger may have put them, and never a pipe or device. */

export const SETTINGS_BYTES = 2 * 1024 * 1024

/** Flags that Windows does not have are left out there. */
const SAFELY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

const isAbsent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(error))

const reasonOf = (error: unknown): string => {
  switch (codeOf(error)) {
    case "ELOOP":
      return "it is a link; links are not followed here"
    case "EACCES":
    case "EPERM":
      return "it may not be read"
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

const WRITABLE_BY_OTHERS = 0o002

const isSecure = ({ uid, mode }: Stats): boolean => uid === 0 && (mode & WRITABLE_BY_OTHERS) === 0

const refusal = (stat: Stats): string | undefined => {
  if (stat.isDirectory()) return "it is a directory"
  if (!stat.isFile()) return "it is no regular file"
  return stat.size > SETTINGS_BYTES ? `it is larger than ${SETTINGS_BYTES / 1024 / 1024} MiB` : undefined
}

const readOpen = (fd: number, realPath: string, isManaged: boolean): SettingsFound => {
  const stat = fstatSync(fd)
  const reason = refusal(stat)
  if (reason !== undefined) return { _tag: "Unreadable", reason }
  const bytes = readFileSync(fd)
  return isUtf8(bytes)
    ? { _tag: "Found", text: bytes.toString("utf8"), realPath, secure: !isManaged || isSecure(stat) }
    : { _tag: "Unreadable", reason: "it is not UTF-8 text" }
}

const followsLinks = ({ kind }: SettingsPlace): boolean => kind === "own" || kind === "managed"

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
    return isAbsent(error) ? { _tag: "Absent" } : { _tag: "Unreadable", reason: reasonOf(error) }
  }
}
