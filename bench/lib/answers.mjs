import { spawn } from "node:child_process"
import { on, once } from "node:events"
import { fileURLToPath } from "node:url"

/**
 * The endpoint that answers everybody alike, in a process of its own.
 *
 * @param {import("./answers-server.mjs").AnswerOptions} options
 * @param {Record<string, string>} env
 */
export const startAnswers = async (options, env) => {
  const program = fileURLToPath(new URL("answers-server.mjs", import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const [{ port }] = await once(child, "message")
  const told = on(child, "message")
  return {
    url: `http://127.0.0.1:${port}`,
    /** Waits for the end of the next answer. */
    nextAnswer: () => told.next(),
    stop: () => child.kill()
  }
}
