import { createServer } from "node:http"
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { type Plan, type Reply, status, type Step, text } from "./messages-reply.ts"
import { isObject, type Json, violationOf } from "./messages-validate.ts"

/**
 * A real HTTP server that speaks the Messages API from a script and remembers every request. Used by adapter and
 * end-to-end tests and, in a process of its own, by benchmarks; it knows nothing of the test runner.
 */
export type Script = ReadonlyArray<Reply> | ((body: Json, index: number) => Reply | Promise<Reply>)

export interface RecordedRequest {
  /** Place among the requests for messages that were well formed. */
  readonly index: number
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Json
  readonly rawBody: string
  /** Requests over the same connection have the same number. */
  readonly connection: number
  /** `performance.now()` of this process. */
  readonly receivedAtMs: number
  readonly closedAtMs: number | undefined
  readonly eventsSent: number
  /** Bytes handed to the socket that it has taken. */
  readonly bytesSent: number
  /** The client left before the response was complete. */
  readonly aborted: boolean
  readonly closed: Promise<void>
  /** Why the request was refused as malformed, if it was. */
  readonly violation: string | undefined
}

export interface MessagesServer {
  readonly url: string
  readonly port: number
  /** Every request for a message, in order of arrival, refused ones too. */
  readonly requests: ReadonlyArray<RecordedRequest>
  /** Fulfilled when so many requests have arrived. */
  readonly arrived: (count: number) => Promise<RecordedRequest>
  readonly violations: () => ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** A record while it is being written. */
type Draft = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] }

interface State {
  readonly script: Script
  readonly requests: Array<Draft>
  readonly connections: Map<Socket, number>
  readonly waiting: Array<{ readonly count: number; readonly resolve: (request: RecordedRequest) => void }>
  accepted: number
}

const MODELS = ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"]
const CHARS_PER_TOKEN = 4

const NOWHERE = { index: 0, model: "", inputTokens: 0 }

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const parse = (raw: string): unknown => {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

const sendJson = (response: ServerResponse, plan: Pick<Plan, "status" | "headers" | "json">): void => {
  const body = typeof plan.json === "string" ? plan.json : JSON.stringify(plan.json)
  response.writeHead(plan.status, { "content-type": "application/json", ...plan.headers }).end(body)
}

const refuse = (response: ServerResponse, code: number, message: string): void =>
  sendJson(response, status(code, { message, headers: { "x-should-retry": "false" } })(NOWHERE))

const hasCredential = ({ headers }: IncomingMessage): boolean =>
  /^Bearer \S/.test(headers.authorization ?? "") || (headers["x-api-key"] ?? "") !== ""

const estimate = (raw: string): number => Math.ceil(raw.length / CHARS_PER_TOKEN)

const recordFor = (state: State, request: IncomingMessage, response: ServerResponse): Draft => {
  const { promise: closed, resolve } = deferred()
  const record: Draft = {
    index: -1,
    path: request.url ?? "",
    headers: request.headers,
    body: {},
    rawBody: "",
    connection: state.connections.get(request.socket) ?? -1,
    receivedAtMs: performance.now(),
    closedAtMs: undefined,
    eventsSent: 0,
    bytesSent: 0,
    aborted: false,
    closed,
    violation: undefined
  }
  response.on("close", () => {
    record.closedAtMs = performance.now()
    record.aborted = !response.writableFinished
    resolve()
  })
  return record
}

const deferred = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => {}
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve }
}

/** Waits until the socket has taken the bytes: a client that does not read holds the script up. */
const send = (response: ServerResponse, bytes: string | Uint8Array, closed: Promise<void>): Promise<unknown> => {
  const { promise, resolve } = deferred()
  response.write(bytes, resolve)
  return Promise.race([promise, closed])
}

const perform = async (step: Step, response: ServerResponse, record: Draft): Promise<void> => {
  switch (step.type) {
    case "write":
      await send(response, step.bytes, record.closed)
      record.eventsSent += 1
      record.bytesSent += typeof step.bytes === "string" ? Buffer.byteLength(step.bytes) : step.bytes.length
      return
    case "wait":
      await Promise.race([step.until, record.closed])
      return
    case "cut":
      response.destroy()
      return
    case "hold":
      await record.closed
  }
}

const play = async (plan: Plan, response: ServerResponse, record: Draft): Promise<void> => {
  await Promise.race([plan.before, record.closed])
  if (response.destroyed) return
  const streamed = plan.status === 200 && record.body["stream"] === true
  const requestId = { "request-id": `req_${String(record.index).padStart(6, "0")}` }
  if (!streamed) {
    return sendJson(response, { ...plan, headers: plan.status === 200 ? requestId : { ...requestId, ...plan.headers } })
  }
  response.writeHead(200, { ...requestId, ...plan.headers })
  response.flushHeaders()
  for (const step of plan.steps) {
    if (response.destroyed) return
    await perform(step, response, record)
  }
  if (!response.destroyed) response.end()
}

const replyFor = async (state: State, record: Draft): Promise<Reply> => {
  const { script } = state
  if (typeof script === "function") return script(record.body, record.index)
  return script[record.index] ?? status(400, { message: `the script has no reply for request ${record.index}` })
}

/** How the instructions of side tasks begin: names for sessions, and what is worth remembering. */
const BESIDE = /^(?:You name conversations|You read what a user and a coding agent have just said)/

/** Nothing that anybody would use: no name is left of it, and no file is written. */
const NOTHING = text('""')

/** Side tasks come whenever they like. They take no reply of the script and are not among the requests. */
const isBeside = ({ system }: Json): boolean =>
  Array.isArray(system) && system.some((block) => isObject(block) && BESIDE.test(String(block["text"])))

const announce = (state: State, record: Draft): void => {
  state.requests.push(record)
  for (const { count, resolve } of state.waiting) if (state.requests.length === count) resolve(record)
}

const answerMessage = async (state: State, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const record = recordFor(state, request, response)
  record.rawBody = await readBody(request)
  const body = parse(record.rawBody)
  record.body = isObject(body) ? body : {}
  if (isBeside(record.body)) {
    return play(NOTHING({ ...NOWHERE, model: String(record.body["model"]), inputTokens: 1 }), response, record)
  }
  const versioned = request.headers["anthropic-version"] !== undefined
  record.violation = versioned ? violationOf(body) : "anthropic-version: header is required"
  if (record.violation === undefined) record.index = state.accepted++
  announce(state, record)
  if (record.violation !== undefined) return refuse(response, 400, record.violation)
  const reply = await replyFor(state, record)
  const model = typeof record.body["model"] === "string" ? record.body["model"] : ""
  await play(reply({ index: record.index, model, inputTokens: estimate(record.rawBody) }), response, record)
}

const answerCount = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const raw = await readBody(request)
  const violation = violationOf(parse(raw), true)
  if (violation !== undefined) return refuse(response, 400, violation)
  sendJson(response, { status: 200, headers: {}, json: { input_tokens: estimate(raw) } })
}

const describeModel = (id: string): Json => ({
  type: "model",
  id,
  display_name: id,
  created_at: "2026-01-01T00:00:00Z",
  max_input_tokens: 200_000,
  max_tokens: 64_000
})

const answerModels = (path: string, response: ServerResponse): void => {
  const id = path.split("/")[3]
  if (id !== undefined && !MODELS.includes(id)) return refuse(response, 404, `model: ${id}`)
  const list = { data: MODELS.map(describeModel), has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) }
  sendJson(response, { status: 200, headers: {}, json: id === undefined ? list : describeModel(id) })
}

const route = async (state: State, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = (request.url ?? "").split("?")[0] ?? ""
  if (!hasCredential(request)) return refuse(response, 401, "a credential is required")
  if (request.method === "POST" && path === "/v1/messages") return answerMessage(state, request, response)
  if (request.method === "POST" && path === "/v1/messages/count_tokens") return answerCount(request, response)
  if (request.method === "GET" && /^\/v1\/models(\/[^/]+)?$/.test(path)) return answerModels(path, response)
  return refuse(response, 404, `nothing is served at ${request.method ?? ""} ${path}`)
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

export const startMessagesServer = async (script: Script, port = 0): Promise<MessagesServer> => {
  const state: State = { script, requests: [], connections: new Map(), waiting: [], accepted: 0 }
  const server = createServer((request, response) => {
    route(state, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else refuse(response, 500, `the script failed: ${String(error)}`)
    })
  })
  server.keepAliveTimeout = 60_000
  server.on("connection", (socket) => state.connections.set(socket, state.connections.size))
  const bound = await listen(server, port)
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests: state.requests,
    arrived: (count) => {
      const present = state.requests[count - 1]
      if (present !== undefined) return Promise.resolve(present)
      return new Promise((resolve) => state.waiting.push({ count, resolve }))
    },
    violations: () => state.requests.flatMap(({ violation }) => violation ?? []),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
