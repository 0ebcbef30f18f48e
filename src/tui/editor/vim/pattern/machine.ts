/**
 * Matching by trying: every node of a pattern is a function that calls what follows it with the place it got to. All
 * steps are counted, so that a pattern that would try for ever gives up instead.
 */
import { bytesBefore } from "../text/bytes.ts"
import { charClass } from "../text/char-class.ts"
import { sameChar } from "./characters.ts"
import type { Edge, Node } from "./syntax.ts"

/** What may be tried with one pattern: so much, and so much more for every character that it was shown. */
const LEAST_STEPS = 3_000_000
const STEPS_PER_CHARACTER = 100
/** Calls within each other: at most some 600 KB of stack before they are optimised; the main thread has 984. */
const MOST_CALLS = 4000

export interface Machine {
  text: string
  /** The line of the text, from 0, and how many there are in all. */
  line: number
  lines: number
  readonly ignoreCase: boolean
  readonly starts: Array<number | undefined>
  readonly ends: Array<number | undefined>
  boundStart: number | undefined
  boundEnd: number | undefined
  /** Steps that may still be taken; below zero the machine has given up. */
  left: number
  /** Calls that wait for what follows them. */
  calls: number
}

export const machineFor = (groups: number, ignoreCase: boolean): Machine => ({
  text: "",
  line: 0,
  lines: 1,
  ignoreCase,
  starts: Array.from({ length: groups + 1 }, () => undefined),
  ends: Array.from({ length: groups + 1 }, () => undefined),
  boundStart: undefined,
  boundEnd: undefined,
  left: LEAST_STEPS,
  calls: 0
})

/** The machine is shown a text. */
export const load = (machine: Machine, subject: { text: string; line: number; lines: number }): void => {
  machine.text = subject.text
  machine.line = subject.line
  machine.lines = subject.lines
  if (machine.left >= 0) machine.left += STEPS_PER_CHARACTER * subject.text.length
}

export const isExhausted = (machine: Machine): boolean => machine.left < 0

type Next = (at: number) => boolean
export type Matcher = (machine: Machine, at: number, next: Next) => boolean
/** Where one character ends, -1 when it does not match. */
type Step = (machine: Machine, at: number) => number

const MARK = /^\p{M}$/u

const charAt = (text: string, at: number): string => {
  const code = text.codePointAt(at)
  return code === undefined ? "" : String.fromCodePoint(code)
}

const isPlain = (text: string, at: number): boolean => text.charCodeAt(at) < 0x300 && text.charCodeAt(at) !== 0x5c

/** Behind a character and the marks that stand on it. */
export const behindChar = (text: string, at: number): number => {
  let end = at + charAt(text, at).length
  if (end < text.length && !isPlain(text, end)) while (MARK.test(charAt(text, end))) end += charAt(text, end).length
  return end
}

export const isMarkAt = (text: string, at: number): boolean =>
  at < text.length && text.charCodeAt(at) >= 0x300 && MARK.test(charAt(text, at))

const charBefore = (text: string, at: number): string => {
  if (at <= 0) return ""
  let from = at - 1
  while (from > 0 && (/[\udc00-\udfff]/.test(text.charAt(from)) || isMarkAt(text, from))) from--
  return charAt(text, from)
}

const EDGES: Readonly<Record<Edge, (machine: Machine, at: number) => boolean>> = {
  lineStart: ({ text }, at) => at === 0 || text[at - 1] === "\n",
  lineEnd: ({ text }, at) => at === text.length || text[at] === "\n",
  wordStart: ({ text }, at) => {
    const kind = charClass(charAt(text, at), false)
    return kind > 1 && text[at] !== "\n" && charClass(charBefore(text, at), false) !== kind
  },
  wordEnd: ({ text }, at) => {
    const kind = charClass(charBefore(text, at), false)
    return kind > 1 && text[at - 1] !== "\n" && charClass(charAt(text, at), false) !== kind
  },
  textStart: ({ line }, at) => line === 0 && at === 0,
  textEnd: ({ text, line, lines }, at) => {
    const breaks = text.slice(0, at).split("\n").length - 1
    return line + breaks >= lines - 1 && (at === text.length || text[at] === "\n")
  }
}

const PLACES: Readonly<Record<string, (machine: Machine, at: number) => number>> = {
  l: ({ text, line }, at) => line + text.slice(0, at).split("\n").length,
  c: ({ text }, at) => {
    const from = text.lastIndexOf("\n", at - 1) + 1
    return bytesBefore(text.slice(from), at - from) + 1
  }
}

const stepOf = (node: Node): Step | undefined => {
  if (node.kind === "char") {
    const { test, breaks } = node
    return ({ text, ignoreCase }, at) => {
      const char = charAt(text, at)
      if (char === "\n") return breaks ? at + 1 : -1
      return char !== "" && test(char, ignoreCase) ? behindChar(text, at) : -1
    }
  }
  if (node.kind !== "text" || Array.from(node.text).length !== 1) return undefined
  const { text: own } = node
  return ({ text, ignoreCase }, at) => (sameChar(charAt(text, at), own, ignoreCase) ? at + charAt(text, at).length : -1)
}

const repeatSteps =
  (step: Step, rule: { least: number; most: number; lazy: boolean }): Matcher =>
  (machine, at, next) => {
    const { least, most, lazy } = rule
    const places = [at]
    for (let place = at; places.length <= (lazy ? least : most);) {
      place = step(machine, place)
      if (place < 0) break
      machine.left--
      places.push(place)
    }
    if (!lazy) {
      for (let index = places.length - 1; index >= least; index--) {
        if (isExhausted(machine)) return false
        machine.left--
        if (next(places[index] ?? at)) return true
      }
      return false
    }
    if (places.length <= least) return false
    let place = places[least] ?? at
    for (let count = least; ; count++) {
      if (isExhausted(machine)) return false
      machine.left--
      if (next(place)) return true
      if (count >= most) return false
      place = step(machine, place)
      if (place < 0) return false
    }
  }

/** How many calls a matcher makes within each other until it calls what follows it, at most. */
const callsOf = (node: Node): number => {
  switch (node.kind) {
    case "list":
    case "some":
    case "all": {
      const items = merged("parts" in node ? node.parts : node.items)
      return items.reduce((sum, item) => sum + callsOf(item), items.length > 1 ? 2 * items.length + 2 : 0)
    }
    case "choice":
      return 3 + Math.max(...node.branches.map(callsOf))
    case "group":
    case "look":
    case "atomic":
      return 2 + callsOf(node.body)
    case "repeat":
      return stepOf(node.body) === undefined ? 4 + callsOf(node.body) : 1
    default:
      return 1
  }
}

/** Even without a repetition it would need more stack than there may be. */
export const isTooLong = (node: Node): boolean => callsOf(node) > MOST_CALLS

const repeatBody = (body: Matcher, rule: { least: number; most: number; lazy: boolean }, calls: number): Matcher => {
  const { least, most, lazy } = rule
  return (machine, start, next) => {
    const again = (at: number, count: number): boolean => {
      machine.left--
      if (machine.calls > MOST_CALLS) machine.left = -1
      if (isExhausted(machine)) return false
      const more = (): boolean => {
        if (count >= most) return false
        machine.calls += calls
        // What matches nothing once matches nothing as often as one likes.
        const found = body(machine, at, (to) =>
          to === at && count >= least ? false : again(to, to === at ? least : count + 1)
        )
        machine.calls -= calls
        return found
      }
      if (count < least) return more()
      return lazy ? next(at) || more() : more() || next(at)
    }
    return again(start, 0)
  }
}

const sequence = (parts: ReadonlyArray<Matcher>): Matcher => {
  const [only, second] = parts
  if (only !== undefined && second === undefined) return only
  return (machine, start, next) => {
    const run = (at: number, index: number): boolean => {
      const part = parts[index]
      return part === undefined ? next(at) : part(machine, at, (to) => run(to, index + 1))
    }
    return run(start, 0)
  }
}

/** Restores what a matcher noted when what follows does not match. */
const noting =
  (note: (machine: Machine, at: number) => () => void): Matcher =>
  (machine, at, next) => {
    const restore = note(machine, at)
    if (next(at)) return true
    restore()
    return false
  }

const BOUNDS = {
  start: noting((machine, at) => {
    const old = machine.boundStart
    machine.boundStart = at
    return () => void (machine.boundStart = old)
  }),
  end: noting((machine, at) => {
    const old = machine.boundEnd
    machine.boundEnd = at
    return () => void (machine.boundEnd = old)
  })
}

const group =
  (body: Matcher, index: number): Matcher =>
  (machine, at, next) =>
    body(machine, at, (to) => {
      const [start, end] = [machine.starts[index], machine.ends[index]]
      machine.starts[index] = at
      machine.ends[index] = to
      if (next(to)) return true
      machine.starts[index] = start
      machine.ends[index] = end
      return false
    })

const backReference =
  (index: number): Matcher =>
  (machine, at, next) => {
    const { text, starts, ends, ignoreCase } = machine
    const [start, end] = [starts[index], ends[index]]
    const own = start === undefined || end === undefined ? "" : text.slice(start, end)
    const there = text.slice(at, at + own.length)
    const isSame = own === there || (ignoreCase && own.toLowerCase() === there.toLowerCase())
    return isSame && next(at + own.length)
  }

const look =
  (body: Matcher, rule: { behind: boolean; negative: boolean }): Matcher =>
  (machine, at, next) => {
    let found = false
    if (!rule.behind) found = body(machine, at, () => true)
    for (let from = at; rule.behind && from >= 0 && !found && !isExhausted(machine); from--) {
      machine.left--
      found = body(machine, from, (to) => to === at)
    }
    return found !== rule.negative && next(at)
  }

const atomic =
  (body: Matcher): Matcher =>
  (machine, at, next) => {
    let end: number | undefined
    body(machine, at, (to) => {
      end = to
      return true
    })
    return end !== undefined && next(end)
  }

const textMatcher =
  (own: string): Matcher =>
  (machine, at, next) => {
    if (!machine.ignoreCase) return machine.text.startsWith(own, at) && next(at + own.length)
    const there = machine.text.slice(at, at + own.length)
    return there.toLowerCase() === own.toLowerCase() && next(at + own.length)
  }

const choice =
  (branches: ReadonlyArray<Matcher>): Matcher =>
  (machine, at, next) => {
    machine.left--
    return !isExhausted(machine) && branches.some((branch) => branch(machine, at, next))
  }

/** As many of the parts as match, the most first. */
const some =
  (parts: ReadonlyArray<Matcher>): Matcher =>
  (machine, start, next) => {
    const run = (at: number, index: number): boolean =>
      (parts[index]?.(machine, at, (to) => run(to, index + 1)) ?? false) || next(at)
    return run(start, 0)
  }

/** Texts beside each other are one text. */
const merged = (items: ReadonlyArray<Node>): ReadonlyArray<Node> => {
  const out: Array<Node> = []
  for (const item of items) {
    const last = out.at(-1)
    if (item.kind === "text" && last?.kind === "text") out[out.length - 1] = { kind: "text", text: last.text + item.text }
    else out.push(item)
  }
  return out
}

const repeat = (node: Extract<Node, { kind: "repeat" }>): Matcher => {
  const step = stepOf(node.body)
  return step === undefined ? repeatBody(compile(node.body), node, callsOf(node)) : repeatSteps(step, node)
}

export const compile = (node: Node): Matcher => {
  switch (node.kind) {
    case "text":
      return textMatcher(node.text)
    case "char": {
      const step = stepOf(node)
      return (machine, at, next) => {
        const to = step?.(machine, at) ?? -1
        return to >= 0 && next(to)
      }
    }
    case "break":
      return ({ text }, at, next) => text[at] === "\n" && next(at + 1)
    case "edge": {
      const holds = EDGES[node.edge]
      return (machine, at, next) => holds(machine, at) && next(at)
    }
    case "place": {
      const { sign, value } = node
      const measure = PLACES[node.unit] ?? PLACES["c"]
      return (machine, at, next) => Math.sign((measure?.(machine, at) ?? 0) - value) === sign && next(at)
    }
    case "group":
      return node.index === undefined ? compile(node.body) : group(compile(node.body), node.index)
    case "choice":
      return choice(node.branches.map(compile))
    case "all": {
      const parts = node.parts.map(compile)
      const looks = parts.slice(0, -1).map((part) => look(part, { behind: false, negative: false }))
      return sequence([...looks, ...parts.slice(-1)])
    }
    case "list":
      return sequence(merged(node.items).map(compile))
    case "some":
      return some(node.items.map(compile))
    case "repeat":
      return repeat(node)
    case "look":
      return look(compile(node.body), node)
    case "atomic":
      return atomic(compile(node.body))
    case "bound":
      return node.end ? BOUNDS.end : BOUNDS.start
    case "again":
      return backReference(node.index)
  }
}
