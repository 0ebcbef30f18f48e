import { openSync } from "node:fs"
import { ReadStream } from "node:tty"

/** Where keys come from: stdin, or the terminal itself when stdin carries a text. */
export interface Keyboard {
  readonly stream: NodeJS.ReadStream
  /** Stdin is a pipe or a file: its text is the first prompt. */
  readonly stdinIsText: boolean
}

/** Undefined when there is no terminal to type on. */
export const openKeyboard = (): Keyboard | undefined => {
  if (process.stdin.isTTY === true) return { stream: process.stdin, stdinIsText: false }
  try {
    return { stream: new ReadStream(openSync("/dev/tty", "r")), stdinIsText: true }
  } catch {
    return undefined
  }
}

/** Lets the program end: an open terminal would keep it waiting for keys. */
export const closeKeyboard = ({ stream, stdinIsText }: Keyboard): void => {
  stream.pause()
  if (!stdinIsText) return
  stream.destroy()
  process.stdin.destroy()
}
