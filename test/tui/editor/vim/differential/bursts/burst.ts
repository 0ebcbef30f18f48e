/**
 * A third grammar, made apart from the other two: bursts of a few keys. Commands are dense and random: whatever fits
 * behind an operator, a count or a register may follow, and one in six scripts is made of single keys in any order.
 */
import { randomFrom, type Random } from "../random.ts"
import type { Command, Piece, Script } from "../script.ts"
import { burstText } from "./texts.ts"
import {
  FLAGS,
  INSERTS,
  JUMPS,
  LINE_EX,
  MOTIONS,
  OBJECTS,
  OFFSETS,
  OPERATORS,
  PATTERNS,
  RANGES,
  REGISTERS,
  REPLACEMENTS,
  SEARCHES,
  SIMPLE,
  TYPED,
  VISUAL_ENDS
} from "./words.ts"

const kept = (keys: string): Piece => ({ keys, keep: true })

const count = (random: Random, chance = 0.25): string =>
  random.chance(chance) ? String(random.chance(0.1) ? random.pick([10, 11, 50]) : 1 + random.below(4)) : ""

const register = (random: Random, chance = 0.2): string => (random.chance(chance) ? `"${random.pick(REGISTERS)}` : "")

const search = (random: Random): string => {
  const key = random.pick(["/", "/", "?"])
  const offset = random.pick(OFFSETS)
  return `${key}${random.pick(SEARCHES)}${offset === "" ? "" : key + offset}<CR>`
}

const motion = (random: Random): string => {
  const shape = random.below(12)
  if (shape === 0) return search(random)
  if (shape === 1) return random.pick(JUMPS)
  const keys = random.pick(MOTIONS)
  return keys === "0" || keys === "'" || keys === "`" ? "0" : count(random) + keys
}

const typing = (random: Random, most: number): Command => [
  ...random.times(0, most, () => ({ keys: random.pick(TYPED) })),
  kept("<Esc>")
]

/** Keys that do little harm in normal mode, where they are typed when the command before them failed. */
const carefulTyping = (random: Random): Command => [
  ...random.times(0, 2, () => ({ keys: random.pick(["x", "ab", "é", "<BS>", "9", "  "]) })),
  kept("<Esc>")
]

const operatorCommand = (random: Random): Command => {
  const operator = random.pick(OPERATORS)
  const start = register(random) + count(random) + operator
  const force = random.chance(0.08) ? random.pick(["v", "V", "<C-v>"]) : ""
  const shape = random.below(10)
  const doubled = operator === "<lt>" ? operator : (operator[1] ?? operator)
  const asked = shape < 2 ? doubled : shape < 6 ? count(random, 0.15) + random.pick(OBJECTS) : motion(random)
  const operand = operator === "g?" && asked.startsWith("?") ? "w" : asked
  const command = kept(start + force + operand)
  return operator === "c" ? [command, ...carefulTyping(random)] : [command]
}

const exLine = (random: Random): string => {
  const shape = random.below(10)
  const range = random.chance(0.6) ? random.pick(RANGES) : ""
  const replaced = (): string => `s/${random.pick(PATTERNS)}/${random.pick(REPLACEMENTS)}/${random.pick(FLAGS)}`
  if (shape < 3) return range + replaced()
  if (shape === 3)
    return `${random.pick(["", "%", range])}${random.pick(["g", "v", "g!"])}/${random.pick(PATTERNS)}/${random.chance(0.3) ? replaced() : random.pick(LINE_EX)}`
  if (shape === 4) return range === "" ? "1" : range
  if (shape === 5) return `${range}${random.pick(LINE_EX)}|${random.pick(LINE_EX)}`
  return range + random.pick(LINE_EX)
}

/** A count is a range of its own. */
const exCommand = (random: Random): Command => [
  { keys: random.chance(0.08) ? `${count(random, 1)}:${random.pick(LINE_EX)}<CR>` : `:${exLine(random)}<CR>` }
]

const visualCommand = (random: Random): Command => {
  const start = random.pick(["v", "v", "V", "<C-v>", "<C-v>"])
  const moves = random.times(0, 3, (): Piece => {
    const shape = random.below(8)
    if (shape === 0) return { keys: random.pick(["o", "O", "$"]) }
    return { keys: shape < 3 ? count(random, 0.2) + random.pick(OBJECTS) : motion(random) }
  })
  const other = random.pick(["v", "V", "<C-v>"])
  if (random.chance(0.1) && other !== start)
    return [kept(start), kept(other), ...moves, kept(random.pick(["d", "y", "~", "<Esc>"])), kept("<Esc>")]
  const end = random.chance(0.08) ? `:${random.pick(LINE_EX)}<CR>` : random.pick(VISUAL_ENDS)
  const last = kept(register(random, 0.15) + (end.startsWith(":") ? "" : count(random, 0.15)) + end)
  return /^[csSCRIA]$/.test(end)
    ? [kept(start), ...moves, last, ...carefulTyping(random)]
    : [kept(start), ...moves, last, kept("<Esc>")]
}

const insertCommand = (random: Random): Command => [kept(count(random) + random.pick(INSERTS)), ...typing(random, 4)]

const simpleCommand = (random: Random): Command => [{ keys: register(random) + count(random) + random.pick(SIMPLE) }]

const moveCommand = (random: Random): Command => [{ keys: motion(random) }]

const markCommand = (random: Random): Command => [{ keys: `m${random.pick(["a", "b", "'", "[", "]", "<lt>", ">"])}` }]

const MAKERS: ReadonlyArray<(random: Random) => Command> = [
  operatorCommand,
  operatorCommand,
  operatorCommand,
  operatorCommand,
  simpleCommand,
  simpleCommand,
  simpleCommand,
  insertCommand,
  visualCommand,
  visualCommand,
  visualCommand,
  exCommand,
  exCommand,
  moveCommand,
  moveCommand,
  markCommand
]

const plain = (random: Random): Command => random.pick(MAKERS)(random)

const macro = (random: Random): Command => [
  kept("qm"),
  ...random.times(1, 2, () => plain(random)).flat(),
  kept("q"),
  kept(`${count(random, 0.4)}@m`),
  kept("<Esc>")
]

/** Keys that mean something alone, before another or behind another. */
const LOOSE = Array.from("hjklwbeWBE0^$(){}%;,nN*#xXDYJ~pPu.dcyvVoOiaIAsrftmq@\"'`1234abd><U+-_&|").map((key) =>
  key === "<" ? "<lt>" : key
)
const LOOSE_MORE = ["<Esc>", "<Esc>", "gu", "g~", "gv", "ge", "gJ", "iw", "ap", "<BS>", "<Left>"]

const loose = (random: Random): ReadonlyArray<Command> => [
  [
    ...random.times(3, 14, () => ({ keys: random.chance(0.2) ? random.pick(LOOSE_MORE) : random.pick(LOOSE) })),
    kept("<Esc><Esc>")
  ]
]

/** Vim would go on with what an earlier script did: repeating is for scripts that did something themselves. */
const isFair = (keys: string): boolean => {
  // A count would select again what an earlier script had selected.
  if (/\d(?:v|V|<C-v>)/.test(keys)) return false
  // Where a change with a count fails, keys of insert mode scroll.
  if (/\d(?:C|S|cc)(?:(?!<Esc>)[^])*<C-[uw]>/.test(keys)) return false
  const repeated = keys.search(/&|@@|~(?=[&|<]|$)/)
  const played = keys.search(/@[^m]/)
  if (played >= 0 && !/^[^@]*q[a-z]/.test(keys.slice(0, played))) return false
  return repeated < 0 || /s\/[^:]*<CR>/.test(keys.slice(0, repeated))
}

const draw = (random: Random): Script => {
  const lines = burstText(random)
  const start: Command = [{ keys: `${1 + random.below(lines.length)}G` }, { keys: `${1 + random.below(12)}|` }]
  const body = random.chance(0.16)
    ? loose(random)
    : random.times(1, 4, () => (random.chance(0.06) ? macro(random) : plain(random)))
  return { profile: random.chance(0.7) ? "vim" : "prompt", lines, commands: [start, ...body] }
}

export const burstFrom = (seed: number): Script => {
  const random = randomFrom(seed)
  for (;;) {
    const script = draw(random)
    if (
      isFair(
        script.commands
          .flat()
          .map(({ keys }) => keys)
          .join("")
      )
    )
      return script
  }
}
