import type { Env } from "../env.ts"
import { parseUrl } from "./host.ts"

/** Which proxy a request goes through, by the variables that programs have agreed upon. */
export type ProxyChoice =
  | { readonly _tag: "Direct" }
  | { readonly _tag: "Through"; readonly proxy: string }
  | { readonly _tag: "Unusable"; readonly variable: string; readonly why: string }

const DIRECT: ProxyChoice = { _tag: "Direct" }

/** Both spellings are in use; an empty one counts as none. */
const firstOf = (env: Env, names: ReadonlyArray<string>): { readonly name: string; readonly value: string } | undefined => {
  for (const name of names.flatMap((each) => [each, each.toLowerCase()])) {
    const value = env[name]?.trim()
    if (value !== undefined && value !== "") return { name, value }
  }
  return undefined
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

const portOf = ({ port, protocol }: URL): string => port || (DEFAULT_PORTS[protocol] ?? "")

/** `example.com` also means what lies below it; a dot or a star in front changes nothing; a port narrows it. */
const isExempt = (entry: string, url: URL): boolean => {
  if (entry === "*") return true
  const [, host = "", port] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? []
  // An address of six groups has colons of its own.
  const name = entry.includes("::") ? entry : host
  const wanted = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase()
  const isNamed = wanted === name || wanted.endsWith(`.${name}`)
  return isNamed && (entry.includes("::") || port === undefined || port === portOf(url))
}

const isExempted = (env: Env, url: URL): boolean =>
  (firstOf(env, ["NO_PROXY"])?.value ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && isExempt(entry.replace(/^\[(.*)\]$/, "$1"), url))

/** The variables for the scheme of the address go first. A proxy without a scheme is an ordinary one. */
export const proxyFor = (env: Env, address: string): ProxyChoice => {
  const url = parseUrl(address)
  if (url === undefined || isExempted(env, url)) return DIRECT
  const given = firstOf(env, [url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY", "ALL_PROXY"])
  if (given === undefined) return DIRECT
  const proxy = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(given.value) ? given.value : `http://${given.value}`)
  if (proxy !== undefined && proxy.hostname !== "" && proxy.protocol in DEFAULT_PORTS) {
    return { _tag: "Through", proxy: proxy.href }
  }
  const why = proxy === undefined ? "it is not an address" : `there is no way through a ${proxy.protocol.slice(0, -1)} proxy`
  return { _tag: "Unusable", variable: given.name, why }
}
