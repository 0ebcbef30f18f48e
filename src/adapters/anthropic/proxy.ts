import { request as httpRequest, type RequestOptions } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { Duplex } from "node:stream"
import { connect as secure } from "node:tls"

/** The way through a proxy: a tunnel for what is encrypted, a request that names the whole address for the rest. */

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What the proxy wants to know about whoever asks. */
export const proxyHeaders = ({ username, password }: URL): Record<string, string> => {
  if (username === "" && password === "") return {}
  const credential = Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString("base64")
  return { "proxy-authorization": `Basic ${credential}` }
}

/** Where to connect instead of the host itself. */
export const proxyTarget = (proxy: URL): Pick<RequestOptions, "host" | "port" | "protocol"> => ({
  host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
  port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
  protocol: proxy.protocol
})

const requestOver = (proxy: URL) => (proxy.protocol === "https:" ? httpsRequest : httpRequest)

/** With an error the stream means nothing. */
type Opened = (error: Error | null, stream: Duplex) => void

interface Wanted {
  readonly host?: string | null | undefined
  readonly port?: number | string | null | undefined
  readonly servername?: string | undefined
}

/** Asks for a tunnel to the host and speaks TLS through it, so that the proxy sees the host's name only. */
const openTunnel = (proxy: URL, wanted: Wanted, opened: Opened): void => {
  const host = wanted.host ?? ""
  const authority = `${host.includes(":") ? `[${host}]` : host}:${wanted.port ?? 443}`
  const asking = requestOver(proxy)({
    ...proxyTarget(proxy),
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...proxyHeaders(proxy) },
    agent: false
  })
  asking.once("error", (error) => opened(new Error(`the proxy ${proxy.host}: ${error.message}`), new Duplex()))
  asking.once("connect", ({ statusCode, statusMessage }, socket) => {
    if (statusCode === 200) return opened(null, secure({ socket, servername: wanted.servername ?? host }))
    socket.destroy()
    opened(new Error(`the proxy ${proxy.host} refused the connection: ${statusCode} ${statusMessage}`), socket)
  })
  asking.end()
}

/** Keeps its tunnels alive as the usual agent keeps its connections. */
export class TunnelAgent extends HttpsAgent {
  constructor(private readonly proxy: URL) {
    super({ keepAlive: true })
  }

  override createConnection(options: Wanted, opened: Opened = () => undefined): null {
    openTunnel(this.proxy, options, opened)
    return null
  }
}
