import { asciiOnly, plainSigns } from "../../tui/line/ascii.ts"
import { type Env, isOn } from "../../core/domain/env.ts"
import { wholeNumber } from "../session/environment.ts"

/** How the linear mode speaks to this terminal. */
export interface LineMode {
  /** Who asked for screen-reader mode, if anybody did. */
  readonly screenReader: "flag" | "env" | undefined
  /** The terminal understands no control sequences: no editing, no bell, no marks. */
  readonly dumb: boolean
  /** Called for a finished reply, a question, a long call. */
  readonly bells: boolean
  /** Invisible marks at the borders of turns. */
  readonly marks: boolean
  /** Makes a text fit for the terminal. */
  readonly encode: (text: string) => string
  /** Silence after the first line, so that a screen reader can finish it. */
  readonly quietMs: number
}

const STARTUP_QUIET_MS = 3_000
const LONGEST_QUIET_MS = 60_000

/** The locale in force. One that is not set says nothing; terminals of today are UTF-8. */
const isUtf8 = (env: Env): boolean => {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"]
  return locale === undefined || locale === "" || /utf-?8/i.test(locale)
}

const screenReaderFrom = (flag: boolean, env: Env): LineMode["screenReader"] => {
  if (flag) return "flag"
  return isOn(env["CLAUDE_AX_SCREEN_READER"]) ? "env" : undefined
}

const isDumb = (env: Env): boolean =>
  env["TERM"] === "dumb" || (process.platform !== "win32" && (env["TERM"] ?? "") === "")

/** Plain lines are for screen readers and for terminals that cannot do more; everybody else gets the full screen. */
export const wantsLines = (flag: boolean, env: Env): boolean =>
  screenReaderFrom(flag, env) !== undefined || isDumb(env) || !isUtf8(env)

export const lineModeOf = (flag: boolean, env: Env, complain: (text: string) => void): LineMode => {
  const dumb = isDumb(env)
  const utf8 = isUtf8(env)
  const screenReader = screenReaderFrom(flag, env)
  return {
    screenReader,
    dumb,
    bells: screenReader !== undefined && !dumb && utf8,
    marks: screenReader !== undefined && !dumb,
    encode: utf8 ? (dumb ? plainSigns : (text) => text) : asciiOnly,
    quietMs: wholeNumber(
      {
        name: "CLAUDE_AX_STARTUP_QUIET_MS",
        value: env["CLAUDE_AX_STARTUP_QUIET_MS"],
        fallback: STARTUP_QUIET_MS,
        minimum: 0,
        maximum: LONGEST_QUIET_MS
      },
      complain
    )
  }
}
