import { completionScript } from "../cli/completion.ts"
import { SHELLS } from "../cli/tables/completion.ts"
import type { CommandIo } from "./io/command-io.ts"
import type { CommandInvocation } from "../cli/options.ts"

/** `nacre completion SHELL`: the script goes to stdout, to be evaluated or saved. */
export const runCompletion = ({ sub }: CommandInvocation, io: CommandIo): number => {
  const shell = SHELLS.find((name) => name === sub)
  if (shell !== undefined) io.out(completionScript(shell))
  return shell === undefined ? 1 : 0
}
