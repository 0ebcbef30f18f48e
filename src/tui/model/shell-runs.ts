import type { Emission } from "../../core/loop/machine/emission.ts"
import type { ShellRun } from "../transcript/entries/shell-run.ts"

/**
 * Commands of the user (`!`) that are not done with: asked for and without an id yet, running by their id, and over
 * while the loop has not heard of them. The loop gets two messages about each: the command, then what it printed.
 */
export type Shells = ReadonlyArray<string>

export const STARTING = "starting"
const TELLING = "telling"
const TOLD = "told:"

/** After news of a run; `isTold`: it is over, and the loop hears of it next. */
export const shellsAfterRun = (shells: Shells, { id, state }: ShellRun, isTold: boolean): Shells => {
  const others = shells.filter((each) => each !== id && each !== STARTING)
  return [...others, ...(state === "running" ? [id] : isTold ? [`${TOLD}${id}`] : [])]
}

/** The first message has the id of the run, the second comes right behind it. */
export const shellsAfterEmission = (shells: Shells, emission: Emission): Shells => {
  if (shells.length === 0 || emission._tag !== "MessageAdded") return shells
  const told = `${TOLD}${emission.message.uuid}`
  if (shells.includes(told)) return [...shells.filter((each) => each !== told), TELLING]
  return shells.includes(TELLING) ? shells.filter((each) => each !== TELLING) : shells
}

/** The runs whose place in the transcript is not the last one: they go on, or the conversation takes their place. */
export const unsettledRuns = (shells: Shells): ReadonlyArray<string> =>
  shells
    .filter((each) => each !== STARTING && each !== TELLING)
    .map((each) => (each.startsWith(TOLD) ? each.slice(TOLD.length) : each))
