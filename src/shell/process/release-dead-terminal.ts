import { closeSync, fstatSync, openSync } from "node:fs"
import { isatty } from "node:tty"

/**
 * At its end Node sets the terminal back as it found it, and aborts where that fails because the terminal is gone. What
 * is gone is replaced by nothing at all, so that the program ends with its own exit code.
 */
export const releaseDeadTerminals = (): void => {
  for (const fd of [0, 1, 2]) {
    try {
      if (!fstatSync(fd).isCharacterDevice() || isatty(fd)) continue
      closeSync(fd)
      openSync("/dev/null", "r+")
    } catch {
      // A descriptor that is closed already is not looked at by Node either.
    }
  }
}
