/** `:g` and `:v`: a command on every line that matches. The lines are followed while the text changes. */
import type { LineRange, VimCommand } from "../state/command.ts"
import { globalLinesOf, nextGlobalLine, NO_GLOBAL_LINES, withoutNext } from "../state/global-lines.ts"
import { askedColumn } from "../engine/motion-request.ts"
import { splitPattern } from "../motions/searches.ts"
import { compilePattern } from "../pattern/pattern.ts"
import { noteRegister } from "../state/register.ts"
import { matchesOnLine } from "../pattern/search.ts"
import {
  fail,
  hasError,
  lineStart,
  moveTo,
  noteJump,
  remember,
  showMessage,
  type Turn,
  update
} from "../engine/running-command.ts"

export interface GlobalRule {
  readonly argument: string
  readonly inverted: boolean
  /** It stands behind another `:g` and works on one line. */
  readonly inGlobal: boolean
  readonly execute: (turn: Turn, line: string, inGlobal: boolean) => Turn
}

/** The pattern is the last one searched for and the last one replaced, in the direction and with the offset of before. */
const notePattern = (turn: Turn, pattern: string): Turn => {
  const { search: last, substitution } = turn.vim.memory
  const known = { replacement: "", flags: "", expanded: "", ...substitution, pattern }
  const { backward = false, offset = "" } = last ?? {}
  const search = last?.pattern === pattern ? last : { pattern, backward, offset }
  const noted = remember(turn, { search, substitution: known })
  return update(noted, { registers: noteRegister(turn.vim.registers, "/", pattern) })
}

export const runGlobal = (turn: Turn, range: LineRange, rule: GlobalRule): Turn => {
  const inverted = rule.inverted || rule.argument.startsWith("!")
  const text = rule.argument.replace(/^!/, "").trimStart()
  const delimiter = text[0]
  if (delimiter === undefined) return fail(turn, "E148: Regular expression missing from global")
  if (/[\w\\"|]/.test(delimiter)) return fail(turn, "E146: Regular expressions can't be delimited by letters")
  const { pattern: typed, rest } = splitPattern(text.slice(1), delimiter)
  const source = typed === "" ? (turn.vim.memory.search?.pattern ?? "") : typed
  const replacement = turn.vim.memory.substitution?.expanded ?? ""
  if (source === "") return fail(turn, "E35: No previous regular expression")
  const noted = notePattern(turn, source)
  const { options, memory } = noted.vim
  const smartcase = options.smartcase && memory.search?.anyCase !== true
  const pattern = compilePattern(source, { ...options, smartcase, replacement })
  if (pattern === undefined) return fail(noted, `E476: Invalid command: ${source}`)
  const matches = (line: number): boolean => matchesOnLine(turn.vim.buffer, line, pattern, 1).length > 0 !== inverted
  const command = PRINT.test(rest ?? "") ? "print" : (rest ?? "")
  const { line: caret } = turn.vim.cursor
  if (rule.inGlobal) return matches(caret) ? rule.execute(moveTo(noted, { line: caret, column: 0 }), command, true) : noted
  const lines: Array<number> = []
  for (let line = range.first; line <= range.last; line++) {
    if (matches(line)) lines.push(line)
  }
  if (pattern.isExhausted()) return fail(noted, `E363: Pattern needs too many steps: ${source}. Fix: make it simpler`)
  if (lines.length === 0) return showMessage(noted, `Pattern ${inverted ? "found in every line" : "not found"}: ${source}`)
  return runOnLines(update(noteJump(noted), { globalLines: globalLinesOf(lines) }), { ...rule, command })
}

const PRINT = /^\s*(?:p(?:rint)?\s*)?$/
const SUBSTITUTE = /^[\s:]*(?:s[^a-zA-Z]|&|~)/

interface Running extends GlobalRule {
  readonly command: string
}

/** What was shown line by line is one list. */
const gathered = (shown: ReadonlyArray<VimCommand>): ReadonlyArray<VimCommand> => {
  const lines = shown.flatMap((command) => (command._tag === "Listing" ? command.lines : []))
  const others = shown.filter((command) => command._tag !== "Listing")
  return lines.length === 0 ? others : [...others, { _tag: "Listing", title: "Matching lines", lines }]
}

const runOnLines = (turn: Turn, { command, execute }: Running): Turn => {
  const shown: Array<VimCommand> = []
  let at: Turn = { ...turn, inGlobal: true }
  let isWrong = false
  let failed = false
  for (
    let line = nextGlobalLine(at.vim.globalLines);
    line !== undefined && !isWrong;
    line = nextGlobalLine(at.vim.globalLines)
  ) {
    const begun = update({ ...at, failed: false, commands: [] }, { globalLines: withoutNext(at.vim.globalLines) })
    at = execute(moveTo(begun, { line, column: 0 }, askedColumn(at.vim)), command, true)
    shown.push(...at.commands)
    // An error with a message ends it; a bell does not.
    isWrong = hasError(at, 0)
    failed = failed || at.failed
  }
  const commands = [...turn.commands, ...gathered(shown)]
  const done = update({ ...at, commands, inGlobal: turn.inGlobal, failed }, { globalLines: NO_GLOBAL_LINES })
  const isCounted = shown.some((each) => each._tag === "Message" && /^\d+ matches$/.test(each.text))
  const isReplaced = SUBSTITUTE.test(command) && (isCounted || done.vim.buffer !== turn.vim.buffer)
  return isReplaced ? moveTo(done, lineStart(done, done.vim.cursor.line)) : done
}
