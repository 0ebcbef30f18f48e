/**
 * Runs inside the sandbox, before the command: listens on the loopback of the sandbox's own network and carries each
 * connection as one stream over the channel it was given, to the proxy outside. The channel is a socket that exists
 * already, because new ones with a path are forbidden in there. HTTP/2 only serves to carry many streams in one.
 */
export const BRIDGE_PORT = 3128

export const BRIDGE_SCRIPT = `
const net = require("node:net")
const http2 = require("node:http2")
const { spawn } = require("node:child_process")
const { constants } = require("node:os")
const [port, descriptor, file, ...args] = process.argv.slice(1)
const channel = http2.connect("http://proxy", { createConnection: () => new net.Socket({ fd: Number(descriptor) }) })
channel.on("error", () => undefined)
const carry = (socket) => {
  const stream = channel.request({ ":method": "CONNECT", ":authority": "proxy" })
  const end = () => { socket.destroy(); stream.destroy() }
  socket.on("error", end).pipe(stream)
  stream.on("error", end).pipe(socket)
  socket.on("close", () => stream.destroy())
}
const exitWith = (code, signal) => process.exit(signal === null ? code : 128 + (constants.signals[signal] ?? 0))
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined)
net.createServer({ allowHalfOpen: true }, carry).listen(Number(port), "127.0.0.1", () => {
  const child = spawn(file, args, { stdio: "inherit" })
  child.on("exit", exitWith)
  child.on("error", (error) => { console.error(error.message); process.exit(127) })
})
`
