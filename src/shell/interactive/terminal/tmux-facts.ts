import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Env } from "../../../core/domain/env.ts"
import type { Happening } from "../../../tui/model/msg.ts"
import { envForOwnPrograms } from "../../system/helper-env.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"

/** What tmux passes on between us and the terminal outside. Asked behind the first frame. */
export interface TmuxFacts {
  readonly mouse: boolean
  readonly passesOn: boolean
  readonly trueColour: boolean
}

const PATIENCE_MS = 2_000
const QUESTION = "#{mouse}|#{allow-passthrough}|#{client_termfeatures}"

const isOff = (value: string): boolean => value === "0" || value === "off"

/** An older tmux knows nothing of the second option and passes everything on. */
export const tmuxFactsOf = (answer: string): TmuxFacts => {
  const [mouse = "", passthrough = "", features = ""] = answer.trim().split("|")
  return { mouse: !isOff(mouse), passesOn: !isOff(passthrough), trueColour: features.split(",").includes("RGB") }
}

export const askTmux = (env: Env): Promise<TmuxFacts | undefined> =>
  new Promise((resolve) => {
    const options = { timeout: PATIENCE_MS, cwd: "/", env: envForOwnPrograms(env), encoding: "utf8" } as const
    execFile("tmux", ["display-message", "-p", QUESTION], options, (error, answer) =>
      resolve(error === null ? tmuxFactsOf(answer) : undefined)
    )
  })

/** What to set in tmux, for whoever uses the mouse or not; undefined when nothing is missing. */
export const tmuxHint = ({ mouse, passesOn }: TmuxFacts, wantsMouse: boolean): string | undefined => {
  const missing = [
    ...(wantsMouse && !mouse ? ["set -g mouse on"] : []),
    ...(passesOn ? [] : ["set -g allow-passthrough on"])
  ]
  // The lines come first: a narrow status row shows no more.
  return missing.length === 0 ? undefined : `tmux.conf needs ${missing.join("; ")} for wheel, clicks and notifications`
}

/** True the first time on this machine. Where the home cannot be written it is false: better silent than a notice at every start. */
export const isFirstHint = (configHome: string): boolean => {
  const mark = join(configHome, "nacre", "tmux-hint")
  try {
    mkdirSync(dirname(mark), { recursive: true, mode: 0o700 })
    writeFileSync(mark, "", { flag: "wx", mode: 0o600 })
    return true
  } catch {
    return false
  }
}

interface Heeding {
  readonly plan: Pick<SessionPlan, "env" | "configHome">
  readonly wantsMouse: boolean
  readonly tell: (happening: Happening) => void
  readonly complain: (text: string) => void
}

/** What is kept back is reported once; more colours come as if the terminal itself had answered. */
export const heedTmux = async ({ plan: { env, configHome }, wantsMouse, tell, complain }: Heeding): Promise<void> => {
  const facts = await askTmux(env)
  if (facts === undefined) return
  if (facts.trueColour && (env["FORCE_COLOR"] ?? "") === "") {
    tell({ _tag: "Input", event: { _tag: "Reply", reply: { _tag: "Capability", name: "RGB", value: "" } } })
  }
  const hint = tmuxHint(facts, wantsMouse)
  if (hint !== undefined && isFirstHint(configHome)) complain(hint)
}
