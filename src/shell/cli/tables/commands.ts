import type { Flag } from "./flags.ts"
import { AUTH_COMMAND, LOGIN_COMMAND, LOGOUT_COMMAND } from "./auth.ts"
import { COMPLETION_COMMAND } from "./completion.ts"
import { CONFIG_COMMAND } from "./config.ts"
import { CONTEXT_COMMAND } from "./context.ts"
import { DOCTOR_COMMAND } from "./doctor.ts"
import { PERMISSIONS_COMMAND } from "./permissions.ts"
import { REPLAY_COMMAND } from "./replay.ts"
import { SANDBOX_COMMAND } from "./sandbox.ts"
import { TRUST_COMMAND } from "./trust.ts"

/**
 * The command words of this release, and those that later ones will bring. Parsing and help read the same tables, one
 * per command in `tables/`; what a command does is in `src/shell/commands/`. Loads no application module.
 */
export interface Operand {
  readonly label: string
  readonly optional?: true
  /** As many as there are. */
  readonly repeated?: true
}

export type CommandFlag = Omit<Flag, "group">

/** One thing a command can do. */
export interface SubCommand {
  readonly name: string
  readonly operands: ReadonlyArray<Operand>
  readonly flags: ReadonlyArray<CommandFlag>
  readonly help: string
  readonly example: string
}

/** A command without sub-commands has exactly one, with an empty name. */
export interface Command {
  readonly name: string
  readonly help: string
  readonly subs: ReadonlyArray<SubCommand>
}

export const COMMANDS = [
  AUTH_COMMAND,
  COMPLETION_COMMAND,
  CONFIG_COMMAND,
  CONTEXT_COMMAND,
  DOCTOR_COMMAND,
  LOGIN_COMMAND,
  LOGOUT_COMMAND,
  PERMISSIONS_COMMAND,
  REPLAY_COMMAND,
  SANDBOX_COMMAND,
  TRUST_COMMAND
] as const satisfies ReadonlyArray<Command>

export type CommandName = (typeof COMMANDS)[number]["name"]

/** Taken by later releases: today they are neither commands nor one-word prompts. */
export const RESERVED_COMMANDS: ReadonlySet<string> = new Set(
  (
    "setup-token mcp plugin plugins sessions agents attach logs " +
    "stop kill rm respawn daemon project auto-mode hooks update install rollback import acp " +
    "search export rewind commands serve usage handover fleet ssh skill tool bug proxy"
  ).split(" ")
)
