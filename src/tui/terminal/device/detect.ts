import { type Env, isOn, readVariable } from "../../../core/domain/env.ts"
import type { ColourDepth } from "../../screen/style/theme.ts"
import {
  BASIC_CAPABILITIES,
  type Capabilities,
  type Multiplexer,
  type NotificationChannel,
  type Reflow
} from "../render/capabilities.ts"

/** What the environment says about the terminal. Answers of the terminal itself refine it later. */

/** Terminals that know nothing of what came after them, and print what they do not know. */
export const isOldTerminal = ({ TERM: term = "" }: Env): boolean => /^(?:linux|dumb|vt\d+|ansi|cons\d+)/.test(term)

const FORCED_DEPTHS: Readonly<Record<string, ColourDepth>> = { "0": "none", "1": "16", "2": "256", "3": "24bit" }

/** Terminals that show 24-bit colours whether or not they say so. */
const TRUE_COLOUR_PROGRAMS = new Set(["iTerm.app", "WezTerm", "ghostty", "vscode", "WarpTerminal", "rio", "Hyper"])
/** The first xterm that draws them. */
const TRUE_COLOUR_XTERM = 331
const xtermVersion = ({ XTERM_VERSION: version = "" }: Env): number => Number(/\((\d+)/.exec(version)?.[1] ?? 0)
const TRUE_COLOUR_TERMS = /kitty|ghostty|wezterm|foot|alacritty|direct|truecolor/

const multiplexerOf = (env: Env): Multiplexer => {
  if ((env["TMUX"] ?? "") !== "") return "tmux"
  return (env["STY"] ?? "") === "" ? "none" : "screen"
}

const depthOf = (env: Env, multiplexer: Multiplexer): ColourDepth => {
  const term = env["TERM"] ?? ""
  const forced = FORCED_DEPTHS[env["FORCE_COLOR"] ?? ""]
  if (forced !== undefined) return forced
  if ((env["NO_COLOR"] ?? "") !== "" || term === "dumb") return "none"
  if (isOn(env["NACRE_TRUECOLOR"]) || isOn(readVariable(env, "TMUX_TRUECOLOR"))) return "24bit"
  const says = /truecolor|24bit/.test(env["COLORTERM"] ?? "")
  const known =
    TRUE_COLOUR_PROGRAMS.has(env["TERM_PROGRAM"] ?? "") ||
    TRUE_COLOUR_TERMS.test(term) ||
    env["WT_SESSION"] !== undefined ||
    xtermVersion(env) >= TRUE_COLOUR_XTERM
  // A multiplexer inherits the variable but need not pass the colours on; what it cannot show it maps itself.
  if (says || (known && multiplexer === "none")) return "24bit"
  return term.includes("256") || multiplexer === "tmux" ? "256" : "16"
}

const notificationsOf = (env: Env): NotificationChannel => {
  const program = env["TERM_PROGRAM"] ?? ""
  if (program === "iTerm.app" || program === "WezTerm") return "osc9"
  if (env["KITTY_WINDOW_ID"] !== undefined) return "osc99"
  return program === "ghostty" || env["GHOSTTY_RESOURCES_DIR"] !== undefined ? "osc777" : "none"
}

const hyperlinksOf = (env: Env): boolean => {
  const forced = env["FORCE_HYPERLINK"]
  if (forced !== undefined && forced !== "") return forced !== "0"
  return env["TERM_PROGRAM"] !== "Apple_Terminal"
}

/** Old terminals cut what does not fit; those of today break it anew. */
const reflowOf = (env: Env, multiplexer: Multiplexer): Reflow => {
  if (multiplexer !== "none") return multiplexer === "tmux" ? "follows" : "none"
  if (env["TERM_PROGRAM"] === "vscode") return "spares"
  return env["XTERM_VERSION"] !== undefined || /^(?:rxvt|linux|vt\d+|ansi|dumb)/.test(env["TERM"] ?? "") ? "none" : "follows"
}

export const detectCapabilities = (env: Env): Capabilities => {
  const multiplexer = multiplexerOf(env)
  const isModern = !isOldTerminal(env)
  return {
    ...BASIC_CAPABILITIES,
    colourDepth: depthOf(env, multiplexer),
    syncOutput: isOn(readVariable(env, "FORCE_SYNC_OUTPUT")),
    hyperlinks: isModern && hyperlinksOf(env),
    erasesWithBackground: isModern && multiplexer !== "screen",
    scrollRegions: isModern && env["WT_SESSION"] === undefined,
    strike: isModern && multiplexer !== "screen",
    cursorShape: isModern,
    title: isModern && !isOn(readVariable(env, "DISABLE_TERMINAL_TITLE")),
    clipboard: isModern,
    notifications: notificationsOf(env),
    multiplexer,
    reflow: reflowOf(env, multiplexer)
  }
}

/** Terminals that mark what is pasted. Elsewhere a burst of keys counts as a paste. */
export const bracketsPastes = (env: Env): boolean => !isOldTerminal(env) && (env["TERM"] ?? "") !== ""

/** Bytes come by way of another program or machine. zellij needs no wrapping, but it stands between too. */
const isRemote = (env: Env): boolean =>
  ["SSH_TTY", "SSH_CONNECTION", "ZELLIJ"].some((name) => env[name] !== undefined) || multiplexerOf(env) !== "none"

/** How long a lone escape byte may be the beginning of a key: longer where bytes travel. */
export const escapeDelayMs = (env: Env): number => (isRemote(env) ? 75 : 25)
