import { Effect } from "effect"
import type { Start } from "../cli/options.ts"
import { withSight } from "./sight.ts"

/** `--dump-system-prompt`: the system prompt of the session that would start, as plain text. */
export const dumpSystemPrompt = (start: Start): Promise<number> =>
  withSight(start, { env: process.env, complain: (text) => void process.stderr.write(`nacre: ${text}\n`) }, ({ state }) =>
    Effect.sync(() => {
      process.stdout.write(`${state.config.prompt.system.map(({ text }) => text).join("\n\n")}\n`)
      return 0
    })
  )
