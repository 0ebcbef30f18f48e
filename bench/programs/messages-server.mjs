import { readFileSync } from "node:fs"
import { replyFromJson } from "../../test/support/messages-script.ts"
import { startMessagesServer } from "../../test/support/messages-server.ts"

/** The scripted endpoint of the tests for benchmarks: answers are made before the first request comes. */
const MODEL = "claude-sonnet-5-5"
const plans = JSON.parse(readFileSync(process.argv[2], "utf8")).map((reply, index) =>
  replyFromJson(reply)({ index, model: MODEL, inputTokens: 1_000 })
)

const answered = (body) => body.messages.filter(({ role }) => role === "assistant").length

const server = await startMessagesServer((body) => {
  const plan = plans[Math.min(answered(body), plans.length - 1)]
  return () => plan
})

let taken = 0
process.on("message", () => {
  const requests = server.requests.slice(taken)
  taken = server.requests.length
  process.send({
    requests: requests.map(({ receivedAtMs, closedAtMs, violation }) => ({ receivedAtMs, closedAtMs, violation })),
    firstBody: requests[0]?.rawBody
  })
})
process.on("disconnect", () => process.exit())
process.send({ port: server.port })
