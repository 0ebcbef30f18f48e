import { createServer } from "node:http"
import { wireOf } from "./wires.mjs"

/**
 * An endpoint that gives everybody the same answer, whatever they ask: as many requests as one likes, and nothing of
 * them is kept. The answer is sent in pieces with a pause between them. Usage: answers-server.mjs '<options as JSON>',
 * started with a channel; it tells its port, then each conversation's answer that is finished.
 *
 * @typedef {object} AnswerOptions
 * @property {ReadonlyArray<string>} pieces What is said, a delta each.
 * @property {number} delayMs Between two pieces; 0 sends them together.
 * @property {{ name: string, input: unknown }} [call] A tool that is called first (Messages only).
 * @property {string} [only] Only requests that hold this text get the pieces; others (titles, warm-ups) get a word.
 */

/** @type {AnswerOptions} */
const { pieces, delayMs, only, call } = JSON.parse(process.argv[2])

/** A request for a summary names the tags that it wants. */
const SUMMARY = ["<summary>\n1. Primary request and intent: turns, one after the other.\n</summary>"]
const ASIDE = ["words"]

const readBody = async (request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const isAnswered = (body) => JSON.stringify(JSON.parse(body).messages?.at(-1) ?? "").includes('"tool_result"')

const kindOf = (body) => {
  if (body.includes("<summary>") && body.includes("<analysis>")) return { pieces: SUMMARY, counts: false }
  if (call !== undefined && !isAnswered(body)) return { pieces: [], call, counts: false }
  return only === undefined || body.includes(only) ? { pieces, counts: true } : { pieces: ASIDE, counts: false }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const send = async (response, events) => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  for (const { text, isPiece } of events) {
    response.write(text)
    if (isPiece && delayMs > 0) await pause(delayMs)
  }
  response.end()
}

let responses = 0

const server = createServer(async (request, response) => {
  const wire = wireOf(request.url ?? "")
  const body = await readBody(request)
  if (request.method !== "POST" || wire === undefined) {
    response.writeHead(404, { "content-type": "application/json" }).end("{}")
    return
  }
  const { counts, ...said } = kindOf(body)
  const answer = { id: `${++responses}`, model: JSON.parse(body).model, inputTokens: Math.ceil(body.length / 4), ...said }
  if (JSON.parse(body).stream === true) await send(response, wire.events(answer))
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(wire.whole(answer)))
  if (counts) process.send?.({ answered: answer.id })
})

server.listen(0, "127.0.0.1", () => process.send?.({ port: server.address().port }))
process.on("disconnect", () => process.exit())
