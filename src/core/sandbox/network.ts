/** Which hosts a confined command may reach. Names are matched as rules of WebFetch match them. */
import { addressKind, isAddress, type AddressKind } from "../web/address.ts"
import { isMetadataHost, isNamed, matchesHost } from "../web/host.ts"

export interface NetworkPolicy {
  readonly allowed: ReadonlyArray<string>
  readonly denied: ReadonlyArray<string>
}

export type HostVerdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "deny"; readonly why: string }

const deny = (why: string): HostVerdict => ({ verdict: "deny", why })

/** Without an allowed host there is nothing a proxy could do, and none is started. */
export const reachesNothing = (policy: NetworkPolicy): boolean => policy.allowed.length === 0

/** An address outside the public network is reached only by a host that the list names, never through `*`. */
const isClosed = (kind: AddressKind, named: boolean): boolean => kind === "metadata" || (kind !== "public" && !named)

/** Decides on the addresses a name led to. One that is closed is enough: the answer was made to be chosen from. */
export const judgeAddresses = (policy: NetworkPolicy, host: string, addresses: ReadonlyArray<string>): HostVerdict => {
  const named = isNamed(host, policy.allowed)
  const closed = addresses.map(addressKind).find((kind) => isClosed(kind, named))
  if (closed !== undefined) return deny(`it leads to a ${closed} address`)
  const refused = addresses.find((address) => policy.denied.some((pattern) => matchesHost(pattern, address)))
  return refused === undefined ? { verdict: "allow" } : deny(`its address ${refused} is in the list of denied domains`)
}

/** Decides on the name alone, before it is resolved. Deny goes first. */
export const judgeHost = (policy: NetworkPolicy, host: string): HostVerdict => {
  if (host === "") return deny("it names no host")
  if (isMetadataHost(host)) return deny("it leads to a cloud metadata service")
  if (policy.denied.some((pattern) => matchesHost(pattern, host))) return deny("it is in the list of denied domains")
  return policy.allowed.some((pattern) => matchesHost(pattern, host))
    ? judgeAddresses(policy, host, isAddress(host) ? [host] : [])
    : deny("it is not in the list of allowed domains")
}
