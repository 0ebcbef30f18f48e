import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * The scripted endpoint in a process of its own. The answer depends only on how many answers the conversation already
 * holds, so one server serves any number of runs.
 *
 * @param {import("../run.mjs").Bench} bench
 * @param {ReadonlyArray<unknown>} replies As test/support/messages-script.ts describes them.
 */
export const startServer = async (bench, replies) => {
  const script = join(mkdtempSync(join(bench.directory, "server-")), "script.json")
  writeFileSync(script, JSON.stringify(replies))
  const child = spawn(process.execPath, [bench.program("messages-server"), script], {
    env: bench.place().env,
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const [{ port }] = await once(child, "message")
  return {
    env: {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: "bench",
      ANTHROPIC_MODEL: "claude-sonnet-5-5"
    },
    url: `http://127.0.0.1:${port}`,
    /** The requests since the last call: when each came, when its answer was finished, and the first one's body. */
    take: async () => {
      child.send("take")
      const [taken] = await once(child, "message")
      return taken
    },
    stop: () => child.kill()
  }
}

/** Milliseconds between the end of one answer and the next request, in order. */
export const gapsOf = (requests) =>
  requests.slice(1).map((request, index) => request.receivedAtMs - requests[index].closedAtMs)
