/** Ex commands that show or set: `:reg :marks :undolist :set`. */
import { historyLeaves } from "../../history.ts"
import type { VimOptions } from "../state/context.ts"
import { readNamed } from "../engine/register-read.ts"
import { emit, fail, showMessage, type Turn, update } from "../engine/running-command.ts"

const list = (turn: Turn, title: string, lines: ReadonlyArray<string>): Turn => emit(turn, { _tag: "Listing", title, lines })

const LETTERS = "abcdefghijklmnopqrstuvwxyz"

const TYPES = { char: "c", line: "l", block: "b" } as const

const shown = (text: string): string =>
  text.replace(/[\x00-\x1f]/g, (char) => `^${String.fromCharCode(char.charCodeAt(0) + 64)}`)

export const listRegisters = (turn: Turn, argument: string): Turn => {
  const asked = argument.replaceAll(/\s/g, "")
  const names = `"0123456789-${LETTERS}.:/%+*`.split("")
  const lines = names.flatMap((name) => {
    const text = asked === "" || asked.includes(name) ? readNamed(turn, name) : undefined
    if (text === undefined || text.lines.join("") === "") return []
    return [`  ${TYPES[text.type]}  "${name}   ${shown(text.lines.join("\n") + (text.type === "line" ? "\n" : ""))}`]
  })
  return list(turn, "Type Name Content", lines)
}

export const listMarks = (turn: Turn): Turn => {
  const lines = [...turn.vim.marks]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { line, byte }]) => {
      const [row, cell] = [String(line + 1).padStart(6), String(byte).padStart(4)]
      return ` ${name} ${row} ${cell} ${turn.vim.buffer.at(line)}`
    })
  return list(turn, "mark line  col file/text", lines)
}

export const deleteMarks = (turn: Turn, argument: string): Turn => {
  const names = argument.startsWith("!")
    ? LETTERS
    : argument.replaceAll(/\s/g, "").replace(/(\w)-(\w)/g, (_all, from: string, to: string) => lettersBetween(from, to))
  if (names.length === 0) return fail(turn, "E471: Argument required")
  const marks = new Map(turn.vim.marks)
  for (const name of names) marks.delete(name)
  return update(turn, { marks })
}

const lettersBetween = (from: string, to: string): string => {
  let letters = ""
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) letters += String.fromCharCode(code)
  return letters
}

export const listUndo = (turn: Turn): Turn => {
  const { now } = turn.context
  const lines = historyLeaves(turn.vim.history).map(({ step, depth }) => {
    const seconds = Math.max(0, Math.round((now - step.time) / 1000))
    return `${String(step.id).padStart(6)} ${String(depth).padStart(8)}  ${seconds} seconds ago`
  })
  return lines.length === 0 ? showMessage(turn, "Nothing to undo") : list(turn, "number changes  when", lines)
}

type NumberOption = "shiftwidth" | "tabstop" | "textwidth"
type FlagOption = "expandtab" | "ignorecase" | "smartcase" | "wrapscan" | "joinspaces"

const NUMBERS: Readonly<Record<string, NumberOption>> = {
  shiftwidth: "shiftwidth",
  sw: "shiftwidth",
  tabstop: "tabstop",
  ts: "tabstop",
  textwidth: "textwidth",
  tw: "textwidth"
}

const FLAGS: Readonly<Record<string, FlagOption>> = {
  expandtab: "expandtab",
  et: "expandtab",
  ignorecase: "ignorecase",
  ic: "ignorecase",
  smartcase: "smartcase",
  scs: "smartcase",
  wrapscan: "wrapscan",
  ws: "wrapscan",
  joinspaces: "joinspaces",
  js: "joinspaces"
}

const setOptions = (turn: Turn, options: Partial<VimOptions>): Turn =>
  update(turn, { options: { ...turn.vim.options, ...options } })

const setNumber = (turn: Turn, text: string): Turn | undefined => {
  const match = /^(\w+)(?:=(\d+)|(\?)?)$/.exec(text)
  const name = NUMBERS[match?.[1] ?? ""]
  if (match === null || name === undefined) return undefined
  if (match[2] === undefined) return showMessage(turn, `  ${name}=${turn.vim.options[name]}`)
  const value = Number(match[2])
  if (name !== "textwidth" && value < 1) return fail(turn, `E487: Argument must be positive: ${text}`)
  return setOptions(turn, { [name]: value })
}

const setFlag = (turn: Turn, text: string): Turn | undefined => {
  const match = /^(no|inv)?(\w+?)([!?])?$/.exec(text)
  const plain = FLAGS[text.replace(/[!?]$/, "")]
  const name = plain ?? FLAGS[match?.[2] ?? ""]
  if (match === null || name === undefined) return undefined
  const old = turn.vim.options[name]
  if (match[3] === "?") return showMessage(turn, `${old ? "  " : "no"}${name}`)
  const flips = match[3] === "!" || (plain === undefined && match[1] === "inv")
  return setOptions(turn, { [name]: flips ? !old : !(plain === undefined && match[1] === "no") })
}

/** Sets what the engine knows; undefined hands the whole line to the application. */
export const setOption = (turn: Turn, argument: string): Turn | undefined => {
  const parts = argument
    .trim()
    .split(/\s+/)
    .filter((part) => part !== "")
  if (parts.length === 0) return undefined
  let at = turn
  for (const part of parts) {
    const next = setFlag(at, part) ?? setNumber(at, part)
    if (next === undefined) return undefined
    at = next
  }
  return at
}
