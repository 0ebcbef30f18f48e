/** Keys of insert and replace mode. */
import { clusters } from "../../../screen/cell/width.ts"
import type { Stroke } from "../../../keymap/stroke.ts"
import { clusterAt, displayWidth, previousColumn } from "../../clusters.ts"
import { beep, deleteAhead, erase } from "./insert-erase.ts"
import { shiftIndent } from "./insert-indent.ts"
import { beginEdit, endInsert, keepTyped, sessionOf, withSession } from "./insert-session.ts"
import { motions } from "../motions/table.ts"
import { motionRequest } from "../engine/motion-request.ts"
import { isReadable } from "../state/register.ts"
import { readNamed } from "../engine/register-read.ts"
import type { InsertSession } from "../state/state.ts"
import { emit, forgetLine, lineAt, moveTo, replaceSpan, setLine, type Turn } from "../engine/running-command.ts"

const REMAP_TIME = 1000

const insertText = (turn: Turn, text: string, from?: number): Turn => {
  const { line, column } = turn.vim.cursor
  const whole = lineAt(turn, line)
  const changed = setLine(turn, line, whole.slice(0, column) + text + whole.slice(column), from)
  return moveTo(changed, { line, column: column + text.length })
}

/** Characters that vim takes in one go with those before them; a zero and a caret may begin a command of their own. */
const IN_ONE_GO = /^[!-/1-\]_-~ ]$/

/** Text that is typed on and on is one change, which is where it began. */
const insertOn = (turn: Turn, { run }: InsertSession, text: string): Turn => {
  if (!IN_ONE_GO.test(text)) return withSession(insertText(turn, text), { run: undefined })
  const from = run ?? turn.vim.cursor.column
  return withSession(insertText(turn, text, from), { run: from })
}

const splitLine = (turn: Turn): Turn => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  const split = replaceSpan(turn, { line, count: 1 }, [text.slice(0, column), text.slice(column)], column)
  return moveTo(forgetLine(split), { line: line + 1, column: 0 })
}

/** REPLACE puts a character in place of another and remembers the other for backspace. */
const overwrite = (turn: Turn, session: InsertSession, text: string): Turn => {
  const { line, column } = turn.vim.cursor
  const whole = lineAt(turn, line)
  const old = column < whole.length ? clusterAt(whole, column) : undefined
  const changed = setLine(turn, line, whole.slice(0, column) + text + whole.slice(column + (old?.length ?? 0)))
  return withSession(moveTo(changed, { line, column: column + text.length }), { replaced: [...session.replaced, old] })
}

const put = (turn: Turn, text: string): Turn => {
  const ready = beginEdit(turn)
  const session = sessionOf(ready)
  if (session === undefined) return ready
  return session.replace ? overwrite(ready, session, text) : insertOn(ready, session, text)
}

/** The first blank takes the place of a character, the others find their own. */
const replaceByBlanks = (turn: Turn, session: InsertSession, blanks: string): Turn => {
  const first = overwrite(turn, session, " ")
  const more = blanks.slice(1)
  const replaced = [...(sessionOf(first)?.replaced ?? []), ...Array.from(more, () => undefined)]
  return withSession(insertText(first, more), { replaced })
}

const newline = (turn: Turn): Turn => {
  const split = splitLine(beginEdit(turn))
  const session = sessionOf(split)
  if (session === undefined) return split
  return withSession(split, { guarded: 0, ...(session.replace && { replaced: [...session.replaced, undefined] }) })
}

const tab = (turn: Turn): Turn => {
  const { line, column } = turn.vim.cursor
  const { expandtab, tabstop } = turn.vim.options
  if (!expandtab) return put(turn, "\t")
  const cell = displayWidth(lineAt(turn, line).slice(0, column), tabstop)
  const blanks = " ".repeat(tabstop - (cell % tabstop))
  const ready = beginEdit(turn)
  const session = sessionOf(ready)
  return session?.replace === true ? replaceByBlanks(ready, session, blanks) : insertText(ready, blanks)
}

/** What a key does to the text; undefined when it is refused. */
type InsertKey = (turn: Turn, session: InsertSession) => Turn | undefined

const EDITS: Readonly<Record<string, InsertKey>> = {
  "<BS>": erase("character"),
  "<C-h>": erase("character"),
  "<C-w>": erase("word"),
  "<C-u>": erase("line"),
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
  const moved = moveTo(keepTyped(turn, session, turn.vim.cursor), target.position, target.wanted)
  const { start, origin } = session
  const halted = session.moved ? session.halted : { start, origin, end: turn.vim.cursor }
  return withSession(moved, { moved: true, halted, count: 1, opens: false, replaced: [] })
}

/** Types the text of the session again until its count is used up. */
const repeatTyped = (turn: Turn, session: InsertSession): Turn => {
  let at = turn
  for (let left = session.count - 1; left > 0; left--) {
    at = withSession(at, { run: undefined })
    if (session.opens) at = newline(at)
    for (const stroke of session.strokes) at = edit(at, stroke) ?? at
  }
  return at
}

const escape = (turn: Turn, session: InsertSession): Turn => endInsert(repeatTyped(turn, session), session)

const isEscape = (stroke: Stroke): boolean => stroke === "<Esc>" || stroke === "<C-[>"

const isText = (stroke: Stroke): boolean => stroke.length === 1 || !/^<.+>$/.test(stroke)

const isEdit = (stroke: Stroke): boolean => EDITS[stroke] !== undefined || isText(stroke)

/** The change that a key makes, without remembering it; undefined when the key is refused. */
const edit = (turn: Turn, stroke: Stroke): Turn | undefined => {
  const session = sessionOf(turn)
  if (session === undefined) return undefined
  const origin = session.keepsOrigin ? session.origin : session.start
  const ready = withSession(turn, { origin })
  const key = EDITS[stroke]
  return key === undefined ? put(ready, stroke) : key(withSession(ready, { run: undefined }), { ...session, origin })
}

const typedBy = (stroke: Stroke): string => {
  if (stroke === "<C-j>" || stroke === "<S-CR>" || stroke === "<A-CR>") return "\n"
  return stroke === "<Tab>" ? "\t" : isText(stroke) ? stroke : ""
}

const typedAfter = (typed: string, stroke: Stroke): string =>
  stroke === "<BS>" || stroke === "<C-h>" ? typed.slice(0, previousColumn(typed, typed.length)) : typed + typedBy(stroke)

/** An edit that was typed: it is remembered for repetition and for the register `.`. */
const typeStroke = (turn: Turn, stroke: Stroke): Turn => {
  const edited = edit(turn, stroke)
  const session = edited === undefined ? undefined : sessionOf(edited)
  if (edited === undefined || session === undefined) return beep(turn)
  const lastKey = { stroke, time: turn.context.now }
  const typed = typedAfter(session.typed, stroke)
  return withSession(edited, { strokes: [...session.strokes, stroke], typed, lastKey })
}

const submit = (turn: Turn): Turn => {
  if (turn.played) return { ...turn, failed: true }
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  if (text[column - 1] === "\\") {
    const from = previousColumn(text, column)
    const cut = setLine(beginEdit(turn), line, text.slice(0, from) + text.slice(column))
    return newline(moveTo(cut, { line, column: from }))
  }
  return emit(turn, { _tag: "Submit" })
}

/** Two keys that the user made mean Escape: the first was already typed and is removed again. */
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
  if (isEscape(stroke)) return escape(idle, session)
  if (EDITS[name] !== undefined) return typeStroke(idle, name)
  if (keys.length === 2 && stroke === "<C-r>") return withSession(turn, { pending: keys })
  if (keys[1] === "<C-r>" && keys.length === 3) {
    const text = isReadable(stroke) ? readNamed(turn, stroke) : undefined
    if (text === undefined) return beep(idle)
    const lines = text.type === "line" ? [...text.lines, ""] : text.lines
    const strokes = lines.flatMap((part, index) => [...(index > 0 ? ["<C-j>"] : []), ...clusters(part)])
    return strokes.reduce((at, char) => typeStroke(at, char === "\t" ? "<Tab>" : char), idle)
  }
  return keys.reduce((at, key) => emit(at, { _tag: "Unhandled", stroke: key }), idle)
}

export const insertStroke = (asked: Turn, before: InsertSession, stroke: Stroke): Turn => {
  const session = { ...before, origin: before.keepsOrigin ? before.origin : before.start }
  const turn = withSession(asked, { origin: session.origin })
  if (session.pending.length > 0) return chord(turn, session, stroke)
  if (isEscape(stroke)) return escape(turn, session)
  if (stroke === "<CR>" && turn.vim.options.submit) return submit(turn)
  if (stroke === "<CR>") return typeStroke(turn, "<C-j>")
  if (stroke === "<C-x>") return withSession(turn, { pending: [stroke] })
  const moved = ARROWS[stroke]
  if (moved !== undefined) return arrow(turn, session, { stroke, name: moved })
  if (!isEdit(stroke)) return emit(turn, { _tag: "Unhandled", stroke })
  return remap(turn, session, stroke) ?? typeStroke(turn, stroke)
}

export const leaveInsert = (turn: Turn): Turn => {
  const session = sessionOf(turn)
  return session === undefined ? turn : escape(turn, session)
}
