import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A local web server that remembers what it was asked. */
export interface TestServer {
  readonly origin: string
  readonly port: number
  readonly asked: ReadonlyArray<string>
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export const withServer = async <A>(handler: Handler, use: (server: TestServer) => Promise<A>): Promise<A> => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    handler(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  try {
    return await use({ origin: `http://127.0.0.1:${port}`, port, asked })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
}
