/** From the name of a host to a connection, if the policy allows it. The name is resolved here and only once. */
import { lookup } from "node:dns/promises"
import { connect, type Socket } from "node:net"
import { Data } from "effect"
import { judgeAddresses, judgeHost, type HostContact } from "../../core/sandbox/network.ts"
import type { NetworkDoor } from "../../core/ports/Sandbox.ts"
import { isAddress } from "../../core/domain/net/address.ts"
import { plainHost } from "../../core/domain/net/host.ts"

const CONNECT_MS = 30_000

export interface Dialled extends NetworkDoor {
  readonly note: (contact: HostContact) => void
}

export interface Destination {
  readonly host: string
  readonly port: number
}

/** A destination, and when whoever wanted it has gone. */
export interface RequestedDestination extends Destination {
  readonly gone: AbortSignal
}

/** A refusal of the policy, or an error of the network. */
export class DialFailure extends Data.TaggedError("DialFailure")<{
  readonly message: string
  readonly refused: boolean
}> {}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const networkError = (cause: unknown): DialFailure =>
  cause instanceof DialFailure ? cause : new DialFailure({ message: messageOf(cause), refused: false })

const addressesOf = async (host: string): Promise<ReadonlyArray<string>> => {
  if (isAddress(host)) return [host]
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}

const open = (address: string, port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: CONNECT_MS })
    const fail = (cause: Error): void => {
      socket.destroy()
      reject(networkError(cause))
    }
    socket.once("error", fail)
    socket.once("timeout", () => fail(new Error(`no answer from ${address}`)))
    socket.once("connect", () => {
      socket.off("error", fail)
      socket.setTimeout(0)
      resolve(socket)
    })
  })

/** Why the host is closed, if it is. One that no list names is asked about, and the lists still have the last word. */
const closedName = async (
  { policy, ask }: Dialled,
  { host, port, gone }: RequestedDestination
): Promise<string | undefined> => {
  const verdict = judgeHost(policy(), host)
  if (verdict.verdict !== "ask") return verdict.verdict === "deny" ? verdict.why : undefined
  const refused = await ask({ host: plainHost(host), port, gone })
  if (refused !== undefined) return refused
  const now = judgeHost(policy(), host)
  return now.verdict === "deny" ? now.why : undefined
}

const firstOpen = async (addresses: ReadonlyArray<string>, { host, port }: Destination): Promise<Socket> => {
  let failure = networkError(new Error(`${host} has no address`))
  for (const address of addresses) {
    try {
      return await open(address, port)
    } catch (cause) {
      failure = networkError(cause)
    }
  }
  throw failure
}

export const dial = async (dialled: Dialled, wanted: RequestedDestination): Promise<Socket> => {
  const { host, port } = wanted
  const refuse = (why: string): DialFailure => {
    dialled.note({ host, port, refused: why })
    return new DialFailure({ message: `${host} is closed to sandboxed commands: ${why}`, refused: true })
  }
  // Not even its name is looked up before it may be reached: names can carry data too.
  const closed = await closedName(dialled, wanted)
  if (closed !== undefined) throw refuse(closed)
  const addresses = await addressesOf(host).catch((cause: unknown) => {
    throw networkError(cause)
  })
  const byAddress = judgeAddresses(dialled.policy(), host, addresses)
  if (byAddress.verdict === "deny") throw refuse(byAddress.why)
  dialled.note({ host, port, refused: undefined })
  return firstOpen(addresses, wanted)
}
