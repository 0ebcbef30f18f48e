/** Makes a disagreement small: drops commands, pieces and parts of the text while the editors still differ. */
import { clusters } from "../../../../../src/tui/screen/cell/width.ts"
import { compareAll, type Disagreement } from "./compare.ts"
import { keysOf, type Script } from "./script.ts"

const MOST_ROUNDS = 60

const without = <A>(list: ReadonlyArray<A>, from: number, length = 1): ReadonlyArray<A> => [
  ...list.slice(0, from),
  ...list.slice(from + length)
]

const fewerCommands = (script: Script): ReadonlyArray<Script> =>
  [8, 4, 2, 1].flatMap((length) =>
    script.commands.flatMap((_, index) =>
      index + length <= script.commands.length ? [{ ...script, commands: without(script.commands, index, length) }] : []
    )
  )

const fewerPieces = (script: Script): ReadonlyArray<Script> =>
  script.commands.flatMap((command, index) =>
    command.flatMap((piece, at) =>
      piece.keep === true ? [] : [{ ...script, commands: script.commands.with(index, without(command, at)) }]
    )
  )

const lessText = (script: Script): ReadonlyArray<Script> => {
  const fewerLines = script.lines.length === 1 ? [] : script.lines.map((_, index) => without(script.lines, index))
  const shorterLines = script.lines.flatMap((line, index) => {
    const characters = clusters(line)
    const halves = [characters.slice(characters.length >> 1), characters.slice(0, characters.length >> 1)]
    const single = characters.length > 24 ? [] : characters.map((_, at) => without(characters, at))
    return characters.length === 0 ? [] : [...halves, ...single].map((rest) => script.lines.with(index, rest.join("")))
  })
  return [...fewerLines, ...shorterLines].map((lines) => ({ ...script, lines }))
}

/** Repeating what an earlier script did would compare vim's memory of that script with our lack of one. */
const isFair = (script: Script): boolean => {
  const keys = keysOf(script)
  const first = keys.search(/&|@@/)
  const line = keys.search(/@:|":/)
  const repeats = first < 0 || /:[^ ]*s\/|@[mn]/.test(keys.slice(0, first))
  const size = keys.indexOf("2v")
  if (size >= 0 && !/[vV]|gb/.test(keys.slice(0, size))) return false
  return repeats && (line < 0 || /(?<!["@]):.*<CR>/.test(keys.slice(0, line)))
}

const size = (script: Script): number => keysOf(script).length * 4 + script.lines.join("\n").length

const smallest = (found: ReadonlyArray<Disagreement>): Disagreement | undefined =>
  found.toSorted((a, b) => size(a.script) - size(b.script))[0]

/** Whether a smaller script still shows the same kind of difference. */
const isAlike = (a: Disagreement, b: Disagreement): boolean => a.parts.some((part) => b.parts.includes(part))

export const shrink = async (disagreement: Disagreement): Promise<Disagreement> => {
  let current = disagreement
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { script } = current
    const candidates = [...fewerCommands(script), ...fewerPieces(script), ...lessText(script)].filter(isFair)
    const { disagreements } = await compareAll(candidates)
    const best = smallest([...disagreements.values()].filter((found) => isAlike(found, current)))
    if (best === undefined) return current
    current = best
  }
  return current
}
