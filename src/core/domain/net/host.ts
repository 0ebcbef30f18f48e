import { LIMITS } from "../limits.ts"

/** Hosts and URLs as permission rules and redirects compare them. */
export const parseUrl = (text: string, base?: URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** The same host in its plainest spelling. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")

/** Lower-cased, in ASCII, without trailing dot, port or user; brackets of IPv6 are dropped. */
export const hostOf = (url: URL): string => plainHost(url.hostname)

/** Why a URL is not fetched, before anything is resolved. */
export const urlProblem = (text: string): string | undefined => {
  if (text.length > LIMITS.urlChars) {
    return `InvalidUrl: the URL has ${text.length} characters, at most ${LIMITS.urlChars} are accepted.`
  }
  const url = parseUrl(text)
  if (url === undefined) return `InvalidUrl: ${text} is not a complete URL. Give one that begins with https://.`
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return `InvalidUrl: ${url.protocol}// cannot be fetched, only https:// and http:// can.`
  }
  if (url.username !== "" || url.password !== "") {
    return "InvalidUrl: the URL holds a user name or password. Nothing was fetched; leave them out."
  }
  return hostOf(url) === "" ? "InvalidUrl: the URL names no host." : undefined
}

const LITERAL = /[.+?^${}()|[\]\\]/g

/** The form of hosts in rules: `*.h` is any sub-domain at any depth, another `*` stays inside one label. */
const hostMatches = (pattern: string, host: string): boolean => {
  const wanted = plainHost(pattern)
  const [anyDepth, rest] = wanted.startsWith("*.") ? ["(?:[^.]+\\.)+", wanted.slice(2)] : ["", wanted]
  const expression = rest.replace(LITERAL, "\\$&").replaceAll("*", "[^.]*")
  return new RegExp(`^${anyDepth}${expression}$`).test(host)
}

/** Whether a pattern covers this host; `*` alone covers every host. */
export const matchesHost = (pattern: string, host: string): boolean =>
  pattern === "*" || hostMatches(pattern, plainHost(host))

/** Whether a rule names this host. `*` alone allows everything but names nothing, so it opens no private address. */
export const isNamed = (host: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.some((pattern) => pattern !== "*" && hostMatches(pattern, plainHost(host)))

const withoutWww = (host: string): string => host.replace(/^www\./, "")

/** Whether a redirect stays where it was allowed to go. */
export const isSameHost = (left: URL, right: URL): boolean => withoutWww(hostOf(left)) === withoutWww(hostOf(right))

/** Names under which clouds serve credentials to their machines. */
const METADATA_HOSTS = new Set(["metadata", "metadata.google.internal", "metadata.goog", "instance-data"])

export const isMetadataHost = (host: string): boolean => METADATA_HOSTS.has(plainHost(host))

/** The same resource over TLS. */
export const upgradeToHttps = (url: URL): URL => {
  if (url.protocol === "https:") return url
  const secure = new URL(url)
  secure.protocol = "https:"
  return secure
}
