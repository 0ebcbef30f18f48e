/**
 * Identifiers. The core never draws random numbers: the shell passes a seed in an event and every id that the core
 * needs afterwards is derived from it, so that a replay makes the same ids.
 */
export type Uuid = string
export type CallId = string
export type SessionId = string
export type RequestId = string
/** Within a session; the first one talks to the user. */
export type AgentId = string
export const MAIN_AGENT: AgentId = "main"

/** Four 32-bit words of a small fast counter generator (sfc32) with good dispersion. */
export interface IdSource {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly counter: number
}

interface Draw {
  readonly words: readonly [number, number, number, number]
  readonly source: IdSource
}

const nextWord = (s: IdSource): readonly [number, IdSource] => {
  const sum = (s.a + s.b + s.counter) | 0
  const rotated = (s.c << 21) | (s.c >>> 11)
  return [
    sum >>> 0,
    {
      a: (s.b ^ (s.b >>> 9)) | 0,
      b: (s.c + (s.c << 3)) | 0,
      c: (rotated + sum) | 0,
      counter: (s.counter + 1) | 0
    }
  ]
}

const draw = (source: IdSource): Draw => {
  const [first, s1] = nextWord(source)
  const [second, s2] = nextWord(s1)
  const [third, s3] = nextWord(s2)
  const [fourth, s4] = nextWord(s3)
  return { words: [first, second, third, fourth], source: s4 }
}

const hex = (word: number): string => word.toString(16).padStart(8, "0")

/** A source from 32 hexadecimal digits (or a uuid); other text is folded into the words so that any seed works. */
export const idSource = (seed: string): IdSource => {
  const words = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1]
  for (let index = 0; index < seed.length; index++) {
    const slot = index & 3
    words[slot] = Math.imul((words[slot] ?? 0) ^ seed.charCodeAt(index), 0x01000193)
  }
  let source: IdSource = { a: words[0] ?? 0, b: words[1] ?? 0, c: words[2] ?? 0, counter: words[3] ?? 1 }
  for (let round = 0; round < 12; round++) source = nextWord(source)[1]
  return source
}

/** The next uuid (version 4 layout) and the source after it. */
export const nextUuid = (source: IdSource): readonly [Uuid, IdSource] => {
  const { words, source: rest } = draw(source)
  const text = words.map(hex).join("")
  const variant = ((words[2] >>> 28) & 0x3) | 0x8
  const uuid = `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant.toString(16)}${text.slice(17, 20)}-${text.slice(20, 32)}`
  return [uuid, rest]
}

/** Uuid of the n-th part of a message that is split: the parent's first 24 characters and the index. */
export const partUuid = (parent: Uuid, index: number): Uuid => parent.slice(0, 24) + index.toString(16).padStart(12, "0")
