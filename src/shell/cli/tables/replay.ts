import type { Command } from "../commands.ts"

export const REPLAY_COMMAND = {
  name: "replay",
  help: "Run a recorded session again without any effect and check that every step comes out the same",
  subs: [
    {
      name: "",
      operands: [{ label: "file" }],
      flags: [],
      help: "Run a recorded session again without any effect and check that every step comes out the same",
      example: "nacre replay ./recording/session.jsonl"
    }
  ]
} as const satisfies Command
