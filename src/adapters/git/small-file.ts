import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"

/** Flags that Windows does not have are left out there. */
const SAFELY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * The first bytes of a regular file as text; undefined for everything else. A repository can put a pipe, a device or a
 * huge file anywhere, and whoever only looks must neither wait for it nor swallow it.
 */
export const readSmallFile = (path: string, maxBytes: number): string | undefined => {
  let fd: number | undefined
  try {
    fd = openSync(path, SAFELY)
    if (!fstatSync(fd).isFile()) return undefined
    const bytes = Buffer.alloc(maxBytes)
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, maxBytes, 0))
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
