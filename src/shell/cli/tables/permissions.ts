import { PERMISSION_MODES } from "../../../core/permission/verdict.ts"
import type { Command } from "./commands.ts"

const rules = { kind: "list", label: "rule", split: "whole", greedy: false } as const

export const PERMISSIONS_COMMAND = {
  name: "permissions",
  help: "Say what may run and why",
  subs: [
    {
      name: "explain",
      operands: [{ label: "command", optional: true, repeated: true }],
      flags: [
        { name: "--tool", value: { kind: "text", label: "name" }, help: "Explain a call of this tool instead of a command" },
        { name: "--input", value: { kind: "text", label: "json", form: "json" }, help: "The input of the call" },
        {
          name: "--mode",
          value: { kind: "choice", choices: PERMISSION_MODES, hiddenChoices: ["manual"] },
          help: "Permission mode; default without it"
        },
        { name: "--cwd", value: { kind: "text", label: "directory" }, help: "Directory that it would happen in" },
        { name: "--allow", value: rules, help: "Add an allow rule; may be repeated" },
        { name: "--ask", value: rules, help: "Add an ask rule; may be repeated" },
        { name: "--deny", value: rules, help: "Add a deny rule; may be repeated" },
        { name: "--isolated", value: { kind: "none" }, help: "Only the rules given here count, not those of settings" },
        { name: "--json", value: { kind: "none" }, help: "Print one line of JSON" },
        { name: "--jsonl", value: { kind: "none" }, help: "Read one inquiry per line, write one answer per line" },
        { name: "--with-settings", value: { kind: "none" }, help: "With --jsonl: rules of settings files count too" },
        { name: "--exit-code", value: { kind: "none" }, help: "Exit with 0 for allow, 10 for ask, 20 for deny" }
      ],
      help: "Say whether a command or call would be allowed, asked about or denied, and why; runs nothing",
      example: "nacre permissions explain --allow 'Bash(git *)' -- 'git status && rm -rf build'"
    },
    {
      name: "list",
      operands: [],
      flags: [{ name: "--json", value: { kind: "none" }, help: "Print one line of JSON" }],
      help: "Show the rules in force and where each was written",
      example: "nacre permissions list"
    }
  ]
} as const satisfies Command
