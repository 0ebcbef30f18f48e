/**
 * A fourth grammar: rounds of a change and of what looks back at it. After each change comes a repetition, an undo, a
 * selection again, a jump to a mark, or an ex line whose range is made of marks and patterns; registers are appended
 * to, and a macro may call itself. Compared after every command.
 */
import { randomFrom, type Random } from "../random.ts"
import type { Command, Script } from "../script.ts"
import {
  ADDRESSES,
  CHANGES,
  CHANGES_WITHIN,
  LINE_EX,
  LOOKS_BACK,
  PATTERNS,
  PLACES,
  raggedText,
  SELECTIONS,
  SEPARATORS,
  SORTS,
  STEPS,
  TIMES,
  VISUAL_ENDS,
  words
} from "./words.ts"

const whole = (keys: string): Command => [{ keys, keep: true }]

const move = (random: Random): string =>
  random.pick([
    `${1 + random.below(5)}G`,
    `${1 + random.below(9)}|`,
    ...words("j k w b e $ 0 ^ gg G l h 2j n N * # ) } fa ta %")
  ])

const search = (random: Random): Command => whole(`${random.pick(["/", "?"])}${random.pick(PATTERNS)}<CR>`)

const mark = (random: Random): Command => whole(`m${random.pick(["a", "b"])}`)

const change = (random: Random): Command => {
  const register = random.chance(0.15) ? random.pick(['"a', '"A', '"b', '"_']) : ""
  return whole(register + random.pick(CHANGES))
}

/** A selection that grows in steps, then one of everything that can be done with one. */
const select = (random: Random): Command => {
  const steps = random.times(1, 3, () => ({ keys: random.pick(STEPS) }))
  return [{ keys: random.pick(SELECTIONS), keep: true }, ...steps, { keys: `${random.pick(VISUAL_ENDS)}<Esc>`, keep: true }]
}

/** The same again elsewhere. */
const selectAndRepeat = (random: Random): Command => [
  ...select(random),
  { keys: move(random) },
  { keys: random.pick([".", "gv", "2."]), keep: true },
  { keys: `${random.pick(["", "", "d", "~"])}<Esc>`, keep: true }
]

const range = (random: Random): string => {
  const shape = random.below(6)
  if (shape === 0) return ""
  if (shape === 1) return "%"
  if (shape < 4) return random.pick(ADDRESSES)
  // Never backwards: vim would ask a user.
  const [separator, address] = [random.pick(SEPARATORS), random.pick(PLACES)]
  return shape === 4 ? `1${separator}${address}` : `${address}${separator}$`
}

const exLine = (random: Random): Command => {
  const shape = random.below(8)
  if (shape === 0) return whole(`:${range(random)}sor${random.pick(SORTS)}<CR>`)
  if (shape === 1) return whole(`:${random.pick(TIMES)}<CR>`)
  if (shape === 2) return whole(`:${random.pick(["g", "v", "g!"])}/${random.pick(PATTERNS)}/${random.pick(LINE_EX)}<CR>`)
  if (shape === 3) return whole(`:${range(random)}${random.pick(LINE_EX)}|${random.pick(LINE_EX)}<CR>`)
  return whole(`:${range(random)}${random.pick(LINE_EX)}<CR>`)
}

const lookBack = (random: Random): Command => whole(`${random.pick(LOOKS_BACK)}<Esc>`)

const PLAIN: ReadonlyArray<(random: Random) => Command> = [
  change,
  change,
  change,
  select,
  select,
  selectAndRepeat,
  selectAndRepeat,
  exLine,
  exLine,
  lookBack,
  lookBack,
  lookBack,
  lookBack,
  (random) => [{ keys: move(random) }],
  search,
  mark
]

const plain = (random: Random): Command => random.pick(PLAIN)(random)

/** A macro; one that runs itself adds no lines and goes down, so that it comes to its end. */
const macro = (random: Random): Command => {
  const isRecursive = random.chance(0.3)
  const body = isRecursive ? whole(random.pick(CHANGES_WITHIN)) : random.times(1, 2, () => change(random)).flat()
  const step = isRecursive ? "j@q" : random.pick(["j", "w", "n", "2l", ""])
  const run = random.pick(["@q", "2@q", "3@q"])
  return [
    { keys: "qqq", keep: true },
    { keys: "qq", keep: true },
    ...body,
    { keys: `${step}q`, keep: true },
    { keys: `${run}<Esc>`, keep: true }
  ]
}

/** Adding to a macro after it was recorded. */
const longerMacro = (random: Random): Command => [
  ...macro(random),
  { keys: `qQ${random.pick(["x", "j", "~", "."])}q`, keep: true },
  { keys: "@q<Esc>", keep: true }
]

const command = (random: Random): Command => {
  if (random.chance(0.05)) return macro(random)
  return random.chance(0.02) ? longerMacro(random) : plain(random)
}

/** Before vim can repeat something that an earlier script did, this one has to do it itself. */
const START: Command = whole(":s/\\d/&/e<CR>")

/** Escape and a bracket in a row begin the code of a function key in a terminal. */
const isFair = (keys: string): boolean => !/<Esc>[[O]/.test(keys)

const draw = (random: Random): Script => {
  const lines = raggedText(random)
  const commands = random.times(2, random.chance(0.25) ? 12 : 6, () => command(random))
  const start: Command = [{ keys: `${1 + random.below(lines.length)}G` }, { keys: `${1 + random.below(10)}|` }]
  return { profile: random.chance(0.6) ? "vim" : "prompt", lines, commands: [START, start, ...commands], stepwise: true }
}

export const roundFrom = (seed: number): Script => {
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
