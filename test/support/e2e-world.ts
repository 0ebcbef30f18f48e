import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { atEndOfFile } from "./end-of-file.ts"
import { type CliOptions, type CliResult, makePlace, type Place, run, type RunningCli, start } from "./built-cli.ts"
import type { Reply } from "./messages-reply.ts"
import { type MessagesServer, type RecordedRequest, type Script, startMessagesServer } from "./messages-server.ts"
import { isObject, type Json } from "./messages-validate.ts"
import { kindOf, streamProblems } from "./stream-json-schema.ts"

/** Conversations of the built program with the fake endpoint, and questions about what was said. */
export const STREAM = ["--output-format", "stream-json", "--verbose"] as const

export const MODEL = "claude-sonnet-5-5"

export const endpointEnv = (server: MessagesServer): Record<string, string> => ({
  ANTHROPIC_BASE_URL: server.url,
  ANTHROPIC_API_KEY: "test",
  ANTHROPIC_MODEL: MODEL
})

const servers: Array<MessagesServer> = []

/** Ids of responses and calls must not come again in a session that is continued with another endpoint. */
const IDS_PER_SERVER = 10_000

const withOwnIds = (script: Script, first: number): Script => {
  const own =
    (reply: Reply): Reply =>
    (context) =>
      reply({ ...context, index: context.index + first })
  return typeof script === "function" ? async (body, index) => own(await script(body, index)) : script.map(own)
}

atEndOfFile(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A fake endpoint that lives as long as the test file. */
export const serve = async (script: Script): Promise<MessagesServer> => {
  const server = await startMessagesServer(withOwnIds(script, servers.length * IDS_PER_SERVER))
  servers.push(server)
  return server
}

export interface AskOptions extends CliOptions {
  readonly args?: ReadonlyArray<string>
}

export interface Answer extends CliResult {
  readonly place: Place
  readonly requests: ReadonlyArray<RecordedRequest>
  /** The one result line. */
  readonly result: Json
}

const options = (server: MessagesServer, { env, ...rest }: CliOptions, place: Place): CliOptions => ({
  ...rest,
  place,
  env: { ...endpointEnv(server), ...env }
})

/** Puts a prompt and reads the whole stream. What every run owes is checked here: form, order, well-formed requests. */
export const ask = async (script: Script | MessagesServer, prompt: string, given: AskOptions = {}): Promise<Answer> => {
  const server = "url" in script ? script : await serve(script)
  const { args = [], ...rest } = given
  const place = given.place ?? makePlace()
  const answer = await run(["-p", ...STREAM, ...args, "--", prompt], options(server, rest, place))
  expect(streamProblems(answer.stdout)).toEqual([])
  expect(server.violations()).toEqual([])
  const results = linesOf(answer.lines, "result")
  expect(results).toHaveLength(1)
  return { ...answer, place, requests: server.requests, result: results[0] ?? {} }
}

/** Starts such a conversation and leaves it running. */
export const begin = (server: MessagesServer, prompt: string, given: AskOptions = {}): Promise<RunningCli> => {
  const { args = [], ...rest } = given
  return start(["-p", ...STREAM, ...args, "--", prompt], options(server, rest, given.place ?? makePlace()))
}

/** Lines of one kind: `assistant`, `system/api_retry` ... */
export const linesOf = (lines: ReadonlyArray<Json>, kind: string): ReadonlyArray<Json> =>
  lines.filter((line) => kindOf(line) === kind)

export const list = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

export const object = (value: unknown): Json => (isObject(value) ? value : {})

const messageBlocks = (message: Json): ReadonlyArray<Json> => {
  const { content } = message
  return typeof content === "string" ? [{ type: "text", text: content }] : list(content)
}

/** Content blocks of a stream line. */
export const blocksIn = (line: Json): ReadonlyArray<Json> => messageBlocks(object(line["message"]))

export const messagesIn = (request: RecordedRequest | undefined): ReadonlyArray<Json> => list(request?.body["messages"])

/** Content blocks of all messages of a request, in order. */
export const sentBlocks = (request: RecordedRequest | undefined): ReadonlyArray<Json> =>
  messagesIn(request).flatMap(messageBlocks)

/** What the user and the model said in a request, without what the program adds. */
export const conversation = (request: RecordedRequest | undefined): ReadonlyArray<unknown> =>
  sentBlocks(request)
    .flatMap(({ type, text }) => (type === "text" ? [text] : []))
    .filter((said) => !String(said).startsWith("<system-reminder>"))

export const sessionOf = (answer: Pick<Answer, "result">): string => String(answer.result["session_id"])

export const sentText = (request: RecordedRequest | undefined): string => request?.rawBody ?? ""

/** Tool results of the newest message of a request. */
export const sentResults = (request: RecordedRequest | undefined): ReadonlyArray<Json> =>
  messageBlocks(messagesIn(request).at(-1) ?? {}).filter((block) => block["type"] === "tool_result")

/** What a tool result says, in one text. */
export const saidBy = (result: Json | undefined): string => {
  const content = result?.["content"]
  return typeof content === "string"
    ? content
    : list(content)
        .map((block) => String(block["text"]))
        .join("\n")
}

export const textOf = (line: Json): string =>
  blocksIn(line)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("")

/** Transcripts below a config directory. */
export const transcriptsOf = (place: Place): ReadonlyArray<string> => {
  try {
    return readdirSync(join(place.config, "projects"), { recursive: true, encoding: "utf8" })
      .filter((name) => /^[^/]+\/[^/]+\.jsonl$/.test(name))
      .map((name) => join(place.config, "projects", name))
  } catch {
    return []
  }
}

export interface Transcript {
  readonly path: string
  readonly text: string
  readonly lines: ReadonlyArray<Json>
  /** Lines that are not JSON, by their number from 0. */
  readonly torn: ReadonlyArray<number>
}

export const readTranscript = (path: string): Transcript => {
  const text = readFileSync(path, "utf8")
  const lines: Array<Json> = []
  const torn: Array<number> = []
  for (const [index, piece] of text.split("\n").entries()) {
    if (piece === "") continue
    try {
      lines.push(object(JSON.parse(piece)))
    } catch {
      torn.push(index)
    }
  }
  return { path, text, lines, torn }
}

/** The only transcript of a place. */
export const transcriptOf = (place: Place): Transcript => {
  const paths = transcriptsOf(place)
  expect(paths).toHaveLength(1)
  return readTranscript(paths[0] ?? "")
}
