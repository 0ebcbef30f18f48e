/**
 * A second grammar, made apart from the first: editing sessions. What is typed is taken from the text itself (words to
 * search for, characters to find, lines to go to), so that commands succeed more often than by chance.
 */
import { randomFrom } from "../random.ts"
import type { Command, Piece, Script } from "../script.ts"
import { documentFrom } from "./documents.ts"
import { exCommand, exOnRange } from "./ex-lines.ts"
import { counted, MARKS, motion, object } from "./moves.ts"
import { count, piece, readRegister, register, type Session, words } from "./words.ts"

const moveCommand = (session: Session): Command => [piece(counted(session, motion(session)), false)]

/** Text that does no harm when it is typed in normal mode because the command before it failed. */
const TYPED = ["foo", "x", "one two", "bar(", ")", "é", "漢字", "12", "-7", ", ", "the end.", "X", "  ", "🙂", "i", "{a}"]

const typed = ({ random }: Session): Piece => piece(random.pick(TYPED), false)

const INSERT_KEYS: ReadonlyArray<Piece> = [
  { keys: "<BS>" },
  { keys: "<BS>" },
  { keys: "<C-h>" },
  { keys: "<C-w>" },
  { keys: "<C-u>" },
  { keys: "<C-j>" },
  { keys: "<Del>" },
  { keys: "<Left>" },
  { keys: "<Right>" },
  { keys: "<Up>" },
  { keys: "<Down>" },
  { keys: "<Home>" },
  { keys: "<End>" },
  { keys: "<C-x><C-t>", vim: "<C-t>" },
  { keys: "<C-x><C-d>", vim: "<C-d>" },
  { keys: "<Tab>" },
  { keys: "<C-x><C-r>a", vim: "<C-r>a" },
  { keys: '<C-x><C-r>"', vim: '<C-r>"' },
  { keys: "<C-x><C-r>0", vim: "<C-r>0" }
]

const insertion = (session: Session): ReadonlyArray<Piece> => [
  ...session.random.times(0, 5, () => (session.random.chance(0.35) ? session.random.pick(INSERT_KEYS) : typed(session))),
  piece("<Esc>", true)
]

const safeInsertion = (session: Session): ReadonlyArray<Piece> => [
  ...session.random.times(0, 2, () => typed(session)),
  piece("<Esc>", true)
]

const OPERATORS = words("d d d c c y y < > gu gU g~ g? gq")

const doubled = (operator: string): string => (operator.length > 1 ? operator.charAt(1) : operator)

const operatorCommand = (session: Session): Command => {
  const { random } = session
  const operator = random.pick(OPERATORS)
  const force = random.chance(0.06) ? random.pick(["v", "V", "<C-v>"]) : ""
  const asked = random.chance(0.4) ? object(session) : motion(session)
  const operand = operator === "g?" && asked.startsWith("?") ? "w" : asked
  const rest = random.chance(0.2) ? count(session, 0.2) + doubled(operator) : force + counted(session, operand, 0.2)
  const keys = `${register(session)}${count(session, 0.2)}${operator}${rest}`.replace(/^(.*?)<(?![a-zA-Z])/, "$1<lt>")
  const start = piece(keys.replaceAll(/<(?![a-zA-Z-]+>)/g, "<lt>"), true)
  return operator === "c" ? [start, ...safeInsertion(session)] : [start]
}

const SIMPLE = [
  ...words(
    "x x X D Y J gJ ~ p P p P gp gP ]p [p ]P . . . . <C-a> <C-x> ga & g& u u u <C-r> <C-r> g- g+ gv<Esc> gi<Esc> gI<Esc>"
  ),
  ...words("@: <Del>")
]

const simpleCommand = (session: Session): Command => {
  const { random } = session
  if (random.chance(0.12))
    return [piece(`${count(session)}r${random.pick(["z", "é", "(", "<Space>", "漢", "<lt>"])}`, false)]
  const keys = random.pick(
    SIMPLE.filter((each) => (each !== "@:" || session.hasLine) && (!/&/.test(each) || session.hasReplaced))
  )
  const named = /^[g\][]?[pP]$/.test(keys) ? readRegister(session, 0.3) : register(session, 0.1)
  return [piece(`${named}${keys === "<Del>" ? "" : count(session, 0.3)}${keys}`, false)]
}

const INSERTS = words("i a I A o O s R R gI gi i a A o cw")

const insertCommand = (session: Session): Command => {
  session.hasTyped = true
  return [piece(count(session, 0.2) + session.random.pick(INSERTS), true), ...insertion(session)]
}

const VISUAL_ENDS = [
  ...words("d d x y y c s > < ~ u U J gJ p P r I A R S C D X Y gq g? g~ gu gU <C-a> <C-x> g<C-a> g<C-x> <Esc> : &"),
  ...words("d c y I A")
]

const visualStep = (session: Session): Piece => {
  const { random } = session
  const shape = random.below(10)
  if (shape < 3) return piece(count(session, 0.2) + object(session), false)
  if (shape === 3) return piece(random.pick(["o", "O"]), false)
  if (shape === 4) return piece("$", false)
  return piece(counted(session, motion(session), 0.2), false)
}

const visualStart = (session: Session): Piece => {
  const { random, hasSelected } = session
  session.hasSelected = true
  if (hasSelected && random.chance(0.06)) return piece("gv", true)
  if (session.hasOperated && random.chance(0.06)) return piece("2v", true)
  const keys = random.pick(["v", "v", "V", "<C-v>", "<C-v>", "gb"])
  return piece(keys, true, keys === "gb" ? "<C-v>" : undefined)
}

const visualEnd = (session: Session): ReadonlyArray<Piece> => {
  const { random } = session
  const keys = random.pick(VISUAL_ENDS.filter((each) => each !== "&" || session.hasReplaced))
  if (keys !== "<Esc>" && keys !== "&") session.hasOperated = true
  if (keys === "r") return [piece(`r${random.pick(["z", "é", "<Space>"])}`, true)]
  if (keys === ":") return [piece(`:${exOnRange(session)}<CR>`, true)]
  const named = /^[pP]$/.test(keys) ? readRegister(session, 0.4) : register(session, 0.2)
  const start = piece(`${named}${/^[<>J~pP]|C-/.test(keys) ? count(session, 0.3) : ""}${keys === "<" ? "<lt>" : keys}`, true)
  // A selection that a failed command left is given up.
  const last = piece("<Esc>", true)
  return /^[csSCRIA]$/.test(keys) ? [start, ...safeInsertion(session)] : [start, last]
}

const visualCommand = (session: Session): Command => [
  visualStart(session),
  ...session.random.times(0, 3, () => visualStep(session)),
  ...visualEnd(session)
]

const markCommand = ({ random }: Session): Command => [
  piece(`m${random.pick([...MARKS, "'", "[", "]", "<lt>", ">"])}`, false)
]

const undoChain = ({ random }: Session): Command => {
  const steps = random.times(1, 4, () => random.pick(["u", "u", "<C-r>", "g-", "g+", "2u", "2g-", "3g+", "2<C-r>"]))
  return steps.map((keys) => piece(keys, false))
}

type Maker = (session: Session) => Command

const PLAIN: ReadonlyArray<Maker> = [
  moveCommand,
  moveCommand,
  moveCommand,
  operatorCommand,
  operatorCommand,
  operatorCommand,
  simpleCommand,
  simpleCommand,
  simpleCommand,
  insertCommand,
  insertCommand,
  visualCommand,
  visualCommand,
  visualCommand,
  exCommand,
  exCommand,
  markCommand,
  undoChain
]

const plain = (session: Session): Command => session.random.pick(PLAIN)(session)

/** Recorded, and run again with a count; Escape ends what a failed macro left half done. */
const macroCommand = (session: Session): Command => {
  const { random } = session
  const name = random.pick(["m", "n"])
  const body = random.times(1, 4, () => plain(session)).flat()
  const again = random.chance(0.3) ? [piece(`${count(session)}@@`, false), piece("<Esc>", true)] : []
  return [
    piece(`q${name}`, true),
    ...body,
    piece("q", true),
    piece(`${count(session, 0.4)}@${name}`, true),
    piece("<Esc>", true),
    ...again
  ]
}

const command = (session: Session): Command => (session.random.chance(0.06) ? macroCommand(session) : plain(session))

export const sessionFrom = (seed: number): Script => {
  const random = randomFrom(seed)
  const lines = documentFrom(random)
  const session: Session = {
    random,
    lines,
    hasSelected: false,
    hasOperated: false,
    hasReplaced: false,
    hasLine: false,
    hasTyped: false
  }
  const start: Command = [
    piece(`${1 + random.below(lines.length)}G`, false),
    piece(`${1 + random.below(Math.max(1, random.pick(lines).length))}|`, false)
  ]
  const commands = random.times(2, random.chance(0.3) ? 16 : 7, () => command(session))
  return { profile: random.chance(0.6) ? "vim" : "prompt", lines, commands: [start, ...commands], stepwise: true }
}
