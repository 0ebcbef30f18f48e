/** Changes that need no motion: `r ~ J p <C-a>` and their relatives. */
import { characterOf } from "../text/character.ts"
import { clusterAt, nextColumn } from "../../clusters.ts"
import { executeEx, executeTyped } from "../ex/execute.ts"
import type { Invocation } from "../state/invocation.ts"
import { joinLines } from "../engine/join.ts"
import { addToNumber } from "../text/number.ts"
import { swap } from "../operators/case.ts"
import { putText } from "../engine/put.ts"
import { typeAgain } from "../insert/put-inserted.ts"
import { isKept, noteRegister } from "../state/register.ts"
import { readNamed } from "../engine/register-read.ts"
import {
  clamp,
  fail,
  lineAt,
  moveTo,
  remember,
  replaceSpan,
  setLine,
  setMarks,
  touch,
  type Turn,
  update
} from "../engine/running-command.ts"
import type { Action, ActionTable } from "./action.ts"

const replaceChars = (turn: Turn, { count, argument }: Invocation): Turn => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  const char = characterOf(argument)
  let end = column
  for (let left = count ?? 1; left > 0; left--) {
    if (end >= text.length) return fail(turn)
    end = nextColumn(text, end)
  }
  if (char === undefined) return fail(turn)
  if (char === "\n") {
    const split = replaceSpan(turn, { line, count: 1 }, [text.slice(0, column), text.slice(end)])
    return clamp(moveTo(split, { line: line + 1, column: 0 }))
  }
  const last = { line, column: column + char.length * ((count ?? 1) - 1) }
  const noted = remember(update(turn, { registers: noteRegister(turn.vim.registers, ".", char) }), { typed: [char] })
  const changed = setLine(noted, line, text.slice(0, column) + char.repeat(count ?? 1) + text.slice(end), last.column)
  return setMarks(moveTo(changed, last), { "[": { line, column }, "]": last })
}

const swapCase = (turn: Turn, { count }: Invocation): Turn => {
  const { line, column } = turn.vim.cursor
  let text = lineAt(turn, line)
  if (text === "") return fail(turn)
  let at = column
  for (let left = count ?? 1; left > 0 && at < text.length; left--) {
    const end = nextColumn(text, at)
    text = text.slice(0, at) + swap(text.slice(at, end)) + text.slice(end)
    at = end
  }
  if (text === lineAt(turn, line)) return clamp(moveTo(touch(turn), { line, column: at }))
  const swapped = clamp(moveTo(setLine(turn, line, text), { line, column: at }))
  const last = Math.max(0, swapped.vim.cursor.column - 1)
  return setMarks(swapped, { "[": { line, column }, "]": { line, column: last } })
}

const join = (spaces: boolean): Action => ({
  repeats: true,
  run: (turn, invocation) => {
    const { line } = turn.vim.cursor
    const wanted = Math.max(2, invocation.count ?? 2)
    const left = turn.vim.buffer.count - line
    if (left < wanted && wanted <= 2) return fail(turn)
    const count = Math.min(wanted, left)
    // What is repeated is the number of lines that there were.
    const known = remember(turn, { repeat: { invocation: { ...invocation, count }, strokes: [] } })
    if (count > 1) return joinLines(known, { line, count }, spaces)
    const end = { line, column: lineAt(turn, line).length }
    const joined = update(moveTo(touch(known), { line, column: 0 }), { emptied: false })
    return setMarks(joined, { "[": end, "]": end, ".": end })
  }
})

const failedPut = (turn: Turn, register: string | undefined): Turn => {
  const { cursor } = turn.vim
  // Of a register that is not text of its own nothing is even begun.
  const begun = isKept(register ?? '"') ? touch(turn, { line: cursor.line + 1, count: 0 }) : turn
  return fail(setMarks(begun, { "[": cursor, "]": cursor }), `E353: Nothing in register ${register ?? '"'}`)
}

const put = (rule: { after: boolean; leap?: boolean; reindent?: boolean }): Action => ({
  repeats: "always",
  run: (turn, { count, register }) => {
    if (register === ".") return typeAgain(turn, { leap: false, ...rule, count: count ?? 1 })
    const text = readNamed(turn, register)
    if (text === undefined) return failedPut(turn, register)
    return putText(turn, text, { leap: false, ...rule, count: count ?? 1 })
  }
})

const add = (sign: 1 | -1): Action => ({
  repeats: "always",
  run: (turn, { count }) => {
    const { line, column } = turn.vim.cursor
    const made = addToNumber(lineAt(turn, line), column, sign * (count ?? 1))
    if (made === undefined) return lineAt(turn, line) === "" ? touch(turn) : fail(touch(turn))
    const last = { line, column: made.column }
    return setMarks(moveTo(setLine(turn, line, made.text, 0), last), { "[": { line, column: made.start }, "]": last })
  }
})

const describeChar = (turn: Turn): Turn => {
  const { line, column } = turn.vim.cursor
  const char = clusterAt(lineAt(turn, line), column)
  const codes = Array.from(char, (part) => {
    const code = part.codePointAt(0) ?? 0
    return `<${part}> ${code}, Hex ${code.toString(16)}, Oct ${code.toString(8)}`
  })
  return { ...turn, commands: [...turn.commands, { _tag: "Message", text: codes.join(" ") || "NUL" }] }
}

/** `&` is `:s` without its flags, on as many lines as the count says. */
const substituteAgain = (turn: Turn, { count }: Invocation): Turn => {
  const line = count === undefined ? "s" : count === 1 ? ".s" : `.,.+${count - 1}s`
  return executeTyped(turn, line)
}

export const editActions: ActionTable = {
  r: { run: replaceChars, takes: "char", repeats: true },
  "~": { run: swapCase, repeats: true },
  J: join(true),
  gJ: join(false),
  p: put({ after: true }),
  P: put({ after: false }),
  gp: put({ after: true, leap: true }),
  gP: put({ after: false, leap: true }),
  "]p": put({ after: true, reindent: true }),
  "]P": put({ after: false, reindent: true }),
  "[p": put({ after: false, reindent: true }),
  "[P": put({ after: false, reindent: true }),
  "<C-a>": add(1),
  "<C-x>": add(-1),
  "&": { run: substituteAgain },
  "g&": { run: (turn) => executeEx(turn, "%s//~/&") },
  ga: { run: describeChar }
}
