/** The part of blessed that we use: its terminal driver, without widgets. Its own types cover only the whole library. */
declare module "blessed/lib/program.js" {
  import type { EventEmitter } from "node:events"

  interface ProgramOptions {
    readonly input: NodeJS.ReadableStream
    readonly output: NodeJS.WritableStream
    readonly buffer: boolean
    /** Reads terminfo; it takes longer than the rest of the start, and nothing here depends on it. */
    readonly tput: boolean
  }

  class Program extends EventEmitter {
    constructor(options: ProgramOptions)
    readonly cols: number
    readonly rows: number
    readonly input: NodeJS.ReadableStream & { readonly setRawMode: (on: boolean) => void }
    readonly output: NodeJS.WritableStream
    destroy(): void
  }

  export default Program
}
