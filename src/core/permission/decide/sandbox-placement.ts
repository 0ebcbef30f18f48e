import { isExcluded } from "./excluded-commands.ts"
import { inputField } from "../rules/match-tool.ts"
import type { PermissionRequest } from "../permission-request.ts"

/** Where a command runs: inside the sandbox, or outside for a reason. */
type Confining = Pick<PermissionRequest, "context" | "input">

/** Why the command leaves the sandbox that is on; undefined when it stays inside or there is none. */
export const leavingReason = ({ context: { sandbox }, input }: Confining, command: string): string | undefined => {
  if (!sandbox.enabled) return undefined
  if (sandbox.mayLeave && inputField(input, "dangerouslyDisableSandbox") === "true") return "dangerouslyDisableSandbox"
  return isExcluded(command, sandbox.excluded) ? "sandbox.excludedCommands" : undefined
}

/** The command is to run inside the sandbox. */
export const runsSandboxed = (request: Confining, command: string): boolean =>
  request.context.sandbox.enabled && leavingReason(request, command) === undefined
