/**
 * Search patterns as vim writes them, with a matcher of their own: it knows what vim's patterns know, and it gives up
 * after a fixed amount of work, where a regular expression of the language might try for hours.
 */
import { behindChar, compile, isExhausted, isMarkAt, isTooLong, load, type Machine, machineFor } from "./machine.ts"
import { ANY, type Node, readPattern, type Syntax } from "./syntax.ts"

export interface PatternOptions {
  readonly ignorecase: boolean
  readonly smartcase: boolean
  /** What `~` stands for: the last replacement. */
  readonly replacement: string
}

export interface PatternMatch {
  readonly index: number
  readonly end: number
  readonly groups: ReadonlyArray<string>
}

export interface Subject {
  /** A line, for patterns over lines with the lines that follow. */
  readonly text: string
  readonly line: number
  readonly lines: number
  /** A match begins at or behind the first offset and not behind the second. */
  readonly from: number
  readonly most: number
}

export interface Pattern {
  /** A match may go over the end of a line. */
  readonly multiline: boolean
  readonly match: (subject: Subject) => PatternMatch | undefined
  /** It gave up: what it did not find may be there all the same. */
  readonly isExhausted: () => boolean
}

/** Letters behind a backslash say nothing about the case that is meant. */
const hasUpper = (source: string): boolean => /\p{Lu}/u.test(source.replace(/\\(?:[_%].|.)/gsu, ""))

/** The text that every match begins with. */
const headOf = (node: Node): string => {
  if (node.kind === "text") return node.text
  if (node.kind === "group") return headOf(node.body)
  const [first] = node.kind === "list" ? node.items : []
  return first === undefined ? "" : headOf(first)
}

/** Whether a pattern begins with `.*`. */
const beginsWithAny = (node: Node): boolean => {
  const [first] = node.kind === "list" ? node.items : [node]
  return first?.kind === "repeat" && first.body === ANY && first.least === 0 && first.most === Infinity
}

const resultOf = (machine: Machine, start: number, end: number): PatternMatch => {
  const { text, starts, ends, boundStart, boundEnd } = machine
  const index = boundStart ?? start
  const last = Math.max(index, boundEnd ?? end)
  const groups = starts.map((from, number) => (from === undefined ? "" : text.slice(from, ends[number] ?? from)))
  return { index, end: last, groups: [text.slice(index, last), ...groups.slice(1)] }
}

const matcherOf = ({ root, groups, multiline }: Syntax, ignoreCase: boolean): Pattern => {
  const run = compile(root)
  const machine = machineFor(groups, ignoreCase)
  if (isTooLong(root)) machine.left = -1
  const head = ignoreCase ? "" : headOf(root)
  const isAnyRun = beginsWithAny(root)
  const matchAt = (start: number): PatternMatch | undefined => {
    machine.starts.fill(undefined)
    machine.ends.fill(undefined)
    machine.boundStart = machine.boundEnd = undefined
    machine.calls = 0
    let end: number | undefined
    // A match may not end before a mark that stands on its last character, nor where trying was given up.
    run(machine, start, (to) => {
      if (isExhausted(machine) || isMarkAt(machine.text, to)) return false
      end = to
      return true
    })
    return end === undefined ? undefined : resultOf(machine, start, end)
  }
  const match = ({ text, line, lines, from, most }: Subject): PatternMatch | undefined => {
    load(machine, { text, line, lines })
    for (let start = from; start <= most && !isExhausted(machine); start = Math.max(start + 1, behindChar(text, start))) {
      if (head !== "") {
        start = text.indexOf(head.charAt(0), start)
        if (start < 0 || start > most) return undefined
      }
      const found = matchAt(start)
      // What begins with anything at all and does not match here matches nowhere further on.
      if (found !== undefined || isAnyRun) return found
    }
    return undefined
  }
  return { multiline, match, isExhausted: () => isExhausted(machine) }
}

/** The matcher for a pattern; undefined when it is not a pattern. */
export const compilePattern = (source: string, options: PatternOptions): Pattern | undefined => {
  try {
    const syntax = readPattern(source, options.replacement)
    const ignores = options.ignorecase && !(options.smartcase && hasUpper(source))
    return matcherOf(syntax, syntax.forcedCase === undefined ? ignores : syntax.forcedCase === "ignore")
  } catch {
    return undefined
  }
}

/** A pattern that matches a text as it is. */
export const literalPattern = (text: string, delimiter: string): string =>
  text.replace(/[\\.*$^~[]/g, "\\$&").replaceAll(delimiter, `\\${delimiter}`)
