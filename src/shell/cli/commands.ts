/** The command words of this release, and those that later ones will bring. Loads no application module. */
export interface Command {
  readonly name: string
  readonly arguments: ReadonlyArray<{ readonly label: string }>
  readonly help: string
  readonly example: string
}

export const COMMANDS = [
  {
    name: "replay",
    arguments: [{ label: "file" }],
    help: "Run a recorded session again without any effect and check that every step comes out the same",
    example: "nacre replay ./recording/session.jsonl"
  }
] as const satisfies ReadonlyArray<Command>

export type CommandName = (typeof COMMANDS)[number]["name"]

/** Taken by later releases: today they are no commands, but they are no one-word prompts either. */
export const RESERVED_COMMANDS: ReadonlySet<string> = new Set(
  (
    "doctor auth login logout setup-token mcp plugin plugins config permissions trust sessions agents attach logs " +
    "stop kill rm respawn daemon project auto-mode sandbox hooks update install rollback import completion acp " +
    "context search export rewind commands serve usage handover fleet ssh skill tool bug proxy"
  ).split(" ")
)
