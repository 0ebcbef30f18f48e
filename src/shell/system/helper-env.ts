import type { Env } from "../../core/domain/env.ts"
import { searchPathOutside } from "../../core/domain/path/search-path.ts"

/** The environment for helpers that we start ourselves: clipboard, opener, editor. */
export const envForOwnPrograms = (env: Env): Env =>
  process.platform === "win32" ? env : { ...env, PATH: searchPathOutside(env["PATH"], [process.cwd()]) }
