import type { Flag } from "./flags.ts"

/**
 * Flags that hosts and scripts already pass although their feature is not in this release. They parse, so that those
 * programs run, and the shell says on stderr that they have no effect yet.
 */
const none = { kind: "none" } as const
const text = (label: string) => ({ kind: "text", label }) as const
const directories = { kind: "list", label: "directories", split: "whole", greedy: true } as const

export const LATER_FLAGS: ReadonlyArray<Flag> = [
  { name: "--managed-settings-in-initialize", value: none, group: "config", help: "The host sends its policy later" },
  {
    name: "--mcp-config",
    value: { kind: "list", label: "files|json", split: "whole", greedy: true, form: "jsonOrPath" },
    group: "config",
    help: "MCP servers"
  },
  { name: "--strict-mcp-config", value: none, group: "config", help: "Only the MCP servers of --mcp-config" },
  {
    name: "--agents",
    value: { kind: "text", label: "json", form: "json" },
    group: "config",
    help: "Agents of this session"
  },
  { name: "--agent", value: text("name"), group: "config", help: "Agent that runs the session" },
  { name: "--plugin-dir", value: directories, group: "config", help: "Plugin directories" },
  {
    name: "--plugin-dir-no-mcp",
    value: directories,
    group: "config",
    help: "Plugin directories without their MCP servers"
  },
  {
    name: "--project-config-root",
    value: text("directory"),
    group: "config",
    help: "Where project configuration is read"
  },
  { name: "--ide", value: none, group: "config", help: "Connect to an editor" },
  { name: "--disable-slash-commands", value: none, group: "config", help: "No slash commands" },
  { name: "--autocompact", value: text("auto|tokens"), group: "model", help: "When to compact" },
  {
    name: "--task-budget",
    value: { kind: "number", label: "tokens", integer: true, min: 1 },
    group: "model",
    help: "Token budget the model is told"
  },
  {
    name: "--append-subagent-system-prompt",
    value: text("text"),
    group: "prompt",
    printOnly: true,
    help: "Text for sub-agents"
  },
  {
    name: "--exclude-dynamic-system-prompt-sections",
    value: none,
    group: "prompt",
    help: "Leave out changing sections"
  },
  { name: "--forward-subagent-text", value: none, group: "output", help: "Print what sub-agents say" },
  { name: "--prompt-suggestions", value: none, group: "output", help: "Print suggested prompts" },
  {
    name: "--resume-drops-turn",
    value: text("uuid"),
    group: "session",
    help: "Turn that resuming at a message is expected to drop"
  },
  { name: "--output-style", value: text("name"), group: "output", help: "Output style" },
  { name: "--teammate-mode", value: text("mode"), group: "misc", help: "How teammates are shown" }
]

interface Refusal {
  readonly why: string
  readonly fix: string
}

const cloud = (instead: string): Refusal => ({
  why: "it needs the vendor's cloud, which Nacre does not use",
  fix: instead
})

/** Flags whose silent loss would change what happens (isolation, detaching, hooks): refused, not ignored. */
const absent: Refusal = { why: "it is not part of this version", fix: "leave it out; `nacre --help` lists what works" }

const ABSENT_FLAGS = (
  "--worktree -w --tmux --bg --background --exec --from-pr --safe-mode --init --init-only " +
  "--maintenance --plugin-url --sdk-url"
).split(" ")

export const REFUSED_FLAGS: ReadonlyMap<string, Refusal> = new Map([
  ["--cloud", cloud("run the session here, without the flag")],
  ["--remote", cloud("run nacre on the other machine over ssh")],
  ["--teleport", cloud("resume with `--resume <session>` on the machine that has it")],
  ["--remote-control", cloud("drive nacre with `--input-format stream-json --output-format stream-json`")],
  ["--environment", cloud("set variables in the environment that starts nacre")],
  ["--chrome", cloud("leave it out")],
  ["--channels", cloud("leave it out")],
  ...ABSENT_FLAGS.map((name): [string, Refusal] => [name, absent])
])
