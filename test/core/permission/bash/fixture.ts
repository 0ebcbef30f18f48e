import { loadWasm } from "../../../../src/adapters/shell-parser/engine.ts"
import { lower } from "../../../../src/core/permission/bash/parse/lower.ts"
import type { ShellProgram, Word } from "../../../../src/core/permission/bash/program.ts"

export const parse = await loadWasm()

/** A text as the engine sees it, in the directory `/work` of the user `/home/u`. */
export const read = (text: string): ShellProgram => lower(text, parse(text), "/home/u", "/work")

const shown = ({ value, literal, glob }: Word): string =>
  value === undefined ? `<${literal}>` : glob ? `*${value}*` : value

/** The commands as lists of words; dynamic words in angle brackets, patterns between stars. */
export const commandsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  read(text)
    .commands.filter(({ guessed }) => guessed !== true)
    .map(({ words }) => words.map(shown))

export const obstaclesOf = (text: string): ReadonlyArray<string> =>
  read(text).obstacles.map(({ kind, construct }) => `${kind}: ${construct}`)
