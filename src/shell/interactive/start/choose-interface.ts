import { type Env, isOff, isOn, readVariable } from "../../../core/domain/env.ts"

/** Which interface a terminal gets, and what decided it. */
export type Interface = "lines" | "inline" | "fullscreen"

export interface InterfaceFacts {
  /** Plain lines are wanted: a screen reader, or a terminal that cannot do more. */
  readonly wantsLines: boolean
  readonly env: Env
  /** `--inline` was given. */
  readonly inlineFlag: boolean
  /** `tui` of the settings. */
  readonly setting: "default" | "fullscreen" | undefined
  /** tmux only passes the session on to a program that draws it (`tmux -CC`). */
  readonly controlMode: boolean
  /** The last full-screen starts died at once. */
  readonly failedStarts: boolean
}

export interface ChosenInterface {
  readonly interface: Interface
  /** Completes the sentence "the interface is … because". */
  readonly because: string
  /** Nobody chose it: it is said at the start. */
  readonly isTold?: true
}

const NO_ALTERNATE = "DISABLE_ALTERNATE_SCREEN"
const NO_FLICKER = "NO_FLICKER"

/** The first rule that applies decides. */
export const chooseInterface = (facts: InterfaceFacts): ChosenInterface => {
  const { env } = facts
  const inline = (because: string): ChosenInterface => ({ interface: "inline", because })
  const fullscreen = (because: string): ChosenInterface => ({ interface: "fullscreen", because })
  if (facts.wantsLines) return { interface: "lines", because: "a screen reader or a plain terminal needs lines" }
  if (isOn(readVariable(env, NO_ALTERNATE))) return inline(`CLAUDE_CODE_${NO_ALTERNATE} is set`)
  if (isOff(readVariable(env, NO_FLICKER))) return inline(`CLAUDE_CODE_${NO_FLICKER} is 0`)
  if (isOn(readVariable(env, NO_FLICKER))) return fullscreen(`CLAUDE_CODE_${NO_FLICKER} is 1`)
  if (facts.inlineFlag) return inline("--inline was given")
  if (facts.setting === "fullscreen") return fullscreen("the setting tui is fullscreen")
  if (facts.setting === "default") return inline("the setting tui is default")
  if (facts.controlMode) return inline("this is tmux -CC")
  if (facts.failedStarts) {
    return { ...inline("the last full-screen starts failed; /tui fullscreen tries it again"), isTold: true }
  }
  return fullscreen("it is the default")
}
