import type { Command, CommandFlag } from "./commands.ts"

const SOURCE = {
  name: "--source",
  value: { kind: "choice", choices: ["user", "project", "local"] },
  help: "Whose settings file"
} as const satisfies CommandFlag

const JSON_OUTPUT = { name: "--json", value: { kind: "none" }, help: "Print JSON" } as const satisfies CommandFlag

const KEY = { label: "key" } as const

export const CONFIG_COMMAND = {
  name: "config",
  help: "Show and change settings",
  subs: [
    {
      name: "list",
      operands: [],
      flags: [SOURCE, JSON_OUTPUT],
      help: "Every value in force with its file and line",
      example: "nacre config list --json"
    },
    {
      name: "get",
      operands: [KEY],
      flags: [SOURCE, JSON_OUTPUT],
      help: "The value of one key",
      example: "nacre config get permissions.allow"
    },
    {
      name: "set",
      operands: [KEY, { label: "value" }],
      flags: [SOURCE],
      help: "Set a key; the value is JSON, or else plain text",
      example: "nacre config set theme dark"
    },
    {
      name: "unset",
      operands: [KEY],
      flags: [SOURCE],
      help: "Remove a key",
      example: "nacre config unset theme"
    },
    {
      name: "add",
      operands: [KEY, { label: "item" }],
      flags: [SOURCE],
      help: "Add an item to a list",
      example: "nacre config add permissions.deny 'Bash(rm *)'"
    },
    {
      name: "remove",
      operands: [KEY, { label: "item" }],
      flags: [SOURCE],
      help: "Remove an item from a list",
      example: "nacre config remove permissions.deny 'Bash(rm *)'"
    },
    {
      name: "explain",
      operands: [KEY],
      flags: [JSON_OUTPUT],
      help: "Where a value comes from, what it hides and what is ignored",
      example: "nacre config explain model"
    },
    {
      name: "edit",
      operands: [],
      flags: [SOURCE],
      help: "Edit a settings file; it is checked before it is written",
      example: "nacre config edit --source project"
    },
    {
      name: "schema",
      operands: [],
      flags: [],
      help: "JSON Schema of settings files",
      example: "nacre config schema > settings.schema.json"
    },
    {
      name: "path",
      operands: [],
      flags: [SOURCE, JSON_OUTPUT],
      help: "Where settings files are",
      example: "nacre config path --source local"
    }
  ]
} as const satisfies Command
