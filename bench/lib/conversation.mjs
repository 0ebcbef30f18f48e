import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "./child.mjs"
import { startServer } from "./server.mjs"

/**
 * A conversation with the scripted endpoint that can be had by the program and by the floor: the program has it once
 * first, and what it sent is where the floor begins.
 *
 * @param {import("../run.mjs").Bench} bench
 * @param {{ replies: ReadonlyArray<unknown>, flags?: ReadonlyArray<string>, prepare?: (cwd: string) => ReadonlyArray<unknown> }} script
 */
export const openConversation = async (bench, { replies, flags = [] }, place = bench.place()) => {
  const server = await startServer(bench, replies)
  const visited = { ...place, env: { ...place.env, ...server.env } }
  const oursArgs = [bench.cli, "-p", "hello", ...flags]
  const first = await run(oursArgs, visited)
  const { requests, firstBody } = await server.take()
  const violation = requests.find((request) => request.violation !== undefined)?.violation
  if (violation !== undefined || requests.length !== replies.length) {
    server.stop()
    throw new Error(
      `the conversation took ${requests.length} requests for ${replies.length} replies. ${violation ?? first.stdout}`
    )
  }
  const template = join(visited.home, "first-request.json")
  writeFileSync(template, firstBody)
  return { place: visited, oursArgs, floorArgs: [bench.floor("agent.mjs"), server.url, template], server }
}
