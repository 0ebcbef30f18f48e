import type { Command } from "./commands.ts"

const HELP = "Look at the installation, settings, rules, environment and sandbox, and say what to fix; changes nothing"

export const DOCTOR_COMMAND = {
  name: "doctor",
  help: HELP,
  subs: [
    {
      name: "",
      operands: [],
      flags: [
        { name: "--json", value: { kind: "none" }, help: "Print JSON" },
        { name: "--fix", value: { kind: "none" }, help: "Make private files private and remove locks that were left behind" }
      ],
      help: HELP,
      example: "nacre doctor --json"
    }
  ]
} as const satisfies Command
