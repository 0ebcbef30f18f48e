/** The line below the text: `:`, `/` and `?`. */
import type { Stroke } from "../../../keymap/stroke.ts"
import { charClass } from "../text/char-class.ts"
import { clusterAt, isBlank, nextColumn, previousColumn } from "../../clusters.ts"
import { isReadable } from "../state/register.ts"
import { readNamed } from "./register-read.ts"
import { type CommandLine, NORMAL } from "../state/state.ts"
import { emit, enterMode, fail, remember, type Turn, update } from "./running-command.ts"

const MOST_LINES = 200

export const openCommandLine = (
  turn: Turn,
  rule: { readonly prompt: CommandLine["prompt"]; readonly text: string; readonly waiting: ReadonlyArray<Stroke> }
): Turn => {
  const { mode, cursor } = turn.vim
  const line: CommandLine = {
    prompt: rule.prompt,
    text: rule.text,
    caret: rule.text.length,
    from: mode.name === "visual" ? mode : NORMAL,
    waiting: rule.waiting,
    origin: cursor,
    recalled: 0,
    draft: rule.text,
    pending: []
  }
  return update(enterMode(turn, { name: "commandLine", line }), { pending: [] })
}

export const cancelLine = (turn: Turn, line: CommandLine): Turn =>
  update(enterMode(turn, line.prompt === ":" ? NORMAL : line.from), { cursor: line.origin, pending: [] })

const set = (turn: Turn, line: CommandLine, part: Partial<CommandLine>): Turn =>
  enterMode(turn, { name: "commandLine", line: { ...line, ...part } })

const insert = (turn: Turn, line: CommandLine, text: string): Turn =>
  set(turn, line, {
    text: line.text.slice(0, line.caret) + text + line.text.slice(line.caret),
    caret: line.caret + text.length,
    pending: []
  })

const removeTo = (turn: Turn, line: CommandLine, from: number): Turn =>
  set(turn, line, { text: line.text.slice(0, from) + line.text.slice(line.caret), caret: from })

const wordStart = (text: string, caret: number): number => {
  let at = caret
  const before = (): string => clusterAt(text, previousColumn(text, at))
  while (at > 0 && isBlank(before())) at = previousColumn(text, at)
  const kind = at > 0 ? charClass(before(), false) : 0
  while (at > 0 && charClass(before(), false) === kind) at = previousColumn(text, at)
  return at
}

const historyOf = (turn: Turn, line: CommandLine): ReadonlyArray<string> =>
  line.prompt === ":" ? turn.vim.memory.exLines : turn.vim.memory.searches

/** Recalls an older or newer line that begins like the one being typed. */
const recall = (turn: Turn, line: CommandLine, by: 1 | -1): Turn => {
  const entries = historyOf(turn, line)
  const draft = line.recalled === 0 ? line.text : line.draft
  for (let at = line.recalled + by; at >= 0 && at <= entries.length; at += by) {
    const text = at === 0 ? draft : (entries[entries.length - at] ?? "")
    if (text.startsWith(draft)) return set(turn, line, { text, caret: text.length, recalled: at, draft })
  }
  return fail(turn)
}

/** Keeps an entered line, newest last, each once. */
export const keepLine = (turn: Turn, line: CommandLine): Turn => {
  if (line.text === "") return turn
  const kept = [...historyOf(turn, line).filter((entry) => entry !== line.text), line.text].slice(-MOST_LINES)
  return remember(turn, line.prompt === ":" ? { exLines: kept } : { searches: kept })
}

type LineKey = (turn: Turn, line: CommandLine) => Turn

const KEYS: Readonly<Record<string, LineKey>> = {
  "<BS>": (turn, line) =>
    line.text === "" ? cancelLine(turn, line) : removeTo(turn, line, previousColumn(line.text, line.caret)),
  "<C-h>": (turn, line) =>
    line.text === "" ? cancelLine(turn, line) : removeTo(turn, line, previousColumn(line.text, line.caret)),
  "<Del>": (turn, line) =>
    set(turn, line, { text: line.text.slice(0, line.caret) + line.text.slice(nextColumn(line.text, line.caret)) }),
  "<C-w>": (turn, line) => removeTo(turn, line, wordStart(line.text, line.caret)),
  "<C-u>": (turn, line) => removeTo(turn, line, 0),
  "<Left>": (turn, line) => set(turn, line, { caret: previousColumn(line.text, line.caret) }),
  "<Right>": (turn, line) => set(turn, line, { caret: nextColumn(line.text, line.caret) }),
  "<Home>": (turn, line) => set(turn, line, { caret: 0 }),
  "<C-b>": (turn, line) => set(turn, line, { caret: 0 }),
  "<End>": (turn, line) => set(turn, line, { caret: line.text.length }),
  "<C-e>": (turn, line) => set(turn, line, { caret: line.text.length }),
  "<Up>": (turn, line) => recall(turn, line, 1),
  "<C-p>": (turn, line) => recall(turn, line, 1),
  "<Down>": (turn, line) => recall(turn, line, -1),
  "<C-n>": (turn, line) => recall(turn, line, -1),
  "<C-r>": (turn, line) => set(turn, line, { pending: ["<C-r>"] }),
  "<Esc>": cancelLine,
  "<C-[>": cancelLine,
  "<C-c>": cancelLine,
  "<Tab>": (turn) => emit(turn, { _tag: "Unhandled", stroke: "<Tab>" })
}

const insertRegister = (turn: Turn, line: CommandLine, name: Stroke): Turn => {
  const text = isReadable(name) ? readNamed(turn, name) : undefined
  return insert(turn, line, text?.lines.join("\n") ?? "")
}

/** Every key of the line but Enter, which the engine takes itself. */
export const lineStroke = (turn: Turn, line: CommandLine, stroke: Stroke): Turn => {
  if (line.pending.length > 0) return insertRegister(turn, line, stroke)
  const key = KEYS[stroke]
  if (key !== undefined) return key(turn, line)
  const isText = stroke.length === 1 || !/^<.+>$/.test(stroke)
  return isText ? insert(turn, line, stroke) : emit(turn, { _tag: "Unhandled", stroke })
}
