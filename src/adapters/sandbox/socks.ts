/** SOCKS version 5 without authentication, only to connect (RFC 1928). */
import type { Duplex } from "node:stream"
import { type Destination, DialFailure } from "./connect.ts"
import { joinStreams } from "./join-streams.ts"

export const SOCKS_VERSION = 5

const CONNECT = 1
const IPV4 = 1
const NAME = 3
const IPV6 = 4
const DONE = 0
const FAILED = 1
const FORBIDDEN = 2
const UNKNOWN_COMMAND = 7

const reply = (code: number): Buffer => Buffer.from([SOCKS_VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0])

/** Reads exactly as many bytes as asked for, leaving the rest in the stream. */
const take = (stream: Duplex, bytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      stream.off("readable", attempt)
      stream.off("end", ended)
      stream.off("error", ended)
      stream.off("close", ended)
    }
    const ended = (): void => {
      stop()
      reject(new Error("the connection ended early"))
    }
    const attempt = (): void => {
      const chunk: Buffer | null = stream.read(bytes)
      if (chunk === null) return
      stop()
      if (chunk.length < bytes) reject(new Error("the connection ended early"))
      else resolve(chunk)
    }
    stream.on("readable", attempt)
    stream.once("end", ended)
    stream.once("error", ended)
    stream.once("close", ended)
    attempt()
  })

const sixGroups = (bytes: Buffer): string =>
  Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":")

const readHost = async (stream: Duplex, type: number): Promise<string> => {
  if (type === IPV4) return [...(await take(stream, 4))].join(".")
  if (type === IPV6) return sixGroups(await take(stream, 16))
  if (type !== NAME) throw new Error(`SOCKS address type ${type} is unknown`)
  const length = (await take(stream, 1)).readUInt8(0)
  return (await take(stream, length)).toString("latin1")
}

const greet = async (stream: Duplex): Promise<void> => {
  const methods = (await take(stream, 2)).readUInt8(1)
  await take(stream, methods)
  stream.write(Buffer.from([SOCKS_VERSION, 0]))
}

export const serveSocks = async (stream: Duplex, dial: (to: Destination) => Promise<Duplex>): Promise<void> => {
  await greet(stream)
  const head = await take(stream, 4)
  const host = await readHost(stream, head.readUInt8(3))
  const port = (await take(stream, 2)).readUInt16BE(0)
  if (head.readUInt8(1) !== CONNECT) {
    stream.end(reply(UNKNOWN_COMMAND))
    return
  }
  try {
    const target = await dial({ host, port })
    stream.write(reply(DONE))
    joinStreams(stream, target)
  } catch (cause) {
    stream.end(reply(cause instanceof DialFailure && cause.refused ? FORBIDDEN : FAILED))
  }
}
