/** Scripts from a seed: whole commands as a user types them, over the vocabulary without the accepted deviations. */
import { isDeviant, isExcluded } from "./deviations.ts"
import { type Random, randomFrom } from "./random.ts"
import { type Command, keysOf, type Piece, type Script } from "./script.ts"
import { textFrom } from "./texts.ts"
import { AS_IN_VIM, type Kind, VOCABULARY } from "./vocabulary.ts"

interface Grammar {
  readonly random: Random
  readonly word: (kind: Kind) => string
  /** Has a command been given that `&`, `@:` and `@@` can repeat? Vim itself remembers it from earlier scripts. */
  readonly done: Set<"substitution" | "macro">
}

const spelled = (keys: string): Piece => {
  const vim = AS_IN_VIM[keys]
  return vim === undefined ? { keys } : { keys, vim }
}

const fixed = (piece: Piece): Piece => ({ ...piece, keep: true })

const count = ({ random }: Grammar): ReadonlyArray<Piece> =>
  random.chance(0.22) ? [{ keys: String(random.chance(0.1) ? 10 + random.below(4) : 2 + random.below(3)) }] : []

const register = ({ random, word }: Grammar): ReadonlyArray<Piece> =>
  random.chance(0.25) ? [{ keys: `"${word("register")}` }] : []

const searchKeys = ({ random, word }: Grammar): string => {
  const direction = random.pick(["/", "/", "?"])
  const offset = random.chance(0.15) ? word("offset").replace("/", direction) : ""
  return `${direction}${word("pattern")}${offset}<CR>`
}

const motion = (grammar: Grammar): Piece => {
  const { random, word } = grammar
  if (random.chance(0.12)) return { keys: word("find") + word("target") }
  if (random.chance(0.06)) return { keys: word("markJump") }
  if (random.chance(0.05)) return { keys: searchKeys(grammar) }
  return { keys: word("motion") }
}

/** A count and its motion. After a count `0` would be a digit of it. */
const countedMotion = (grammar: Grammar, make: (grammar: Grammar) => Piece): ReadonlyArray<Piece> => {
  const piece = make(grammar)
  return [...(piece.keys === "0" ? [] : count(grammar)), piece]
}

const pendingMotion = (grammar: Grammar): Piece =>
  grammar.random.chance(0.04) ? { keys: grammar.word("pendingMotion") } : motion(grammar)

const object = ({ random, word }: Grammar): Piece => ({ keys: random.pick(["i", "a"]) + word("object") })

const insertPiece = ({ random, word }: Grammar): Piece => {
  if (random.chance(0.3)) return spelled(word("insertKey"))
  if (random.chance(0.08)) return { keys: word("insertMotion") }
  return random.chance(0.06) ? spelled(word("insertRegister")) : { keys: word("typed") }
}

/** What is typed in insert mode and the key that leaves it. */
const insertion = (grammar: Grammar): ReadonlyArray<Piece> => [
  ...grammar.random.times(0, 4, () => insertPiece(grammar)),
  fixed({ keys: "<Esc>" })
]

/** In a block all of it but the keys for the indent. */
const blockInsertion = (grammar: Grammar): ReadonlyArray<Piece> =>
  insertion(grammar).filter(({ keys }) => !isExcluded(`block:${keys}`))

/** The same after a command that may fail: keys that are harmless in normal mode as well. */
const cautiousInsertion = ({ random, word }: Grammar): ReadonlyArray<Piece> => [
  ...random.times(0, 3, () => ({ keys: random.chance(0.15) ? "<BS>" : word("typed") })),
  fixed({ keys: "<Esc>" })
]

const doubled = (operator: string): string => {
  if (operator === "J" || operator === "gJ") return ""
  return operator.startsWith("g") ? operator.slice(1) : operator
}

/** A search back behind `g?` would begin with its doubled key: the operator would take the line, not the search. */
const operatorMotion = (grammar: Grammar, operator: string): Piece => {
  const piece = pendingMotion(grammar)
  return operator.endsWith("?") && piece.keys.startsWith("?") ? { keys: grammar.word("motion") } : piece
}

const operatorCommand = (grammar: Grammar): Command => {
  const { random, word } = grammar
  const operator = word("operator")
  const start = [...register(grammar), ...count(grammar)]
  if (doubled(operator) === "") return [...start, { keys: operator }]
  const force = random.chance(0.05) ? word("force") : ""
  const rest = random.chance(0.2)
    ? [{ keys: operator + doubled(operator), keep: true } as const]
    : [
        { keys: operator + force, keep: true } as const,
        ...countedMotion(grammar, () => fixed(random.chance(0.35) ? object(grammar) : operatorMotion(grammar, operator)))
      ]
  return operator === "c" ? [...start, ...rest, ...cautiousInsertion(grammar)] : [...start, ...rest]
}

const simpleCommand = (grammar: Grammar): Command => {
  const { random, word, done } = grammar
  if (random.chance(0.1)) return [...count(grammar), { keys: `r${word("replaceWith")}` }]
  const keys = word("simple")
  if (keys.endsWith("&") && !done.has("substitution")) return substitution(grammar, "")
  return [...register(grammar), ...count(grammar), { keys }]
}

const insertCommand = (grammar: Grammar): Command => {
  const start = grammar.word("insertStart")
  const named = /^[sSCc]/.test(start) ? register(grammar) : []
  return [...named, ...count(grammar), fixed({ keys: start }), ...insertion(grammar)]
}

const substitution = (grammar: Grammar, range: string): Command => {
  const { random, word, done } = grammar
  done.add("substitution")
  const pattern = random.chance(0.1) ? "" : word("pattern")
  const flags = random.chance(0.5) ? word("substituteFlag") : ""
  return [{ keys: `:${range}s/${pattern}/${word("replacement")}/${flags}<CR>` }]
}

const exCommand = (grammar: Grammar): Command => {
  const { random, word, done } = grammar
  if (done.has("substitution") && random.chance(0.2)) return [...count(grammar), { keys: "@:" }]
  return substitution(grammar, random.chance(0.6) ? word("range") : "")
}

const visualStep = (grammar: Grammar): Piece => {
  const { random, word } = grammar
  if (random.chance(0.2)) return object(grammar)
  if (random.chance(0.1)) return { keys: word("visualSwap") }
  const { keys } = pendingMotion(grammar)
  return { keys: keys !== "0" && random.chance(0.15) ? `${2 + random.below(2)}${keys}` : keys }
}

const visualEnd = (grammar: Grammar, isBlock: boolean): ReadonlyArray<Piece> => {
  const { random, word } = grammar
  if (random.chance(0.06)) return [fixed({ keys: "<Esc>" })]
  if (random.chance(0.04)) return substitution(grammar, "").map(fixed)
  const operator = isBlock && random.chance(0.15) ? word("blockOperator") : word("visualOperator")
  if (operator === "r") return [fixed({ keys: `r${word("replaceWith")}` })]
  const counted = /^[<>J~pP]|^<C/.test(operator) ? count(grammar) : []
  const start = [...register(grammar), ...counted, fixed({ keys: operator })]
  if (operator === "&") return [...start, fixed({ keys: "<Esc>" })]
  if (isBlock && /^[cIA]$/.test(operator)) return [...start, ...blockInsertion(grammar)]
  return /^[cCsSRIA]$/.test(operator) ? [...start, ...cautiousInsertion(grammar)] : start
}

/** From one shape to another; the same key twice would end visual mode. */
const visualStart = ({ random, word }: Grammar): ReadonlyArray<Piece> => {
  const first = spelled(word("visualStart"))
  const second = spelled(word("visualStart"))
  const isOther = (first.vim ?? first.keys) !== (second.vim ?? second.keys)
  return random.chance(0.15) && isOther ? [fixed(first), second] : [fixed(first)]
}

/** A text object may turn a block into characters or lines. */
const staysBlock = (pieces: ReadonlyArray<Piece>): boolean =>
  pieces.every(({ keys }) => !/^[ia]|^[vV]$/.test(keys)) && /<C-v>|gb/.test(pieces.map(({ keys }) => keys).join(""))

const visualCommand = (grammar: Grammar): Command => {
  const moved = [...visualStart(grammar), ...grammar.random.times(0, 3, () => visualStep(grammar))]
  return [...moved, ...visualEnd(grammar, staysBlock(moved))]
}

const markCommand = ({ word }: Grammar): Command => [{ keys: `m${word("mark")}` }]

const motionCommand = (grammar: Grammar): Command => countedMotion(grammar, motion)

const searchCommand = (grammar: Grammar): Command => [...count(grammar), { keys: searchKeys(grammar) }]

const PLAIN: ReadonlyArray<(grammar: Grammar) => Command> = [
  motionCommand,
  motionCommand,
  motionCommand,
  operatorCommand,
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
  markCommand,
  searchCommand,
  exCommand
]

const plainCommand = (grammar: Grammar): Command => grammar.random.pick(PLAIN)(grammar)

/** A macro that failed may leave visual mode on; Escape makes sure that what follows is typed in normal mode. */
const afterMacro: Piece = { keys: "<Esc>", keep: true }

/** Macros have registers of their own, so that no text is ever run as keys. */
const macroCommand = (grammar: Grammar): Command => {
  const { random, done } = grammar
  if (done.has("macro") && random.chance(0.3)) return [...count(grammar), fixed({ keys: "@@" }), afterMacro]
  done.add("macro")
  const name = random.pick(["m", "n"])
  const body = random.times(1, 3, () => plainCommand(grammar)).flat()
  const record = [fixed({ keys: `q${name}` }), ...body, fixed({ keys: "q" })]
  return [...record, ...count(grammar), fixed({ keys: `@${name}` }), afterMacro]
}

/** Some scripts end in insert or visual mode, so that these modes are compared as well. */
const cutOpen = (grammar: Grammar, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const last = commands.at(-1) ?? []
  const isOpenable = last.at(-1)?.keys === "<Esc>" && last.at(-1) !== afterMacro
  return isOpenable && grammar.random.chance(0.3) ? [...commands.slice(0, -1), last.slice(0, -1)] : commands
}

const startAt = (random: Random, lines: ReadonlyArray<string>): Command => {
  const line = random.below(lines.length)
  const column = random.below(Math.max(1, lines[line]?.length ?? 0))
  return [...(line > 0 ? [{ keys: `${line}j` }] : []), ...(column > 0 ? [{ keys: `${column}l` }] : [])]
}

const drawScript = (random: Random): Script => {
  const word = (kind: Kind): string => {
    const words: ReadonlyArray<string> = VOCABULARY[kind]
    return random.pick(words.filter((keys) => !isExcluded(`${kind}:${keys}`)))
  }
  const grammar: Grammar = { random, word, done: new Set() }
  const lines = textFrom(random, isExcluded)
  const commands = random.times(1, random.chance(0.2) ? 10 : 5, () =>
    random.chance(0.05) ? macroCommand(grammar) : plainCommand(grammar)
  )
  return {
    profile: random.chance(0.5) ? "vim" : "prompt",
    lines,
    commands: [startAt(random, lines), ...cutOpen(grammar, commands)]
  }
}

export const scriptFrom = (seed: number): Script => {
  const random = randomFrom(seed)
  for (;;) {
    const script = drawScript(random)
    if (!isDeviant(keysOf(script))) return script
  }
}
