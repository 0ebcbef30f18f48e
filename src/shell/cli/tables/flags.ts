import { PERMISSION_MODES } from "../../../core/permission/verdict.ts"

/**
 * The flags of this release as one table. Parsing, help and the checks that depend on print mode all read it, so a flag
 * is described once. Loads no application module: `--help` must stay as fast as `--version`.
 */
export const GROUPS = ["session", "model", "permissions", "prompt", "output", "config", "misc"] as const
export type Group = (typeof GROUPS)[number]

export type FlagValue =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly label: string; readonly form?: "uuid" | "json" | "jsonOrPath" }
  /** `attached`: the value is taken only with `=`, never from the next argument. */
  | { readonly kind: "optional"; readonly label: string; readonly attached?: true }
  /** `greedy` lists go on taking arguments until one begins with a dash or is not a value of such a list. */
  | {
      readonly kind: "list"
      readonly label: string
      readonly split: "rules" | "words" | "whole"
      readonly greedy: boolean
      readonly form?: "jsonOrPath"
    }
  | {
      readonly kind: "number"
      readonly label: string
      readonly integer: boolean
      /** Smallest accepted value; `exclusive` leaves it out. */
      readonly min: number
      readonly exclusive?: true
    }
  | { readonly kind: "choice"; readonly choices: ReadonlyArray<string>; readonly hiddenChoices?: ReadonlyArray<string> }

export interface Flag {
  readonly name: `--${string}`
  readonly shorts?: ReadonlyArray<`-${string}`>
  readonly aliases?: ReadonlyArray<`--${string}`>
  readonly value: FlagValue
  readonly group: Group
  readonly help: string
  /** Means something in print mode only. */
  readonly printOnly?: true
  /** Works, but is meant for programs: shown by `--help --all`. */
  readonly hidden?: true
}

const none = { kind: "none" } as const
const text = <L extends string>(label: L) => ({ kind: "text", label }) as const
const uuid = { kind: "text", label: "uuid", form: "uuid" } as const
const rules = { kind: "list", label: "rules", split: "rules", greedy: true } as const

export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const
export const OUTPUT_FORMATS = ["text", "json", "stream-json"] as const
export const INPUT_FORMATS = ["text", "stream-json"] as const
export const THINKING = ["adaptive", "disabled"] as const

export const FLAGS = [
  {
    name: "--print",
    shorts: ["-p"],
    value: none,
    group: "session",
    help: "Answer one prompt, print the result and exit"
  },
  {
    name: "--continue",
    shorts: ["-c"],
    value: none,
    group: "session",
    help: "Continue the latest session of this folder"
  },
  {
    name: "--resume",
    shorts: ["-r"],
    value: { kind: "optional", label: "session" },
    group: "session",
    help: "Resume a session by id, name or transcript file"
  },
  {
    name: "--fork-session",
    value: none,
    group: "session",
    help: "Resume into a new session; the old one stays as it is"
  },
  { name: "--session-id", value: uuid, group: "session", help: "Use this id for the session" },
  {
    name: "--resume-session-at",
    value: uuid,
    group: "session",
    help: "Resume up to and including the message with this id"
  },
  {
    name: "--no-session-persistence",
    value: none,
    group: "session",
    printOnly: true,
    help: "Do not write a transcript"
  },
  { name: "--name", shorts: ["-n"], value: text("name"), group: "session", help: "Name the session" },

  {
    name: "--model",
    value: text("model"),
    group: "model",
    help: "Model id or alias; `offline` is the built-in scripted model"
  },
  {
    name: "--fallback-model",
    value: { kind: "list", label: "models", split: "words", greedy: false },
    group: "model",
    help: "Models to try, in order, when the first one is overloaded"
  },
  {
    name: "--effort",
    value: { kind: "choice", choices: EFFORTS, hiddenChoices: ["auto"] },
    group: "model",
    help: "How much work the model puts into an answer"
  },
  {
    name: "--thinking",
    value: { kind: "choice", choices: THINKING },
    group: "model",
    help: "Whether the model thinks first"
  },
  {
    name: "--max-thinking-tokens",
    value: { kind: "number", label: "tokens", integer: true, min: 0 },
    group: "model",
    help: "Fixed thinking budget; 0 turns thinking off"
  },
  {
    name: "--betas",
    value: { kind: "list", label: "names", split: "words", greedy: true },
    group: "model",
    help: "Beta names to send with every request"
  },
  {
    name: "--require-credential",
    value: none,
    group: "model",
    help: "Fail when no credential is found; never go offline"
  },

  {
    name: "--permission-mode",
    value: { kind: "choice", choices: PERMISSION_MODES, hiddenChoices: ["manual"] },
    group: "permissions",
    help: "What may run without a question"
  },
  {
    name: "--allowedTools",
    aliases: ["--allowed-tools"],
    value: rules,
    group: "permissions",
    help: "Rules for calls that need no question"
  },
  {
    name: "--disallowedTools",
    aliases: ["--disallowed-tools"],
    value: rules,
    group: "permissions",
    help: "Rules for calls that never run"
  },
  {
    name: "--tools",
    value: rules,
    group: "permissions",
    help: "Offer only these tools; `default` offers all, an empty string none"
  },
  {
    name: "--add-dir",
    value: { kind: "list", label: "directories", split: "whole", greedy: true },
    group: "permissions",
    help: "More directories the tools may work in"
  },
  {
    name: "--dangerously-skip-permissions",
    value: none,
    group: "permissions",
    help: "Start without questions; deny and ask rules still hold"
  },
  {
    name: "--allow-dangerously-skip-permissions",
    value: none,
    group: "permissions",
    help: "Make that mode available without starting in it"
  },
  {
    name: "--permission-prompt-tool",
    value: { kind: "choice", choices: ["stdio"] },
    group: "permissions",
    printOnly: true,
    help: "Send permission questions to the program on stdin and stdout"
  },
  {
    name: "--permission-prompts",
    value: { kind: "choice", choices: ["host", "none"] },
    group: "permissions",
    hidden: true,
    help: "Who answers permission questions; `none` denies what would ask"
  },

  { name: "--system-prompt", value: text("text"), group: "prompt", help: "Replace the system prompt" },
  {
    name: "--system-prompt-file",
    value: text("file"),
    group: "prompt",
    help: "Replace the system prompt with a file's text"
  },
  { name: "--append-system-prompt", value: text("text"), group: "prompt", help: "Add to the system prompt" },
  {
    name: "--append-system-prompt-file",
    value: text("file"),
    group: "prompt",
    help: "Add a file's text to the system prompt"
  },

  {
    name: "--output-format",
    value: { kind: "choice", choices: OUTPUT_FORMATS },
    group: "output",
    printOnly: true,
    help: "Shape of what is printed"
  },
  {
    name: "--input-format",
    value: { kind: "choice", choices: INPUT_FORMATS },
    group: "output",
    printOnly: true,
    help: "Shape of what is read from stdin"
  },
  { name: "--verbose", value: none, group: "output", help: "Print every message, not only the result" },
  {
    name: "--include-partial-messages",
    value: none,
    group: "output",
    help: "Print model events as they arrive (stream-json)"
  },
  { name: "--include-hook-events", value: none, group: "output", help: "Print hooks as they run (stream-json)" },
  {
    name: "--replay-user-messages",
    value: none,
    group: "output",
    help: "Print user messages back (stream-json in and out)"
  },
  {
    name: "--json-schema",
    value: { kind: "text", label: "schema", form: "json" },
    group: "output",
    printOnly: true,
    help: "Answer with JSON that fits this JSON Schema"
  },
  {
    name: "--max-turns",
    value: { kind: "number", label: "count", integer: true, min: 1 },
    group: "output",
    printOnly: true,
    help: "Stop after this many model calls per prompt"
  },
  {
    name: "--max-budget-usd",
    value: { kind: "number", label: "dollars", integer: false, min: 0, exclusive: true },
    group: "output",
    printOnly: true,
    help: "Stop when this much money is spent"
  },

  {
    name: "--bare",
    value: none,
    group: "config",
    help: "No instruction files or other discovery; tools Bash, Read, Edit, Write"
  },
  {
    name: "--settings",
    value: { kind: "text", label: "file|json", form: "jsonOrPath" },
    group: "config",
    help: "More settings: a file or the JSON itself"
  },
  {
    name: "--setting-sources",
    value: { kind: "list", label: "sources", split: "words", greedy: false },
    group: "config",
    help: "Which of user, project and local settings are read"
  },
  { name: "--strict-settings", value: none, group: "config", help: "Stop when a setting cannot be used" },
  {
    name: "--managed-settings",
    value: { kind: "text", label: "file|json", form: "jsonOrPath" },
    group: "config",
    hidden: true,
    help: "Settings of the host's policy"
  },
  {
    name: "--thinking-display",
    value: text("kind"),
    group: "model",
    hidden: true,
    help: "How thinking is reported by the endpoint"
  },
  {
    name: "--await-initialize",
    value: none,
    group: "config",
    hidden: true,
    help: "Start nothing before the host's initialize"
  },
  {
    name: "--session-mirror",
    value: none,
    group: "session",
    hidden: true,
    help: "Accepted for hosts that mirror transcripts"
  },
  {
    name: "--workload",
    value: text("name"),
    group: "config",
    hidden: true,
    help: "Accepted for hosts that label their runs"
  },

  {
    name: "--debug",
    value: { kind: "optional", label: "categories", attached: true },
    group: "misc",
    help: "Write a debug log; `--debug=api,!ui` picks categories"
  },
  { name: "--debug-file", value: text("file"), group: "misc", help: "Write the debug log to this file" },
  { name: "--record", value: text("directory"), group: "misc", help: "Record the session for `nacre replay`" },
  {
    name: "--trust",
    value: none,
    group: "session",
    help: "Trust this folder's own settings for this run"
  },
  {
    name: "--dump-system-prompt",
    value: none,
    group: "misc",
    help: "Print the system prompt of the session that would start, and exit"
  },
  { name: "--inline", value: none, group: "misc", help: "Keep the conversation in the terminal's own scrollback" },
  { name: "--ax-screen-reader", value: none, group: "misc", help: "Plain linear output for screen readers" },
  { name: "--version", shorts: ["-v", "-V"], value: none, group: "misc", help: "Print the version" },
  {
    name: "--help",
    shorts: ["-h"],
    value: none,
    group: "misc",
    help: "Print this help; `--help --all` also lists hidden flags"
  },
  { name: "--all", value: none, group: "misc", hidden: true, help: "With --help: list hidden flags too" }
] as const satisfies ReadonlyArray<Flag>

export type FlagName = (typeof FLAGS)[number]["name"]

export const shortsOf = (flag: Omit<Flag, "group">): ReadonlyArray<string> => flag.shorts ?? []

export const longsOf = (flag: Omit<Flag, "group">): ReadonlyArray<string> => [flag.name, ...(flag.aliases ?? [])]
