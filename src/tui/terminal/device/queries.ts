import type { Env } from "../../../core/domain/env.ts"
import type { Capabilities } from "../render/capabilities.ts"
import { CSI, ESC, osc, ST } from "../render/sequence.ts"
import { isOldTerminal } from "./detect.ts"

/** Questions about the terminal. The answers come as input, late or never, and nothing waits for them. */

const modeQuery = (mode: number): string => `${CSI}?${mode}$p`

const hexOf = (name: string): string => Array.from(name, (letter) => letter.charCodeAt(0).toString(16)).join("")

/** XTGETTCAP for both names of 24-bit colours. */
const COLOUR_QUERY = `${ESC}P+q${["Tc", "RGB"].map(hexOf).join(";")}${ST}`

/** The last is answered by every terminal; whoever has not answered by then will not. */
const QUERIES = [modeQuery(2026), modeQuery(2004), `${CSI}?u`, osc("11;?")]
const LAST_QUERY = `${CSI}c`

/** Who said how many colours there are is not asked; multiplexers pass the question on, and one terminal prints it. */
const asksForColours = (env: Env, { colourDepth, multiplexer }: Capabilities): boolean =>
  (colourDepth === "16" || colourDepth === "256") &&
  (env["FORCE_COLOR"] ?? "") === "" &&
  multiplexer === "none" &&
  env["TERM_PROGRAM"] !== "Apple_Terminal"

export const queriesFor = (env: Env, caps: Capabilities): string =>
  isOldTerminal(env) ? "" : [...QUERIES, ...(asksForColours(env, caps) ? [COLOUR_QUERY] : []), LAST_QUERY].join("")
