import { Effect, Result } from "effect"
import { isRaw } from "../../../core/domain/json/json-object.ts"
import { readCallResult } from "../../../core/mcp/call-result.ts"
import { handshakeProblem, METHOD_NOT_FOUND, PROTOCOL_VERSION, readResponse } from "../../../core/mcp/json-rpc.ts"
import { type ListedTool, readToolPage } from "../../../core/mcp/server-tools.ts"
import type { RemoteInput } from "../../../core/tools/remote-tool.ts"
import { VERSION } from "../../process/version.ts"
import { type ToolContext, type ToolOutput, ToolRefusal } from "../../tools/contract/executor.ts"
import type { HostLink } from "./host-link.ts"

type Params = Readonly<Record<string, unknown>>

const MOST_PAGES = 1_000

/** JSON-RPC with one server in the host's process, inside of requests to the host. */
export class ServerLink {
  readonly #link: HostLink
  readonly #name: string
  #requests = 0

  constructor(link: HostLink, name: string) {
    this.#link = link
    this.#name = name
  }

  readonly handshake: Effect.Effect<void, string> = Effect.suspend(() => {
    const clientInfo = { name: "nacre", version: VERSION }
    return this.#request("initialize", { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo })
  }).pipe(
    Effect.flatMap((result) => {
      const problem = handshakeProblem(result)
      return problem === undefined ? Effect.void : Effect.fail(problem)
    }),
    Effect.andThen(Effect.sync(() => this.#send({ method: "notifications/initialized" })))
  )

  /** All pages of the server's list. */
  readonly list: Effect.Effect<ReadonlyArray<ListedTool>, string> = Effect.suspend(() =>
    this.#pagesFrom(undefined, MOST_PAGES)
  )

  /** A call that is interrupted here is cancelled there. */
  call(tool: string, input: RemoteInput, { callId }: ToolContext): Effect.Effect<ToolOutput, ToolRefusal> {
    const params = { name: tool, arguments: input, _meta: { "claudecode/toolUseId": callId } }
    return this.#request("tools/call", params).pipe(
      Effect.flatMap((result) => Effect.fromResult(readCallResult(result))),
      Effect.map(({ content, isError }) => ({ data: content, content, isError })),
      Effect.mapError((why) => new ToolRefusal({ message: `ServerError: ${this.#name}: ${why}` }))
    )
  }

  /** We offer servers nothing to ask for. */
  refuse(id: string | number, method: string): void {
    this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `${method} is not available` } })
  }

  #pagesFrom(cursor: string | undefined, left: number): Effect.Effect<ReadonlyArray<ListedTool>, string> {
    return this.#request("tools/list", cursor === undefined ? {} : { cursor }).pipe(
      Effect.flatMap((result) => Effect.fromResult(readToolPage(result))),
      Effect.flatMap(({ tools, next }) =>
        next === undefined || left === 1
          ? Effect.succeed(tools)
          : Effect.map(this.#pagesFrom(next, left - 1), (others) => [...tools, ...others])
      )
    )
  }

  #request(method: string, params: Params): Effect.Effect<Params, string> {
    return Effect.suspend(() => {
      const id = ++this.#requests
      return this.#link
        .ask(this.#message({ id, method, params }))
        .pipe(
          Effect.onInterrupt(() =>
            Effect.sync(() => this.#send({ method: "notifications/cancelled", params: { requestId: id } }))
          )
        )
    }).pipe(
      Effect.flatMap((answer) =>
        Effect.fromResult(isRaw(answer) ? readResponse(answer["mcp_response"]) : Result.fail("the host did not answer"))
      )
    )
  }

  /** Nobody waits for the answer. */
  #send(message: Params): void {
    this.#link.send(this.#message(message), () => undefined)
  }

  #message(message: Params): Params {
    return { subtype: "mcp_message", server_name: this.#name, message: { jsonrpc: "2.0", ...message } }
  }
}
