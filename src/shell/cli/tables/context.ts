import type { Command } from "./commands.ts"

const HELP = "What fills the context window of a session, or of a new one here; asks no model and changes nothing"

const none = { kind: "none" } as const

export const CONTEXT_COMMAND = {
  name: "context",
  help: HELP,
  subs: [
    {
      name: "",
      operands: [
        { label: "turn", optional: true },
        { label: "turn", optional: true }
      ],
      flags: [
        { name: "--session", value: { kind: "text", label: "session" }, help: "Look at this session: id, name or file" },
        { name: "--continue", shorts: ["-c"], value: none, help: "Look at the latest session of this folder" },
        { name: "--model", value: { kind: "text", label: "model" }, help: "As with this model" },
        { name: "--json", value: none, help: "Print JSON" },
        { name: "--all", value: none, help: "List every item, not only the largest" },
        { name: "--exact", value: none, help: "Let the endpoint count the tokens" },
        { name: "--diff", value: none, help: "Compare the windows of two turns: nacre context --continue --diff 3 7" },
        {
          name: "--why",
          value: { kind: "text", label: "path" },
          help: "Say whether a file is read as an instruction, and why or why not"
        },
        { name: "--dump-prompt", value: none, help: "Print the next request as it would be sent" }
      ],
      help: HELP,
      example: "nacre context --continue --json"
    }
  ]
} as const satisfies Command
