/** Keys of insert and replace mode. */
import { clusters } from "../cell/width.ts"
import type { Stroke } from "../keymap/stroke.ts"
import {
  charClass,
  clusterAt,
  columnAtCell,
  displayWidth,
  indentEnd,
  nextColumn,
  previousColumn,
  snap
} from "./chars.ts"
import { endInsert, keepTyped, withSession } from "./insert-session.ts"
import { makeIndent } from "./indent.ts"
import { motions } from "./motions/table.ts"
import { motionRequest } from "./motion-request.ts"
import { isReadable } from "./register.ts"
import { readNamed } from "./register-read.ts"
import type { InsertSession } from "./state.ts"
import { emit, lineAt, moveTo, remember, replaceSpan, setLine, touch, type Turn } from "./turn.ts"
import { closeStep } from "./undo.ts"

const REMAP_TIME = 1000

/** A key that can do nothing here; unlike a failed command it does not stop a macro. */
const beep = (turn: Turn): Turn => emit(turn, { _tag: "Bell" })

const insertText = (turn: Turn, text: string): Turn => {
  const { line, column } = turn.vim.cursor
  const whole = lineAt(turn, line)
  const changed = setLine(turn, line, whole.slice(0, column) + text + whole.slice(column))
  return moveTo(changed, { line, column: column + text.length })
}

const splitLine = (turn: Turn): Turn => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  const split = replaceSpan(turn, { line, count: 1 }, [text.slice(0, column), text.slice(column)])
  return moveTo(split, { line: line + 1, column: 0 })
}

/** REPLACE puts a character in place of another and remembers the other for backspace. */
const overwrite = (turn: Turn, session: InsertSession, text: string): Turn => {
  const { line, column } = turn.vim.cursor
  const whole = lineAt(turn, line)
  const old = column < whole.length ? clusterAt(whole, column) : undefined
  const changed = setLine(turn, line, whole.slice(0, column) + text + whole.slice(column + (old?.length ?? 0)))
  return withSession(moveTo(changed, { line, column: column + text.length }), { replaced: [...session.replaced, old] })
}

const put = (turn: Turn, session: InsertSession, text: string): Turn =>
  session.replace ? overwrite(turn, session, text) : insertText(turn, text)

const newline = (turn: Turn, session: InsertSession): Turn =>
  session.replace ? withSession(splitLine(turn), { replaced: [...session.replaced, undefined] }) : splitLine(turn)

const joinBack = (turn: Turn): Turn => {
  const { line } = turn.vim.cursor
  const before = lineAt(turn, line - 1)
  const joined = replaceSpan(turn, { line: line - 1, count: 2 }, [before + lineAt(turn, line)])
  const seam = { line: line - 1, column: before.length }
  const session = sessionOf(turn)
  const bound = session?.start.line === line ? withSession(joined, { start: seam }) : joined
  return moveTo(bound, seam)
}

const removeBefore = (turn: Turn, from: number): Turn => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  return moveTo(setLine(turn, line, text.slice(0, from) + text.slice(column)), { line, column: from })
}

/** In REPLACE backspace gives back what was there; before the start of the insertion it only moves. */
const unreplace = (turn: Turn, session: InsertSession): Turn => {
  const { line, column } = turn.vim.cursor
  if (session.replaced.length === 0) {
    if (column > 0) return moveTo(turn, { line, column: previousColumn(lineAt(turn, line), column) })
    return line > 0 ? moveTo(turn, { line: line - 1, column: lineAt(turn, line - 1).length }) : beep(turn)
  }
  const old = session.replaced.at(-1)
  const rest = withSession(turn, { replaced: session.replaced.slice(0, -1) })
  if (column === 0) return line > 0 ? joinBack(rest) : rest
  const text = lineAt(turn, line)
  const from = previousColumn(text, column)
  return moveTo(setLine(rest, line, text.slice(0, from) + (old ?? "") + text.slice(column)), { line, column: from })
}

const wordStart = (text: string, column: number): number => {
  let at = column
  const kindBefore = (): number => charClass(clusterAt(text, previousColumn(text, at)), false)
  while (at > 0 && kindBefore() === 0) at = previousColumn(text, at)
  const kind = kindBefore()
  while (at > 0 && kindBefore() === kind) at = previousColumn(text, at)
  return at
}

/** Deletions stop once where this insertion began, then go on before it. */
const stopAtStart = (turn: Turn, session: InsertSession, target: number): number => {
  const { line, column } = turn.vim.cursor
  const { start } = session
  if (start.line !== line || start.column >= column) return target
  return Math.max(target, snap(lineAt(turn, line), start.column))
}

type Reach = (text: string, column: number) => number

const isBound = (turn: Turn, session: InsertSession): boolean => {
  const { line, column } = turn.vim.cursor
  const { start } = session
  if (turn.vim.options.backspace !== "none") return false
  return session.moved || column === 0 || (line === start.line && column <= start.column)
}

const backspace = (reach: Reach, bounded: boolean) => (turn: Turn, session: InsertSession): Turn => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  if (isBound(turn, session)) return beep(turn)
  const target = bounded ? stopAtStart(turn, session, reach(text, column)) : reach(text, column)
  if (session.replace) {
    let at = touch(turn)
    do at = unreplace(at, sessionOf(at) ?? session)
    while (at.vim.cursor.line === line && at.vim.cursor.column > target)
    return at
  }
  if (column === 0) return line === 0 ? beep(turn) : joinBack(turn)
  return removeBefore(turn, target)
}

export const sessionOf = (turn: Turn): InsertSession | undefined =>
  turn.vim.mode.name === "insert" ? turn.vim.mode.session : undefined

const deleteAhead = (turn: Turn): Turn => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  if (column < text.length) return setLine(turn, line, text.slice(0, column) + text.slice(nextColumn(text, column)))
  if (line + 1 >= turn.vim.buffer.count || turn.vim.options.backspace === "none") return beep(turn)
  return replaceSpan(turn, { line, count: 2 }, [text + lineAt(turn, line + 1)])
}

/** The start of the insertion moves with the text. */
const keepTyping = (turn: Turn, by: number): Turn => {
  const session = sessionOf(turn)
  if (session === undefined || session.start.line !== turn.vim.cursor.line || session.start.column === 0) return turn
  return withSession(turn, { start: { ...session.start, column: Math.max(0, session.start.column + by) } })
}

/** Shifts the line's indent to the next or previous multiple of the shift width; the caret keeps its character. */
const shiftIndent = (direction: 1 | -1) => (turn: Turn): Turn => {
  const { line, column } = turn.vim.cursor
  const { shiftwidth, tabstop } = turn.vim.options
  const text = lineAt(turn, line)
  const end = indentEnd(text)
  const width = displayWidth(text.slice(0, end), tabstop)
  const steps = direction > 0 ? Math.floor(width / shiftwidth) + 1 : Math.ceil(width / shiftwidth) - 1
  const indent = makeIndent(Math.max(0, steps) * shiftwidth, turn.vim.options)
  const made = indent + text.slice(end)
  const changed = setLine(turn, line, made)
  const by = indent.length - end
  if (column >= end) return keepTyping(moveTo(changed, { line, column: column + by }), by)
  const cell = Math.max(0, displayWidth(text.slice(0, column), tabstop) + displayWidth(indent, tabstop) - width)
  const at = columnAtCell(made, cell, tabstop)
  // A tab in the way is moved aside by blanks.
  const missing = Math.max(0, cell - displayWidth(made.slice(0, at), tabstop))
  const spaced = made.slice(0, at) + " ".repeat(missing) + made.slice(at)
  const padded = missing === 0 ? changed : setLine(changed, line, spaced)
  return moveTo(padded, { line, column: at + missing })
}

const tab = (turn: Turn, session: InsertSession): Turn => {
  const { line, column } = turn.vim.cursor
  const { expandtab, tabstop } = turn.vim.options
  if (!expandtab) return put(turn, session, "\t")
  const cell = displayWidth(lineAt(turn, line).slice(0, column), tabstop)
  return insertText(turn, " ".repeat(tabstop - (cell % tabstop)))
}

type InsertKey = (turn: Turn, session: InsertSession) => Turn

const EDITS: Readonly<Record<string, InsertKey>> = {
  "<BS>": backspace(previousColumn, false),
  "<C-h>": backspace(previousColumn, false),
  "<C-w>": backspace(wordStart, true),
  "<C-u>": backspace(() => 0, true),
  "<Del>": deleteAhead,
  "<Tab>": tab,
  "<C-j>": newline,
  "<S-CR>": newline,
  "<A-CR>": newline,
  "<C-x><C-t>": shiftIndent(1),
  "<C-x><C-d>": shiftIndent(-1)
}

const ARROWS: Readonly<Record<string, string>> = {
  "<Left>": "h",
  "<Right>": "l",
  "<Up>": "k",
  "<Down>": "j",
  "<Home>": "0",
  "<End>": "$",
  "<C-Left>": "b",
  "<C-Right>": "w",
  "<S-Left>": "b",
  "<S-Right>": "w",
  "<C-Home>": "gg",
  "<C-End>": "G"
}

/** An arrow ends the undo step and the insertion that a count would repeat. */
const arrow = (turn: Turn, session: InsertSession, rule: { stroke: Stroke; name: string }): Turn => {
  const { stroke, name } = rule
  const { recall } = turn.vim.options
  const { line } = turn.vim.cursor
  if (recall && stroke === "<Up>" && line === 0) return emit(turn, { _tag: "HistoryOlder", count: 1 })
  if (recall && stroke === "<Down>" && line === turn.vim.buffer.count - 1) {
    return emit(turn, { _tag: "HistoryNewer", count: 1 })
  }
  const request = { ...motionRequest(turn, { count: undefined, argument: "" }), visual: true }
  const target = motions.get(name)?.run(turn.vim.buffer, turn.vim.cursor, request)
  if (target === undefined || target.short === true) return beep(turn)
  const moved = moveTo(closeStep(keepTyped(turn, session, turn.vim.cursor)), target.position, target.wanted)
  const end = session.moved ? session.end : turn.vim.cursor
  return withSession(moved, { moved: true, end, count: 1, opens: false })
}

/** The first key after an arrow begins an insertion anew; that key itself still minds where the old one began. */
const restart = (turn: Turn): Turn => {
  const session = sessionOf(turn)
  if (session?.moved !== true) return turn
  const invocation = { name: session.replace ? "R" : "i", register: undefined, count: undefined, argument: "" }
  const fresh = { strokes: [], typed: "", replaced: [] }
  return remember(withSession(turn, fresh), { repeat: { invocation, strokes: [] } })
}

/** Types the text of the session again until its count is used up. */
const repeatTyped = (turn: Turn, session: InsertSession): Turn => {
  let at = turn
  for (let left = session.count - 1; left > 0; left--) {
    if (session.opens) at = splitLine(at)
    for (const stroke of session.strokes) at = edit(at, stroke) ?? at
  }
  return at
}

const escape = (turn: Turn, session: InsertSession): Turn => endInsert(repeatTyped(turn, session), session)

const isText = (stroke: Stroke): boolean => stroke.length === 1 || !/^<.+>$/.test(stroke)

/** The change that a key makes, without remembering it; undefined when the key is no edit. */
const edit = (turn: Turn, stroke: Stroke): Turn | undefined => {
  const session = sessionOf(turn)
  if (session === undefined) return undefined
  const key = EDITS[stroke]
  if (key !== undefined) return key(turn, session)
  return isText(stroke) ? put(turn, session, stroke) : undefined
}

const typedBy = (stroke: Stroke): string => {
  if (stroke === "<C-j>" || stroke === "<S-CR>" || stroke === "<A-CR>") return "\n"
  return stroke === "<Tab>" ? "\t" : isText(stroke) ? stroke : ""
}

const typedAfter = (typed: string, stroke: Stroke): string =>
  stroke === "<BS>" || stroke === "<C-h>"
    ? typed.slice(0, previousColumn(typed, typed.length))
    : typed + typedBy(stroke)

/** An edit that was typed: it is remembered for repetition and for the register `.`. */
const typeStroke = (turn: Turn, stroke: Stroke): Turn | undefined => {
  const edited = edit(restart(turn), stroke)
  const session = edited === undefined ? undefined : sessionOf(edited)
  if (edited === undefined || session === undefined) return edited
  const didNothing = edited.vim.buffer === turn.vim.buffer && edited.vim.cursor === turn.vim.cursor
  if (didNothing) return edited.commands === turn.commands ? edited : { ...turn, commands: edited.commands }
  const lastKey = { stroke, time: turn.context.now }
  const start = session.moved ? turn.vim.cursor : session.start
  const typed = typedAfter(session.typed, stroke)
  const noted = { strokes: [...session.strokes, stroke], typed, lastKey, start, moved: false }
  return withSession(edited, noted)
}

const submit = (turn: Turn, session: InsertSession): Turn => {
  if (turn.played) return { ...turn, failed: true }
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  if (text[column - 1] === "\\") {
    const cut = removeBefore(turn, previousColumn(text, column))
    return newline(cut, session)
  }
  return emit(turn, { _tag: "Submit" })
}

/** Two keys that the user made mean Escape: the first was already typed and is taken back. */
const remap = (turn: Turn, session: InsertSession, stroke: Stroke): Turn | undefined => {
  const { lastKey } = session
  if (lastKey === undefined || turn.context.now - lastKey.time > REMAP_TIME) return undefined
  if (!turn.vim.options.insertRemaps.includes(lastKey.stroke + stroke)) return undefined
  const back = edit(turn, "<BS>") ?? turn
  const typed = session.typed.slice(0, previousColumn(session.typed, session.typed.length))
  const shorter = withSession(back, { strokes: session.strokes.slice(0, -1), typed })
  return escape(shorter, sessionOf(shorter) ?? session)
}

/** Strokes behind `<C-x>`, which is complete after one more, or two for a register. */
const chord = (turn: Turn, session: InsertSession, stroke: Stroke): Turn => {
  const keys = [...session.pending, stroke]
  const name = keys.join("")
  const idle = withSession(turn, { pending: [] })
  if (EDITS[name] !== undefined) return typeStroke(idle, name) ?? idle
  if (keys.length === 2 && stroke === "<C-r>") return withSession(turn, { pending: keys })
  if (keys[1] === "<C-r>" && keys.length === 3) {
    const text = isReadable(stroke) ? readNamed(turn, stroke) : undefined
    if (text === undefined) return beep(idle)
    const lines = text.type === "line" ? [...text.lines, ""] : text.lines
    const strokes = lines.flatMap((part, index) => [...(index > 0 ? ["<C-j>"] : []), ...clusters(part)])
    return strokes.reduce((at, char) => typeStroke(at, char === "\t" ? "<Tab>" : char) ?? at, idle)
  }
  return keys.reduce((at, key) => emit(at, { _tag: "Unhandled", stroke: key }), idle)
}

export const insertStroke = (turn: Turn, session: InsertSession, stroke: Stroke): Turn => {
  if (session.pending.length > 0) return chord(turn, session, stroke)
  if (stroke === "<Esc>" || stroke === "<C-[>") return escape(turn, session)
  if (stroke === "<CR>" && turn.vim.options.submit) return submit(turn, session)
  if (stroke === "<CR>") return typeStroke(turn, "<C-j>") ?? turn
  if (stroke === "<C-x>") return withSession(turn, { pending: [stroke] })
  const moved = ARROWS[stroke]
  if (moved !== undefined) return arrow(turn, session, { stroke, name: moved })
  return remap(turn, session, stroke) ?? typeStroke(turn, stroke) ?? emit(turn, { _tag: "Unhandled", stroke })
}

export const leaveInsert = (turn: Turn): Turn => {
  const session = sessionOf(turn)
  return session === undefined ? turn : escape(turn, session)
}
