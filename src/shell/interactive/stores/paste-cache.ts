import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readIfThere, writeWhole } from "../../system/private-file.ts"

/** Long pastes of the history, each in a file named after its content. */

const NAME_CHARS = 16
const NAME = /^[0-9a-f]{16}$/

const pathOf = (configHome: string, hash: string): string => join(configHome, "paste-cache", `${hash}.txt`)

export const storePaste = (configHome: string, text: string): string => {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, NAME_CHARS)
  const path = pathOf(configHome, hash)
  if (!existsSync(path)) writeWhole(path, text)
  return hash
}

/** Undefined when it is gone or cannot be read. */
export const readPaste = (configHome: string, hash: string): string | undefined => {
  if (!NAME.test(hash)) return undefined
  try {
    return readIfThere(pathOf(configHome, hash))
  } catch {
    return undefined
  }
}
