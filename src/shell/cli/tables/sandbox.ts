import type { Command } from "./commands.ts"

const json = { name: "--json", value: { kind: "none" }, help: "Print JSON" } as const

export const SANDBOX_COMMAND = {
  name: "sandbox",
  help: "Whether commands can be confined on this machine",
  subs: [
    {
      name: "test",
      operands: [],
      flags: [json],
      help: "Try to break out of the sandbox in every known way, and say what to do if something gives way",
      example: "nacre sandbox test"
    },
    {
      name: "status",
      operands: [],
      flags: [json],
      help: "Show whether the sandbox is on and what it needs",
      example: "nacre sandbox status"
    }
  ]
} as const satisfies Command
