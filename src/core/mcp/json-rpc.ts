import { Result, Schema } from "effect"

/** JSON-RPC as servers of the Model Context Protocol speak it. */

export const PROTOCOL_VERSION = "2025-11-25"

/** Versions whose first messages and lists of tools are understood. */
const PROTOCOL_VERSIONS: ReadonlySet<string> = new Set([PROTOCOL_VERSION, "2025-06-18", "2025-03-26", "2024-11-05"])

const Answer = Schema.Union([
  Schema.Struct({ result: Schema.Record(Schema.String, Schema.Unknown) }),
  Schema.Struct({ error: Schema.Struct({ code: Schema.Number, message: Schema.String }) })
])
const readAnswer = Schema.decodeUnknownResult(Answer)

/** The result of a request, or why there is none. */
export const readResponse = (message: unknown): Result.Result<Readonly<Record<string, unknown>>, string> => {
  const answer = readAnswer(message)
  if (Result.isFailure(answer)) return Result.fail("the answer of the server is not JSON-RPC")
  return "result" in answer.success ? Result.succeed(answer.success.result) : Result.fail(answer.success.error.message)
}

const Initialized = Schema.Struct({ protocolVersion: Schema.String })
const isInitialized = Schema.is(Initialized)

/** Why a server's answer to `initialize` rules out talking to it; undefined when nothing does. */
export const handshakeProblem = (result: unknown): string | undefined => {
  if (!isInitialized(result)) return "the server does not say which protocol it speaks"
  const { protocolVersion } = result
  return PROTOCOL_VERSIONS.has(protocolVersion) ? undefined : `the server speaks protocol ${protocolVersion}`
}

/** What a server sends of itself: a notification, or with an id a request. */
const ServerMessage = Schema.Struct({
  method: Schema.String,
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Number]))
})
export const isServerMessage = Schema.is(ServerMessage)

export const METHOD_NOT_FOUND = -32_601
