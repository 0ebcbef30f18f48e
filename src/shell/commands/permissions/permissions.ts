import type { CommandIo } from "../io/command-io.ts"
import type { CommandInvocation } from "../../cli/options.ts"
import { explainLines, explainOne } from "./permissions-explain.ts"
import { listRules } from "./permissions-list.ts"

/** `nacre permissions`: says what would be decided and why, and which rules there are. Runs nothing. */
export const runPermissions = async (invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  if (invocation.sub === "list") return listRules(invocation, io)
  const isBatch = invocation.flags["jsonl"] === true
  const isAsked = invocation.operands.length > 0 || invocation.flags["tool"] !== undefined
  if (isBatch || (!isAsked && !io.stdinIsTerminal)) return explainLines(invocation, io)
  if (isAsked) return explainOne(invocation, io)
  io.err("nacre: nothing to explain — no command was given. Fix: nacre permissions explain -- <command>\n")
  return 1
}
