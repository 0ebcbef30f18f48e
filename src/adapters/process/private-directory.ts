/** Files for one user's eyes, in directories that are made when they turn out to be missing. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** Tries first and makes the directory only when it is missing: it nearly always exists. */
export const inPrivateDirectory = <A>(path: string, create: () => A): A => {
  try {
    return create()
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return create()
  }
}
