/**
 * A light reading of a command line into its simple commands, for presentation and for what a timeout does. It never
 * grants anything. Whatever it does not fully understand (substitution, here-documents, subshells, control words) is
 * reported as incomplete.
 */
export interface Segment {
  /** Words with quotes removed; redirections and their targets are left out. */
  readonly words: ReadonlyArray<string>
  readonly writesFile: boolean
}

export interface CommandReading {
  readonly segments: ReadonlyArray<Segment>
  readonly complete: boolean
}

const CONTROL_WORDS = new Set(
  "if then elif else fi for while until do done case esac select function coproc time ! { } [[".split(" ")
)

interface Scanner {
  readonly text: string
  at: number
  segments: Array<Segment>
  words: Array<string>
  word: string | undefined
  writesFile: boolean
  /** The next word is the target of a redirection. */
  redirected: boolean
  complete: boolean
}

const endWord = (scan: Scanner): void => {
  if (scan.word === undefined) return
  if (scan.redirected) scan.redirected = false
  else scan.words.push(scan.word)
  scan.word = undefined
}

const endSegment = (scan: Scanner): void => {
  endWord(scan)
  if (scan.words.length > 0) scan.segments.push({ words: scan.words, writesFile: scan.writesFile })
  if (CONTROL_WORDS.has(scan.words[0] ?? "") || scan.redirected) scan.complete = false
  scan.words = []
  scan.writesFile = false
  scan.redirected = false
}

const append = (scan: Scanner, value: string, length: number): void => {
  scan.word = (scan.word ?? "") + value
  scan.at += length
}

const readSingleQuoted = (scan: Scanner): void => {
  const end = scan.text.indexOf("'", scan.at + 1)
  if (end < 0) scan.complete = false
  const stop = end < 0 ? scan.text.length : end
  append(scan, scan.text.slice(scan.at + 1, stop), stop + 1 - scan.at)
}

const readDoubleQuoted = (scan: Scanner): void => {
  append(scan, "", 1)
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] ?? ""
    if (char === '"') return append(scan, "", 1)
    if (char === "`" || (char === "$" && scan.text[scan.at + 1] === "(")) scan.complete = false
    if (char === "\\") append(scan, scan.text[scan.at + 1] ?? "", 2)
    else append(scan, char, 1)
  }
  scan.complete = false
}

const readEscape = (scan: Scanner): void => {
  const next = scan.text[scan.at + 1]
  if (next === "\n") scan.at += 2
  else append(scan, next ?? "", 2)
}

/** Here-documents and process substitution are not read; everything else takes one word as its target. */
const readRedirection = (scan: Scanner): void => {
  const [operator = ""] = /^(?:&>>|&>|<<<|<<|<>|<&|<\(|>\(|>>|>&|>\||<|>)/.exec(scan.text.slice(scan.at)) ?? []
  if (operator === "<<" || operator.endsWith("(")) scan.complete = false
  if (/^\d+$/.test(scan.word ?? "")) scan.word = undefined
  endWord(scan)
  scan.at += operator.length
  scan.redirected = true
  if (/^&?>>?$|^>\|$/.test(operator) && !/^\s*\/dev\/null\b/.test(scan.text.slice(scan.at))) scan.writesFile = true
}

const readComment = (scan: Scanner): void => {
  const end = scan.text.indexOf("\n", scan.at)
  scan.at = end < 0 ? scan.text.length : end
}

const readOperator = (scan: Scanner): void => {
  endSegment(scan)
  scan.at += /^(?:&&|\|\||\|&|;;|[;&|\n])/.exec(scan.text.slice(scan.at))?.[0].length ?? 1
}

const readPlain = (scan: Scanner, char: string): void => {
  if (char === "`" || char === "(" || char === ")") scan.complete = false
  append(scan, char, 1)
}

const step = (scan: Scanner): void => {
  const char = scan.text[scan.at] ?? ""
  if (char === " " || char === "\t") {
    endWord(scan)
    scan.at++
  } else if (char === "'") readSingleQuoted(scan)
  else if (char === '"') readDoubleQuoted(scan)
  else if (char === "\\") readEscape(scan)
  else if (char === "#" && scan.word === undefined) readComment(scan)
  else if (char === "<" || char === ">" || (char === "&" && scan.text[scan.at + 1] === ">")) readRedirection(scan)
  else if (";&|\n".includes(char)) readOperator(scan)
  else readPlain(scan, char)
}

export const readCommand = (command: string): CommandReading => {
  const scan: Scanner = {
    text: command,
    at: 0,
    segments: [],
    words: [],
    word: undefined,
    writesFile: false,
    redirected: false,
    complete: true
  }
  while (scan.at < command.length) step(scan)
  endSegment(scan)
  return { segments: scan.segments, complete: scan.complete && scan.segments.length > 0 }
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/

/** The words from the program on, without leading assignments. */
export const programWords = (segment: Segment): ReadonlyArray<string> => {
  const start = segment.words.findIndex((word) => !ASSIGNMENT.test(word))
  return start < 0 ? [] : segment.words.slice(start)
}

/** Name of the program without its directory; empty for a bare assignment. */
export const programName = (segment: Segment): string => {
  const [first = ""] = programWords(segment)
  return first.slice(first.lastIndexOf("/") + 1)
}
