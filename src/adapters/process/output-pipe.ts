/**
 * Named pipes between a command and its output file. Node's own pipes are sockets, which `> /dev/stderr` cannot open,
 * and a plain file in their place would be truncated by it; a named pipe behaves like the pipe of a shell. Making one
 * costs a process, so a pipe and its reader are used again once no writer holds it.
 */
import { closeSync, constants, existsSync, openSync, readSync, unlinkSync } from "node:fs"
import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net"

const CHUNK_BYTES = 64 * 1024
/** More than a pipe can hold: a descendant that goes on writing must not keep a drain going for ever. */
const DRAIN_BYTES = 1024 * 1024

export interface OutputPipe {
  /** Whether the name in the file system is still needed. */
  readonly isNamed: boolean
  /** Opens the pipe for one command; the result is its stdout and stderr. */
  readonly open: (onData: (chunk: Buffer) => void) => number
  /**
   * Called when the command has ended: delivers what is in the pipe. `free` means that the pipe may serve again;
   * `held` that descendants still write, whose output goes on arriving until the last of them ends.
   */
  readonly finish: () => "free" | "held"
  readonly destroy: () => void
}

const drain = (fd: number, onData: (chunk: Buffer) => void): "free" | "held" => {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  try {
    for (let drained = 0; drained < DRAIN_BYTES;) {
      const got = readSync(fd, buffer, 0, CHUNK_BYTES, null)
      if (got === 0) return "free"
      onData(buffer.subarray(0, got))
      drained += got
    }
  } catch {
    // EAGAIN: empty for now, but somebody holds the other end.
  }
  return "held"
}

const readerOf = (fd: number, onData: (chunk: Buffer) => void): Socket => {
  const onread: OnReadOpts = {
    // One buffer for the life of the pipe instead of a new one for every read.
    buffer: Buffer.allocUnsafe(CHUNK_BYTES),
    callback: (bytes, buffer) => {
      onData(Buffer.from(buffer.buffer, buffer.byteOffset, bytes))
      return true
    }
  }
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    fd,
    readable: true,
    writable: false,
    onread
  }
  const socket = new Socket(options)
  socket.once("end", () => socket.destroy())
  socket.on("error", () => socket.destroy())
  return socket
}

/**
 * Where a pipe that is open for reading can be opened for writing. Linux lists a process's own pipes, so that the name
 * can go at once and nothing is left behind, however the program ends.
 */
const writingPlace = (path: string, readFd: number): string => {
  const own = `/proc/self/fd/${readFd}`
  if (process.platform !== "linux" || !existsSync(own)) return path
  unlinkSync(path)
  return own
}

export const openOutputPipe = (path: string): OutputPipe => {
  // Opening for reading first and without waiting lets the open for writing return at once.
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const place = writingPlace(path, readFd)
  let deliver: (chunk: Buffer) => void = () => undefined
  let writeFd: number | undefined
  let socket: Socket | undefined
  return {
    isNamed: place === path,
    open: (onData) => {
      // Without a reader the next open would block the whole program.
      if (socket?.destroyed === true) throw new Error("the reader of the pipe is closed")
      deliver = onData
      // We hold a writing end of our own until the command has ended: the reader must not see an end before.
      writeFd = openSync(place, constants.O_WRONLY)
      socket ??= readerOf(readFd, (chunk) => deliver(chunk))
      socket.resume()
      return writeFd
    },
    finish: () => {
      if (socket === undefined || writeFd === undefined) return "held"
      socket.pause()
      closeSync(writeFd)
      writeFd = undefined
      if (socket.destroyed) return "held"
      const state = drain(readFd, deliver)
      if (state === "held") socket.unref().resume()
      return state
    },
    destroy: () => {
      if (socket === undefined) closeSync(readFd)
      else socket.destroy()
    }
  }
}
