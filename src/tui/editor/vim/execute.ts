/** Doing a complete command: moving, operating on a region, or one of the other actions. */
import type { Shape } from "../selection.ts"
import { actions, visualActions } from "./actions/table.ts"
import { columnAtCell, firstNonBlank, lastColumn } from "../clusters.ts"
import type { Invocation, Operand } from "./state/invocation.ts"
import { motionRequest } from "./engine/motion-request.ts"
import type { Target } from "./motions/motion.ts"
import { readSearch } from "./motions/searches.ts"
import { motions } from "./motions/table.ts"
import { samePlace } from "../lines.ts"
import { type Selected } from "./objects/object.ts"
import { jumpingObjects, textObjects } from "./objects/table.ts"
import type { Operator } from "./operators/operator.ts"
import { operators } from "./operators/table.ts"
import { visualOperators } from "./operators/visual-table.ts"
import { type Ends, regionBetween, regionOfSize, type Region, sizeOf, visualRegion } from "./engine/region.ts"
import { noteRegister } from "./state/register.ts"
import { selectMatch } from "./engine/select-match.ts"
import { type Find, NORMAL } from "./state/state.ts"
import {
  bytePlace,
  clamp,
  emit,
  enterMode,
  fail,
  lineAt,
  moveTo,
  noteJump,
  remember,
  showMessage,
  type Turn,
  update
} from "./engine/running-command.ts"
import { keepSelection, rememberSize } from "./engine/visual.ts"

type MotionOperand = Extract<Operand, { kind: "motion" }>

const noteTarget = (turn: Turn, target: Target): Turn => {
  const found = target.find === undefined ? turn : remember(turn, { find: target.find })
  const searched =
    target.search === undefined
      ? found
      : update(remember(found, { search: target.search, highlight: true }), {
          registers: noteRegister(found.vim.registers, "/", target.search.pattern)
        })
  return target.message === undefined ? searched : showMessage(searched, target.message)
}

const isFindKey = (name: string): name is Find["key"] => /^[fFtT]$/.test(name)

/** A search that found nothing is still the last search; some motions forget the wanted column even then. */
const noteFailedSearch = (asked: Turn, operand: MotionOperand): Turn => {
  const turn = motions.get(operand.name)?.resets === true ? update(asked, { wanted: undefined }) : asked
  if (isFindKey(operand.name)) return fail(remember(turn, { find: { key: operand.name, char: operand.argument } }))
  if (operand.name === "'" || operand.name === "`") return fail(turn, "E20: Mark not set")
  if (operand.name !== "/" && operand.name !== "?") return fail(turn)
  const search = readSearch(operand.argument, operand.name === "?", turn.vim.memory.search)?.search
  if (search === undefined) return fail(turn, "E35: No previous regular expression")
  const { pattern } = search
  const noted = update(remember(turn, { search }), { registers: noteRegister(turn.vim.registers, "/", pattern) })
  return fail(noted, `E486: Pattern not found: ${pattern}`)
}

const jumpFrom = (turn: Turn, name: string): Turn => (motions.get(name)?.jump === true ? noteJump(turn) : turn)

interface Asked {
  readonly count: number | undefined
  readonly operator?: string
}

const runMotion = (turn: Turn, operand: MotionOperand, rule: Asked): Target | undefined =>
  motions
    .get(operand.name)
    ?.run(turn.vim.buffer, turn.vim.cursor, motionRequest(turn, { ...rule, argument: operand.argument }))

/** `j` and `k` that find no line recall history instead. */
const leaveBuffer = (turn: Turn, name: string, count: number): Turn | undefined => {
  if (!turn.vim.options.recall || turn.vim.mode.name !== "normal") return undefined
  if (name === "j" || name === "<Down>" || name === "<C-n>") return emit(turn, { _tag: "HistoryNewer", count })
  return name === "k" || name === "<Up>" || name === "<C-p>" ? emit(turn, { _tag: "HistoryOlder", count }) : undefined
}

const shapeAfter = (shape: Shape, selected: Selected): Shape => {
  if (selected.short === true) return shape
  if (selected.shape !== undefined) return selected.shape === "keep" ? shape : selected.shape
  if (selected.extent === "line") return "line"
  return shape === "line" ? "char" : shape
}

/** The steps of some objects are jumps; only the last two places matter. */
const noteJumps = (turn: Turn, { jumps = [] }: Selected): Turn => {
  const { cursor } = turn.vim
  const jumped = jumps.slice(-2).reduce((at, from) => noteJump(update(at, { cursor: from })), turn)
  return update(jumped, { cursor })
}

const selectObject = (asked: Turn, name: string, count: number): Turn => {
  const { mode, cursor, buffer } = asked.vim
  if (mode.name !== "visual") return fail(asked)
  const jumps = jumpingObjects.has(name.slice(1)) && samePlace(mode.anchor, cursor)
  const turn = jumps ? noteJump(asked) : asked
  const around = name.startsWith("a")
  const request = { count, around, anchor: mode.anchor, shape: mode.shape }
  const selected = textObjects.get(name.slice(1))?.(buffer, cursor, request)
  if (selected === undefined) return fail(update(turn, { wanted: undefined }))
  const shape = shapeAfter(mode.shape, selected)
  const jumped = noteJumps(turn, selected)
  const grown = clamp(moveTo(enterMode(jumped, { name: "visual", shape, anchor: selected.start }), selected.end))
  return selected.short === true ? fail(grown) : grown
}

const move = (turn: Turn, invocation: Invocation): Turn => {
  const { operand, count } = invocation
  if (operand?.kind === "object") return selectObject(turn, operand.name, count ?? 1)
  if (operand?.kind === "match") return selectMatch(turn, { ...operand, count: count ?? 1 })
  if (operand?.kind !== "motion") return fail(turn)
  const target = runMotion(turn, operand, { count })
  if (target === undefined) return leaveBuffer(turn, operand.name, count ?? 1) ?? noteFailedSearch(turn, operand)
  const stays = target.short === true && samePlace(target.position, turn.vim.cursor)
  const keeps = stays && motions.get(operand.name)?.resets !== true
  const wanted = target.wanted ?? (keeps ? turn.vim.wanted : undefined)
  const moved = moveTo(noteTarget(jumpFrom(turn, operand.name), target), target.position, wanted)
  return clamp(target.short === true ? fail(moved) : moved)
}

/** Where the column for moving up and down falls on a line. */
const columnWanted = (turn: Turn, line: number): number => {
  const { wanted } = motionRequest(turn, { count: undefined, argument: "" })
  const text = lineAt(turn, line)
  const last = lastColumn(text)
  return wanted === Infinity ? last : Math.min(columnAtCell(text, wanted, turn.vim.options.tabstop), last)
}

/** Whole lines from the caret's line on. */
const endsOfLines = (turn: Turn, invocation: Invocation): Ends | undefined => {
  const { cursor, buffer } = turn.vim
  const more = (invocation.count ?? 1) - 1
  if (more > 0 && cursor.line === buffer.count - 1) return undefined
  const line = Math.min(cursor.line + more, buffer.count - 1)
  const text = lineAt(turn, line)
  if (invocation.name !== "y") return { from: cursor, to: { line, column: firstNonBlank(text) }, extent: "line" }
  // A yank goes down and keeps its column, which may be another than the caret's after an undo.
  return { from: cursor, to: { line, column: columnWanted(turn, line) }, extent: "line" }
}

interface Resolved {
  readonly turn: Turn
  readonly ends: Ends | undefined
}

const resolveMotion = (turn: Turn, operand: MotionOperand, invocation: Invocation): Resolved => {
  const target = runMotion(turn, operand, { count: invocation.count, operator: invocation.name })
  if (target === undefined) {
    const failed = noteFailedSearch(turn, operand)
    return { turn: operand.name === "`" ? update(failed, { numbersNext: true }) : failed, ends: undefined }
  }
  if (target.short === true) {
    return { turn: fail(moveTo(noteTarget(turn, target), target.position, target.wanted)), ends: undefined }
  }
  const { position, extent, exact } = target
  // A block sees the column that `g_` only asked for on its way.
  const wanted = operand.name === "g_" ? Infinity : target.wanted
  const numbered = target.numbered ?? motions.get(operand.name)?.numbered ?? false
  const from = target.from ?? turn.vim.cursor
  const noted = noteTarget(jumpFrom(turn, operand.name), target)
  return { turn: noted, ends: { from, to: position, extent, numbered, wanted, exact: exact ?? false } }
}

const resolve = (turn: Turn, invocation: Invocation): Resolved => {
  const { operand } = invocation
  if (operand === undefined) return { turn, ends: undefined }
  if (operand.kind === "lines") {
    const ends = endsOfLines(turn, invocation)
    return { turn: ends === undefined ? fail(turn) : turn, ends }
  }
  if (operand.kind === "motion") return resolveMotion(turn, operand, invocation)
  if (operand.kind === "match") return { turn, ends: undefined }
  return resolveObject(jumpingObjects.has(operand.name.slice(1)) ? noteJump(turn) : turn, operand.name, invocation)
}

const resolveObject = (turn: Turn, name: string, invocation: Invocation): Resolved => {
  const { count } = invocation
  const around = name.startsWith("a")
  const object = textObjects.get(name.slice(1))
  const selected = object?.(turn.vim.buffer, turn.vim.cursor, { count: count ?? 1, around, anchor: undefined })
  if (selected === undefined) return { turn: fail(update(turn, { wanted: undefined })), ends: undefined }
  if (selected.short === true) return { turn: fail(moveTo(turn, selected.end)), ends: undefined }
  const { end, extent, exact = false } = selected
  const to = { line: end.line, column: Math.min(end.column, lastColumn(lineAt(turn, end.line))) }
  return { turn: noteJumps(turn, selected), ends: { from: selected.start, to, extent, exact } }
}

const operate = (turn: Turn, region: Region, rule: { operator: Operator; invocation: Invocation }): Turn => {
  const { operator, invocation } = rule
  const ready = operator.reads === true ? turn : remember(turn, { repeat: { invocation, strokes: [] } })
  return operator.run(operator.staysAtCaret === true ? ready : moveTo(ready, region.start), region, invocation)
}

const runOperator = (asked: Turn, operator: Operator, invocation: Invocation): Turn => {
  const numbered = asked.vim.numbersNext
  const turn = withoutNumbering(asked)
  if (invocation.visual !== undefined) {
    const region = regionOfSize(turn.vim, invocation.visual, operator.byLines ?? false)
    const isOnLines = invocation.visual.shape === "line" && /^[IA]$/.test(invocation.name)
    const ready = isOnLines ? remember(turn, { takenForLines: true }) : turn
    return operate(ready, numbered ? { ...region, numbered } : region, { operator, invocation })
  }
  if (invocation.operand?.kind === "match") return runOnMatch(turn, operator, { ...invocation, operand: invocation.operand })
  const { turn: found, ends } = resolve(turn, invocation)
  if (ends === undefined) return found
  const between = regionBetween(found.vim, ends, invocation.force)
  const region = numbered ? { ...between, numbered } : between
  // Forced to be a block the text counts as selected, for `gv` and its marks.
  const { buffer, wanted } = found.vim
  const [anchor, head] = [bytePlace(buffer, ends.from), bytePlace(buffer, ends.to)]
  const area = { shape: "block", anchor, head, wanted } as const
  const cells = { start: region.columns.left, end: region.columns.right }
  const ready = invocation.force === "block" ? remember(found, { visual: area, cells }) : found
  return operate(ready, region, { operator, invocation })
}

/** A match is selected before the operator takes it. What is repeated is the search for it, not its size. */
const runOnMatch = (turn: Turn, operator: Operator, invocation: OnMatch): Turn => {
  const selected = selectMatch(turn, { ...invocation.operand, count: invocation.count ?? 1 })
  const { mode } = selected.vim
  if (mode.name !== "visual") return selected
  const kept = keepSelection(selected)
  const shape = invocation.force === "block" ? "block" : "char"
  const region = visualRegion(kept.vim, mode.anchor, { shape, byLines: operator.byLines ?? false })
  const ready = rememberSize(enterMode(kept, NORMAL), kept.vim, { region, shape })
  return operate(ready, region, { operator, invocation })
}

type OnMatch = Invocation & { readonly operand: Extract<Operand, { kind: "match" }> }

const withoutNumbering = (turn: Turn): Turn => (turn.vim.numbersNext ? update(turn, { numbersNext: false }) : turn)

/** In visual mode an upper-case key takes whole lines, or a block up to the ends of its lines. */
const WHOLE_LINES = new Set(["X", "D", "C", "Y", "I", "A"])
const ALWAYS_LINES = new Set(["S", "R"])
const TO_END = new Set(["D", "C"])

const VISUAL_NAMES: Readonly<Record<string, string>> = {
  x: "d",
  X: "d",
  D: "d",
  "<Del>": "d",
  s: "c",
  S: "c",
  R: "c",
  C: "c",
  Y: "y",
  "~": "g~",
  u: "gu",
  U: "gU"
}

export const visualNames: ReadonlyArray<string> = Object.keys(VISUAL_NAMES)

/** Remembers a selection that a command works on. */
const keepShape = (turn: Turn): Turn => {
  const kept = keepSelection(turn)
  const { visual, takenForLines = false } = kept.vim.memory
  return takenForLines && visual ? remember(kept, { visual: { ...visual, shape: "line" }, takenForLines: false }) : kept
}

const runVisual = (turn: Turn, invocation: Invocation): Turn => {
  const { mode } = turn.vim
  const name = VISUAL_NAMES[invocation.name] ?? invocation.name
  const operator = visualOperators.get(name) ?? operators.get(name)
  if (operator === undefined || mode.name !== "visual") return fail(turn)
  const typed = invocation.name
  const isLines = ALWAYS_LINES.has(typed) || (WHOLE_LINES.has(typed) && mode.shape !== "block")
  const shape = isLines ? "line" : mode.shape
  const wide = keepShape(TO_END.has(typed) && mode.shape === "block" ? update(turn, { wanted: Infinity }) : turn)
  const region = visualRegion(wide.vim, mode.anchor, { shape, byLines: operator.byLines ?? false })
  const visual = sizeOf(wide.vim, region, shape)
  const ready = rememberSize(enterMode(wide, NORMAL), wide.vim, { region, shape })
  return operate(ready, region, { operator, invocation: { ...invocation, name, visual } })
}

export const execute = (asked: Turn, invocation: Invocation): Turn => {
  const isOperator = asked.vim.mode.name !== "visual" && (operators.has(invocation.name) || invocation.name === ".")
  const turn = isOperator ? asked : withoutNumbering(asked)
  if (invocation.name === "move") return move(turn, invocation)
  if (turn.vim.mode.name === "visual") {
    const action = visualActions.get(invocation.name)
    return action === undefined ? runVisual(turn, invocation) : action.run(turn, invocation)
  }
  const operator = invocation.visual === undefined ? undefined : visualOperators.get(invocation.name)
  const found = operator ?? operators.get(invocation.name)
  if (found !== undefined) return runOperator(turn, found, invocation)
  const action = actions.get(invocation.name)
  if (action === undefined) return fail(turn)
  const ready = action.repeats !== undefined ? remember(turn, { repeat: { invocation, strokes: [] } }) : turn
  const done = action.run(ready, invocation)
  return done.failed && action.repeats === true ? update(done, { memory: turn.vim.memory }) : done
}
