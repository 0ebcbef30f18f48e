import { Effect, Result, SubscriptionRef } from "effect"
import { isRaw } from "../../../core/domain/json/json-object.ts"
import type { ServerStatus } from "../output/init-line.ts"
import { handshakeProblem, isServerMessage } from "../../../core/mcp/json-rpc.ts"
import {
  type ListedTool,
  readPolicies,
  readToolPage,
  serverTools,
  type ToolPolicies
} from "../../../core/mcp/server-tools.ts"
import { remoteExecutor } from "../../tools/remote-executor.ts"
import type { ProvidedTool, ToolProvider } from "../../tools/toolbox.ts"
import type { HostLink } from "./host-link.ts"
import { ServerLink } from "./server-link.ts"

/** A server of tools inside the host's process. */
export interface HostServer {
  readonly name: string
  readonly policies: ToolPolicies
  /** What the server answered when the host shook hands with it in our place. */
  readonly manifest?: { readonly initializeResult: unknown; readonly toolsListResult?: unknown }
}

/** A server with what the host says about it. */
export const hostServer = (name: string, config: unknown, manifest?: HostServer["manifest"]): HostServer => ({
  name,
  policies: readPolicies(isRaw(config) ? config["tools"] : undefined),
  ...(manifest === undefined ? {} : { manifest })
})

interface Connection {
  readonly server: HostServer
  readonly link: ServerLink
  status: ServerStatus
  tools: ReadonlyArray<ProvidedTool>
}

const HANDSHAKE_MS = 30_000
const TOO_SLOW = "the server did not answer in time"

/** The list that came with the server, when it is all there is. */
const listedIn = ({ manifest }: HostServer): ReadonlyArray<ListedTool> | undefined => {
  if (manifest === undefined || handshakeProblem(manifest.initializeResult) !== undefined) return undefined
  const page = readToolPage(manifest.toolsListResult)
  return Result.isSuccess(page) && page.success.next === undefined ? page.success.tools : undefined
}

/** The servers of a host, spoken to over its control channel. */
export class HostServers {
  readonly tools: ToolProvider = Effect.runSync(SubscriptionRef.make<ReadonlyArray<ProvidedTool>>([]))
  readonly #link: HostLink
  readonly #onChange: () => void
  readonly #waiting: Array<() => void> = []
  #connections: ReadonlyArray<Connection> = []
  #handshakes = 0

  constructor(link: HostLink, onChange: () => void) {
    this.#link = link
    this.#onChange = onChange
  }

  get statuses(): ReadonlyArray<ServerStatus> {
    return this.#connections.map(({ status }) => status)
  }

  /** These and no others. Those whose tools the host has listed are there at once. */
  connect(servers: ReadonlyArray<HostServer>): void {
    this.#connections = servers.map((server) => ({
      server,
      link: new ServerLink(this.#link, server.name),
      status: { name: server.name, status: "pending" },
      tools: []
    }))
    for (const connection of this.#connections) {
      const listed = listedIn(connection.server)
      if (listed === undefined) this.#follow(connection, Effect.andThen(connection.link.handshake, connection.link.list))
      else this.#listed(connection, listed)
    }
    this.#publish()
  }

  /** Runs it when no handshake is under way: the first request waits for the tools that the host brings. */
  whenReady(run: () => void): void {
    if (this.#handshakes === 0) run()
    else this.#waiting.push(run)
  }

  /** What a server says of itself. */
  receive(name: unknown, message: unknown): void {
    const connection = this.#connections.find(({ server }) => server.name === name)
    if (connection === undefined || !isServerMessage(message)) return
    if (message.id !== undefined) connection.link.refuse(message.id, message.method)
    else if (message.method === "notifications/tools/list_changed") this.#follow(connection, connection.link.list)
  }

  #follow(connection: Connection, listing: Effect.Effect<ReadonlyArray<ListedTool>, string>): void {
    this.#handshakes++
    const inTime = Effect.timeoutOrElse(listing, { duration: HANDSHAKE_MS, orElse: () => Effect.fail(TOO_SLOW) })
    Effect.runFork(
      Effect.match(inTime, {
        onSuccess: (listed) => this.#listed(connection, listed),
        onFailure: (error) => {
          connection.status = { name: connection.server.name, status: "failed", error }
        }
      }).pipe(Effect.andThen(Effect.sync(() => this.#settle())))
    )
  }

  #settle(): void {
    this.#publish()
    this.#handshakes--
    if (this.#handshakes === 0) for (const run of this.#waiting.splice(0)) run()
  }

  #listed(connection: Connection, listed: ReadonlyArray<ListedTool>): void {
    const { link, server } = connection
    connection.status = { name: server.name, status: "connected" }
    connection.tools = serverTools({ ...server, listed }).map(({ entry, name }) => ({
      entry,
      executor: remoteExecutor(entry, (input, context) => link.call(name, input, context))
    }))
  }

  #publish(): void {
    const tools = this.#connections.flatMap((connection) => connection.tools)
    Effect.runSync(SubscriptionRef.set(this.tools, tools))
    this.#onChange()
  }
}
