/** From the name of a host to a connection, if the policy allows it. The name is resolved here and only once. */
import { lookup } from "node:dns/promises"
import { connect, type Socket } from "node:net"
import { Data } from "effect"
import { judgeAddresses, judgeHost, type NetworkPolicy } from "../../core/sandbox/network.ts"
import type { HostContact } from "../../core/ports/Sandbox.ts"
import { isAddress } from "../../core/web/address.ts"

const CONNECT_MS = 30_000

export interface Dialled {
  readonly policy: NetworkPolicy
  readonly note: (contact: HostContact) => void
}

export interface Destination {
  readonly host: string
  readonly port: number
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

export const dial = async ({ policy, note }: Dialled, { host, port }: Destination): Promise<Socket> => {
  const refuse = (why: string): DialFailure => {
    note({ host, port, refused: why })
    return new DialFailure({ message: `${host} is closed to sandboxed commands: ${why}`, refused: true })
  }
  const byName = judgeHost(policy, host)
  if (byName.verdict === "deny") throw refuse(byName.why)
  const addresses = await addressesOf(host).catch((cause: unknown) => {
    throw networkError(cause)
  })
  const byAddress = judgeAddresses(policy, host, addresses)
  if (byAddress.verdict === "deny") throw refuse(byAddress.why)
  note({ host, port, refused: undefined })
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
