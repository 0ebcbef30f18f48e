import type { FileCount, GrepLine } from "../../core/tools/search/search-result.ts"
import { LONG_LINE } from "./long-line.ts"

/**
 * Reads ripgrep's output while it arrives. With `--null` a path ends with NUL, so that no file name can be mistaken
 * for anything else. A reader answers false when it has seen enough.
 */
export interface OutputReader {
  readonly read: (chunk: Buffer) => boolean
  /** After the last byte. */
  readonly end: () => void
}

const NUL = 0
const NEWLINE = 10

/** Output that is nothing but paths. */
export const pathReader = (accept: (path: string) => void): OutputReader => {
  let pending: Buffer = Buffer.alloc(0)
  return {
    read: (chunk) => {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      let start = 0
      for (let end = bytes.indexOf(NUL, start); end !== -1; end = bytes.indexOf(NUL, start)) {
        accept(bytes.toString("utf8", start, end))
        start = end + 1
      }
      pending = bytes.subarray(start)
      return true
    },
    end: () => undefined
  }
}

interface RecordSink {
  /** A path and the rest of its line; false when no more is wanted. */
  readonly record: (path: string, rest: string) => boolean
  /** Lines without a path: separators and notices about binary files. */
  readonly bare: (line: string) => boolean
}

/** Output of lines that begin with a path. What stands before the path, back to the last record, are bare lines. */
const recordReader = (root: string, sink: RecordSink): OutputReader => {
  let pending: Buffer = Buffer.alloc(0)
  const bareLines = (text: string): boolean => text.split("\n").filter(Boolean).every(sink.bare)
  const one = (head: string, rest: string): boolean => {
    const cut = head.lastIndexOf(`\n${root}`)
    return bareLines(cut === -1 ? "" : head.slice(0, cut)) && sink.record(head.slice(cut + 1), rest)
  }
  return {
    read: (chunk) => {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      let start = 0
      for (;;) {
        const nul = bytes.indexOf(NUL, start)
        const newline = nul === -1 ? -1 : bytes.indexOf(NEWLINE, nul)
        if (newline === -1) break
        if (!one(bytes.toString("utf8", start, nul), bytes.toString("utf8", nul + 1, newline))) return false
        start = newline + 1
      }
      pending = bytes.subarray(start)
      return true
    },
    end: () => {
      bareLines(pending.toString("utf8"))
    }
  }
}

export const countReader = (root: string, accept: (count: FileCount) => void): OutputReader =>
  recordReader(root, {
    record: (path, rest) => {
      accept({ path, count: Number(rest) })
      return true
    },
    bare: () => true
  })

const NUMBERED = /^(\d+)([:-])([\s\S]*)$/
const BINARY = /^([\s\S]*): binary file matches /
const OMITTED = new Set(["[Omitted long matching line]", "[Omitted long context line]"])

const shownText = (text: string): string => (OMITTED.has(text) ? LONG_LINE : text.replace(/\r$/, ""))

const grepLine = (path: string, rest: string): GrepLine | undefined => {
  const parts = NUMBERED.exec(rest)
  if (parts === null) return undefined
  const [, line, mark, text = ""] = parts
  return { kind: mark === ":" ? "match" : "context", path, line: Number(line), text: shownText(text) }
}

const bareLine = (line: string): GrepLine | undefined => {
  if (line === "--") return { kind: "separator" }
  const path = BINARY.exec(line)?.[1]
  return path === undefined ? undefined : { kind: "notice", path, text: "binary file matches" }
}

export const lineReader = (root: string, accept: (line: GrepLine) => boolean): OutputReader =>
  recordReader(root, {
    record: (path, rest) => {
      const line = grepLine(path, rest)
      return line === undefined || accept(line)
    },
    bare: (text) => {
      const line = bareLine(text)
      return line === undefined || accept(line)
    }
  })
