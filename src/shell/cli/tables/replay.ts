import type { Command } from "./commands.ts"

export const REPLAY_COMMAND = {
  name: "replay",
  help: "Run a recorded session again without any effect and check that every step comes out the same",
  subs: [
    {
      name: "",
      operands: [{ label: "file" }],
      flags: [
        {
          name: "--until",
          value: { kind: "number", label: "count", integer: true, min: 0 },
          help: "Stop after this many events"
        }
      ],
      help: "Run a recorded session again without any effect and check that every step comes out the same",
      example: "nacre replay ./recording/session.jsonl"
    }
  ]
} as const satisfies Command
