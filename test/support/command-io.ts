import type { CommandIo } from "../../src/shell/commands/io/command-io.ts"

export interface CommandRun {
  readonly io: CommandIo
  readonly out: () => string
  readonly err: () => string
}

/** A command's surroundings in memory: lines to read, and what it printed. */
export const commandIo = (given: Partial<CommandIo> & { readonly input?: ReadonlyArray<string> } = {}): CommandRun => {
  const { input = [], ...rest } = given
  let out = ""
  let err = ""
  return {
    io: {
      env: {},
      cwd: "/work",
      home: "/home/u",
      stdinIsTerminal: false,
      lineBlocks: async function* () {
        yield input
      },
      secret: () => Promise.resolve(""),
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      ...rest
    },
    out: () => out,
    err: () => err
  }
}
