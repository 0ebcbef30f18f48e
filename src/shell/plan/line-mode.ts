import { asciiOnly, plainSigns } from "../../tui/line/ascii.ts"
import { type Env, isOff, isOn } from "../../core/domain/env.ts"
import { wholeNumber } from "./environment.ts"

/** How the linear mode speaks to this terminal. */
export interface LineMode {
  /** Who asked for screen-reader mode, if anybody did. */
  readonly screenReader: "flag" | "env" | "settings" | undefined
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

/** Who may ask for a screen reader's lines, the strongest first: the flag, the variable, the setting. */
export interface ScreenReaderRequest {
  readonly flag: boolean
  readonly env: Env
  readonly setting: boolean | undefined
}

const screenReaderFrom = ({ flag, env, setting }: ScreenReaderRequest): LineMode["screenReader"] => {
  const variable = env["CLAUDE_AX_SCREEN_READER"]
  if (flag) return "flag"
  if (isOn(variable)) return "env"
  return setting === true && !isOff(variable) ? "settings" : undefined
}

const isDumb = (env: Env): boolean => env["TERM"] === "dumb" || (process.platform !== "win32" && (env["TERM"] ?? "") === "")

/** Plain lines are for screen readers and for terminals that cannot do more; everybody else gets the full screen. */
export const wantsLines = (wish: ScreenReaderRequest): boolean =>
  screenReaderFrom(wish) !== undefined || isDumb(wish.env) || !isUtf8(wish.env)

export const lineModeOf = (wish: ScreenReaderRequest, complain: (text: string) => void): LineMode => {
  const { env } = wish
  const dumb = isDumb(env)
  const utf8 = isUtf8(env)
  const screenReader = screenReaderFrom(wish)
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
