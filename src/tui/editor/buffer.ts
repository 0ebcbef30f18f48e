/**
 * The text of an editor as an immutable value: logical lines, at least one. Lines are kept in chunks, so that a change
 * of a long text copies little of it, however many changes one command makes.
 */
import type { Lines, Position } from "./lines.ts"

type Chunk = ReadonlyArray<string>

const CHUNK_LINES = 512

export interface Buffer extends Lines {
  /** All lines; made when they are asked for. */
  readonly lines: ReadonlyArray<string>
  /** The text with other lines in place of `removed` ones from `line` on. */
  readonly spliced: (line: number, removed: number, inserted: ReadonlyArray<string>) => Buffer
  /** The same for single lines, in any order: what they share is copied once. */
  readonly withLines: (texts: Iterable<readonly [line: number, text: string]>) => Buffer
}

const inChunks = (lines: ReadonlyArray<string>): ReadonlyArray<Chunk> => {
  if (lines.length <= 2 * CHUNK_LINES) return [lines]
  const chunks: Array<Chunk> = []
  for (let from = 0; from < lines.length; from += CHUNK_LINES) chunks.push(lines.slice(from, from + CHUNK_LINES))
  return chunks
}

const bufferOfChunks = (chunks: ReadonlyArray<Chunk>): Buffer => {
  const starts: Array<number> = []
  let count = 0
  for (const chunk of chunks) {
    starts.push(count)
    count += chunk.length
  }
  let whole: ReadonlyArray<string> | undefined
  const chunkOf = (line: number): number => {
    let [low, high] = [0, chunks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    count,
    at: (line) => {
      const index = chunks.length === 1 ? 0 : chunkOf(line)
      return chunks[index]?.[line - (starts[index] ?? 0)] ?? ""
    },
    get lines() {
      whole ??= chunks.length === 1 ? (chunks[0] ?? []) : chunks.flat()
      return whole
    },
    spliced: (line, removed, inserted) => {
      const [first, last] = [chunkOf(line), chunkOf(line + removed)]
      const head = chunks[first]?.slice(0, line - (starts[first] ?? 0)) ?? []
      const tail = chunks[last]?.slice(line + removed - (starts[last] ?? 0)) ?? []
      // Whole arrays at once: flattening and spreading go element by element, and every change passes here.
      const middle = head.concat(inserted, tail)
      const made = middle.length === 0 ? [] : inChunks(middle)
      const all = chunks.slice(0, first).concat(made, chunks.slice(last + 1))
      return all.length === 0 ? bufferOfLines([]) : bufferOfChunks(all)
    },
    withLines: (texts) => {
      const copies = new Map<number, Array<string>>()
      for (const [line, text] of texts) {
        const index = chunkOf(line)
        const copy = copies.get(index) ?? [...(chunks[index] ?? [])]
        copies.set(index, copy)
        copy[line - (starts[index] ?? 0)] = text
      }
      return bufferOfChunks(chunks.map((chunk, index) => copies.get(index) ?? chunk))
    }
  }
}

export const bufferOfLines = (lines: ReadonlyArray<string>): Buffer =>
  bufferOfChunks(inChunks(lines.length === 0 ? [""] : lines))

export const bufferOf = (text: string): Buffer => bufferOfLines(text.split("\n"))

export const textOf = (buffer: Buffer): string => buffer.lines.join("\n")

export const isEmpty = (buffer: Buffer): boolean => buffer.count === 1 && buffer.at(0) === ""

export const endOf = (lines: Lines): Position => ({
  line: lines.count - 1,
  column: lines.at(lines.count - 1).length
})

export const sliceLines = (lines: Lines, from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, Math.min(to, lines.count) - from) }, (_, index) => lines.at(from + index))
