/** Hosts that a confined command could not reach, as far as the proxy, the program's words or the command tell. */
import { type HostContact, type NetworkPolicy, reachesNothing } from "./network.ts"
import { isAddress } from "../domain/net/address.ts"
import { plainHost } from "../domain/net/host.ts"

export interface HostQuestion {
  readonly network: NetworkPolicy
  readonly command: string
  readonly output: string
  readonly contacts: ReadonlyArray<HostContact>
}

const LONGEST_HOST = 253

/** A command may ask for anything; what is not a name must not look like words of ours, nor end the block it stands in. */
const shownHost = (host: string): string => host.replaceAll(/[^\w.:[\]-]/g, "?").slice(0, LONGEST_HOST)

/** What the proxy refused: certain, whatever became of the command. */
export const refusedHosts = ({ contacts }: Pick<HostQuestion, "contacts">): ReadonlyArray<string> =>
  contacts.flatMap(({ host, port, refused }) =>
    refused === undefined ? [] : [`network ${shownHost(host)}:${port}: ${refused}`]
  )

const UNREACHED =
  /(?:Could not resolve host(?:name)?:?|ENOTFOUND|EAI_AGAIN|unable to resolve host address) *['"‘]?([\w.-]+)/gi
const NO_NETWORK = /Network is unreachable|ENETUNREACH|Temporary failure in name resolution|Name or service not known/i
const URL_HOST = /\b(?:https?|ftp|ssh|git|wss?):\/\/(?:[^\s/@'"]*@)?(\[[0-9a-f:.]+\]|[\w.-]+)/gi

const isRemote = (host: string): boolean => host !== "localhost" && (isAddress(host) || host.includes("."))

const hostsIn = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map((match) => plainHost(match[1] ?? "")).filter(isRemote)

const NO_DOMAIN = "no domain is allowed"
const NOT_THE_WAY = "hosts are reached only through the proxy that HTTP_PROXY and ALL_PROXY name"

/** Where there is no proxy, or the program did not use it, its own words are all there is. */
export const unreachedHosts = ({ network, command, output, contacts }: HostQuestion): ReadonlyArray<string> => {
  const why = reachesNothing(network) ? NO_DOMAIN : NOT_THE_WAY
  const met = new Set(contacts.map(({ host }) => plainHost(host)))
  const reported = hostsIn(output, UNREACHED)
  const named = reported.length === 0 && reachesNothing(network) ? hostsIn(command, URL_HOST) : reported
  const hosts = named.filter((host) => !met.has(host))
  if (hosts.length > 0) return hosts.map((host) => `network ${host}: ${why}`)
  return contacts.length === 0 && NO_NETWORK.test(output) ? [`network: ${why}`] : []
}
