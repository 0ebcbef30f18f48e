import type { Env } from "../../../core/domain/env.ts"

/** Where and for whom is looked. */
export interface Place {
  readonly env: Env
  readonly cwd: string
  readonly home: string
  readonly configHome: string
  /** What was started: the script as the system names it. */
  readonly program: string
}
