/** The engine: one stroke in, the next state and what the application should do out. */
import type { Stroke } from "../../keymap/stroke.ts"
import { actions, visualActions } from "./actions/table.ts"
import { aliases } from "./aliases.ts"
import { noteChange } from "./engine/change-list.ts"
import type { VimCommand } from "./state/command.ts"
import { cancelLine, keepLine, lineStroke, openCommandLine } from "./engine/command-line.ts"
import type { VimContext } from "./state/context.ts"
import { executeTyped } from "./ex/execute.ts"
import { execute, visualNames } from "./execute.ts"
import { insertStroke, leaveInsert } from "./insert/insert.ts"
import { currentCell } from "./engine/motion-request.ts"
import { samePlace } from "../lines.ts"
import { visualOperators } from "./operators/visual-table.ts"
import { type Grammar, parse } from "./parse.ts"
import { type CommandLine, NORMAL, type VimState } from "./state/state.ts"
import { checkJump, clamp, emit, enterMode, fail, type Feed, type Turn, update } from "./engine/running-command.ts"
import { closeStep } from "./engine/undo.ts"

export interface StepResult {
  readonly vim: VimState
  readonly commands: ReadonlyArray<VimCommand>
}

/** Strokes that one key may set off; a macro that calls itself without end stops here. */
const MOST_STROKES = 100_000
/** Macros within macros. */
const MOST_DEPTH = 1000

const NORMAL_GRAMMAR: Grammar = { visual: false, actions, aliases }

const VISUAL_GRAMMAR: Grammar = {
  visual: true,
  actions: new Map<string, { takes?: "char" }>([
    ...visualNames.map((name) => [name, {}] as const),
    ...[...visualOperators.keys()].map((name) => [name, name === "r" ? { takes: "char" as const } : {}] as const),
    ...visualActions
  ]),
  aliases: new Map()
}

const grammarOf = (vim: VimState): Grammar => {
  const grammar = vim.mode.name === "visual" ? VISUAL_GRAMMAR : NORMAL_GRAMMAR
  if (vim.recording === undefined) return grammar
  return { ...grammar, actions: new Map<string, { takes?: "char" }>(grammar.actions).set("q", {}) }
}

const idle = (turn: Turn): Turn => update(turn, { pending: [] })

/** A key that is not a command ends what holds for the next command only. */
const ignored = (turn: Turn): Turn => idle(turn.vim.numbersNext ? update(turn, { numbersNext: false }) : turn)

/** With nothing half typed an unknown key goes to the application; else the command is given up. */
const unknown = (turn: Turn, strokes: ReadonlyArray<Stroke>): Turn => {
  const waited = turn.vim.pending.length > 0
  const last = strokes.at(-1)
  if (waited && last === "<Esc>") return ignored(turn)
  const isPrefixed = strokes.length === 2 && /^(?:[gzZ[\]]|<C-w>)$/.test(strokes[0] ?? "")
  if (waited && !isPrefixed) return fail(ignored(turn))
  const passed = strokes.reduce((at, stroke) => emit(at, { _tag: "Unhandled", stroke }), ignored(turn))
  return turn.played ? { ...passed, failed: last !== "<Esc>" } : passed
}

const isSlash = (stroke: Stroke): boolean => stroke === "/" || stroke === "?"

/** `/` and `?` belong to the application when the prompt is one line long, unless the options say otherwise. */
const handsOver = ({ options, buffer, mode, pending }: VimState, stroke: Stroke): boolean => {
  if (!isSlash(stroke) || mode.name !== "normal" || pending.length > 0 || options.promptSlash === "buffer") return false
  return options.promptSlash === "history" || buffer.count === 1
}

const commandStroke = (turn: Turn, stroke: Stroke): Turn => {
  const { vim } = turn
  if (handsOver(vim, stroke)) return emit(turn, stroke === "/" ? { _tag: "OpenHistorySearch" } : { _tag: "OpenHelp" })
  if (stroke === "<CR>" && vim.mode.name === "normal" && vim.options.submit && vim.pending.length === 0) {
    return turn.played ? { ...turn, failed: true } : emit(turn, { _tag: "Submit" })
  }
  const strokes = [...vim.pending, stroke]
  const parsed = parse(strokes, grammarOf(vim))
  switch (parsed.kind) {
    case "incomplete":
      return update(turn, { pending: strokes })
    case "line":
      return openCommandLine(turn, { prompt: parsed.prompt, text: "", waiting: strokes })
    case "complete":
      return checkJump(clamp(execute(idle(turn), parsed.invocation)))
    case "unknown":
      return unknown(turn, strokes)
  }
}

const enterEx = (turn: Turn, line: CommandLine): Turn => checkJump(clamp(executeTyped(enterMode(turn, NORMAL), line.text)))

/** A search completes the command that waited for it. */
const enterSearch = (turn: Turn, line: CommandLine): Turn => {
  const back = update(enterMode(turn, line.from), { cursor: line.origin })
  const parsed = parse(line.waiting, grammarOf(back.vim), line.text)
  return parsed.kind === "complete" ? checkJump(clamp(execute(back, parsed.invocation))) : fail(back)
}

const lineKey = (turn: Turn, line: CommandLine, stroke: Stroke): Turn => {
  if (line.pending.length > 0 || (stroke !== "<CR>" && stroke !== "<C-j>" && stroke !== "<C-m>")) {
    return lineStroke(turn, line, stroke)
  }
  const kept = keepLine(turn, line)
  return line.prompt === ":" ? enterEx(kept, line) : enterSearch(kept, line)
}

const takeInMode = (turn: Turn, stroke: Stroke): Turn => {
  const { mode } = turn.vim
  if (mode.name === "insert") return checkJump(insertStroke(turn, mode.session, stroke))
  return mode.name === "commandLine" ? lineKey(turn, mode.line, stroke) : commandStroke(turn, stroke)
}

/**
 * Between two commands the wanted column is where the caret is drawn. On a tab that depends on the mode, and a caret
 * that has not moved since, on a line that has not changed, keeps the cell it was drawn on then.
 */
const settleWanted = (turn: Turn): Turn => {
  const { buffer, cursor, drawn, mode, wanted } = turn.vim
  if (wanted !== undefined || mode.name === "insert" || mode.name === "commandLine") return turn
  const text = buffer.at(cursor.line)
  const isKnown = drawn !== undefined && samePlace(drawn.at, cursor) && drawn.text === text
  if (isKnown) return update(turn, { wanted: drawn.cell })
  const cell = currentCell(turn.vim)
  return update(turn, { wanted: cell, drawn: { at: cursor, text, cell } })
}

/** One stroke in whatever mode. */
const take = (turn: Turn, stroke: Stroke): Turn => settleWanted(noteChange(turn, takeInMode(turn, stroke)))

interface Playing {
  readonly feed: Feed
  times: number
  at: number
}

/** Forgets macros that are at their end, so that one that calls itself last never nests. */
const dropFinished = (stack: Array<Playing>): void => {
  for (let top = stack.at(-1); top !== undefined && top.at === top.feed.strokes.length; top = stack.at(-1)) {
    top.at = 0
    if (--top.times > 0 && top.feed.strokes.length > 0) return
    stack.pop()
  }
}

/** Takes a macro's strokes until there are none or something fails. */
const drain = (turn: Turn, feed: Feed): Turn => {
  const stack: Array<Playing> = [{ feed, times: feed.times, at: 0 }]
  let at: Turn = { ...turn, feed: undefined }
  let left = MOST_STROKES
  dropFinished(stack)
  while (!at.failed) {
    const top = stack.at(-1)
    if (top === undefined) return at
    if (left-- === 0 || stack.length > MOST_DEPTH) return fail(at, "E169: Command too recursive")
    at = take(at, top.feed.strokes[top.at++] ?? "")
    dropFinished(stack)
    if (at.feed !== undefined) {
      stack.push({ feed: at.feed, times: at.feed.times, at: 0 })
      at = { ...at, feed: undefined }
      dropFinished(stack)
    }
  }
  return at
}

/** A command that was not finished is given up. */
const settle = (turn: Turn): Turn => {
  const { mode } = turn.vim
  if (mode.name === "insert") return leaveInsert(turn)
  return mode.name === "commandLine" ? cancelLine(turn, mode.line) : idle(turn)
}

const play = (turn: Turn, strokes: ReadonlyArray<Stroke>): Turn => {
  const done = settle(drain({ ...turn, played: true }, { strokes, times: 1 }))
  return { ...done, played: turn.played }
}

/** Typed strokes go into the macro being recorded. */
const recorded = (vim: VimState, stroke: Stroke): VimState =>
  vim.recording === undefined
    ? vim
    : { ...vim, recording: { ...vim.recording, strokes: [...vim.recording.strokes, stroke] } }

export const beginTurn = (vim: VimState, context: VimContext): Turn => ({
  vim,
  context,
  commands: [],
  failed: false,
  feed: undefined,
  played: false,
  inGlobal: false,
  play,
  perform: execute
})

export const step = (vim: VimState, stroke: Stroke, context: VimContext): StepResult => {
  // An arrow in insert mode ends an undo step, though only when the next key is typed.
  const isTyping = vim.mode.name === "insert" ? !vim.mode.session.moved : vim.mode.name === "commandLine"
  const turn = beginTurn(recorded(vim, stroke), context)
  const taken = take(isTyping ? turn : closeStep(turn), stroke)
  const done = taken.feed === undefined ? taken : drain({ ...taken, played: true }, taken.feed)
  return { vim: done.vim, commands: done.commands }
}
