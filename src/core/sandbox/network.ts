/** Which hosts a confined command may reach. Names are matched as rules of WebFetch match them. */
import { addressKind, isAddress, type AddressKind } from "../domain/net/address.ts"
import { hostOf, isMetadataHost, isNamed, matchesHost, parseUrl } from "../domain/net/host.ts"

export interface NetworkPolicy {
  readonly allowed: ReadonlyArray<string>
  readonly denied: ReadonlyArray<string>
  /** What becomes of a host that no list names. */
  readonly unknown: "ask" | "deny"
}

export const NO_NETWORK: NetworkPolicy = { allowed: [], denied: [], unknown: "deny" }

export type HostVerdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "ask" }
  | { readonly verdict: "deny"; readonly why: string }

const ALLOWED: HostVerdict = { verdict: "allow" }

const deny = (why: string): HostVerdict => ({ verdict: "deny", why })

/** Where no host can ever be reached there is nothing a proxy could do, and none is started. */
export const reachesNothing = ({ allowed, unknown }: NetworkPolicy): boolean => allowed.length === 0 && unknown === "deny"

/** An address outside the public network is reached only by a host that the list names, never through `*`. */
const isClosed = (kind: AddressKind, named: boolean): boolean => kind === "metadata" || (kind !== "public" && !named)

/** The host of a pattern that somebody wrote as an address, with a port, or in letters that have an ASCII form. */
const bareHost = (pattern: string): string => {
  const [, star = "", rest = ""] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(\*\.)?(.*)$/i.exec(pattern.trim()) ?? []
  const url = parseUrl(`http://${rest}`)
  return url === undefined ? pattern : `${star}${hostOf(url)}`
}

/** A denial means its host however it is spelled; an allowance means only what it says. */
const isDenied = ({ denied }: NetworkPolicy, host: string): boolean =>
  denied.some((pattern) => matchesHost(pattern, host) || matchesHost(bareHost(pattern), host))

/** Decides on the addresses a name led to. One that is closed is enough: the answer was made to be chosen from. */
export const judgeAddresses = (policy: NetworkPolicy, host: string, addresses: ReadonlyArray<string>): HostVerdict => {
  const named = isNamed(host, policy.allowed)
  const closed = addresses.map(addressKind).find((kind) => isClosed(kind, named))
  if (closed !== undefined) return deny(`it leads to a ${closed} address`)
  const refused = addresses.find((address) => isDenied(policy, address))
  return refused === undefined ? ALLOWED : deny(`its address ${refused} is in the list of denied domains`)
}

/** Names and addresses as they are written in ASCII. A user may be shown them, so nothing else gets through. */
const HOST_FORM = /^[a-z0-9._:-]{1,253}$/i

/** Decides on the name alone, before it is resolved. Deny goes first; nobody is asked about what would be refused. */
export const judgeHost = (policy: NetworkPolicy, host: string): HostVerdict => {
  if (host === "") return deny("it names no host")
  if (!HOST_FORM.test(host)) return deny("it is not the name of a host")
  if (isMetadataHost(host)) return deny("it leads to a cloud metadata service")
  if (isDenied(policy, host)) return deny("it is in the list of denied domains")
  const byAddress = isAddress(host) ? judgeAddresses(policy, host, [host]) : ALLOWED
  if (byAddress.verdict === "deny") return byAddress
  if (policy.allowed.some((pattern) => matchesHost(pattern, host))) return ALLOWED
  return policy.unknown === "ask" ? { verdict: "ask" } : deny("it is not in the list of allowed domains")
}

/** A connection that the proxy was asked for. */
export interface HostContact {
  readonly host: string
  readonly port: number
  /** Why it was refused; undefined when it was made. */
  readonly refused: string | undefined
}
