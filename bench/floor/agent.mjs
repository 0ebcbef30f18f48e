import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { Agent, request } from "node:http"
import { text } from "node:stream/consumers"

/**
 * The least a program can do to have the same conversation: the same first request as the real one sent (read from a
 * file), the same calls, no checks, no records, no screen. Usage: agent.mjs <url> <file with the first request body>
 */
const [url, template] = process.argv.slice(2)
const body = JSON.parse(readFileSync(template, "utf8"))
const agent = new Agent({ keepAlive: true })

const post = (payload) =>
  new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(payload),
      "x-api-key": "bench",
      "anthropic-version": "2023-06-01"
    }
    request(`${url}/v1/messages`, { method: "POST", agent, headers }, resolve).on("error", reject).end(payload)
  })

const grow = (blocks, event) => {
  const block = blocks[event.index]
  if (event.type === "content_block_start") blocks.push({ ...event.content_block, json: "" })
  else if (event.type === "content_block_delta" && event.delta.type === "text_delta") block.text += event.delta.text
  else if (event.type === "content_block_delta") block.json += event.delta.partial_json
}

const readBlocks = async (response) => {
  const blocks = []
  let rest = ""
  response.setEncoding("utf8")
  for await (const chunk of response) {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop()
    for (const line of lines) if (line.startsWith("data: ")) grow(blocks, JSON.parse(line.slice(6)))
  }
  return blocks.map(({ json, ...block }) => (block.type === "tool_use" ? { ...block, input: JSON.parse(json) } : block))
}

const TOOLS = {
  Bash: async ({ command }) => {
    const child = spawn("bash", ["--noprofile", "--norc", "-c", command], { stdio: ["ignore", "pipe", "inherit"] })
    return (await text(child.stdout)) || "(no output)"
  },
  Read: ({ file_path }) => readFile(file_path, "utf8")
}

const resultOf = async ({ id, name, input }) => ({
  type: "tool_result",
  tool_use_id: id,
  content: await TOOLS[name](input)
})

for (;;) {
  const content = await readBlocks(await post(JSON.stringify(body)))
  const calls = content.filter(({ type }) => type === "tool_use")
  if (calls.length === 0) {
    process.stdout.write(`${content.map((block) => block.text).join("")}\n`)
    break
  }
  const results = await Promise.all(calls.map(resultOf))
  body.messages.push({ role: "assistant", content }, { role: "user", content: results })
}
agent.destroy()
