import type { FileHandle } from "node:fs/promises"
import { open } from "node:fs/promises"
import { LIMITS } from "../../core/domain/limits.ts"
import type { LineVisitor, ScanOptions } from "../../core/ports/Records.ts"
import type { Span } from "../../core/session/load/transcript-index.ts"
import type { ScanReport } from "../../core/session/load/notice.ts"
import { isRaw } from "../../core/domain/json/json-object.ts"

/**
 * Reads a file of JSON lines from start to end: one buffer, one parse per line, nothing kept. Lines that are not JSON
 * object are counted and passed over, so any bytes whatsoever can be read.
 */
const CHUNK_BYTES = 2 * 1024 * 1024
const NEWLINE = 0x0a
const BOM = [0xef, 0xbb, 0xbf] as const

/** The value of one line, or undefined when it is none. */
export const parseLine = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isRaw(value) ? value : undefined
  } catch {
    return undefined
  }
}

class LineScan {
  lines = 0
  invalid = 0
  oversized = 0
  tornTail = false
  private readonly visit: LineVisitor
  private readonly onInvalid: (text: string) => void

  constructor(visit: LineVisitor, options: ScanOptions) {
    this.visit = visit
    this.onInvalid = options.onInvalid ?? (() => {})
  }

  /** False when the line is neither a record nor blank. */
  line(buffer: Buffer, span: Span, from: number): boolean {
    const { length } = span
    if (length > LIMITS.inputLineBytes) {
      this.oversized++
      return false
    }
    const text = buffer.toString("utf8", from, from + length)
    const value = parseLine(text)
    if (value !== undefined) {
      this.lines++
      this.visit(value, span, text)
      return true
    }
    if (text.trim() === "") return true
    this.invalid++
    this.onInvalid(text)
    return false
  }
}

const hasBom = (buffer: Buffer, end: number): boolean => end >= BOM.length && BOM.every((byte, at) => buffer[at] === byte)

/** A buffer over a file: unread bytes at its front, more read behind them. It grows only for a line longer than it. */
class Window {
  buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  end = 0
  /** Where the buffer's first byte stands in the file. */
  offset = 0
  private readonly file: FileHandle

  constructor(file: FileHandle) {
    this.file = file
  }

  drop(count: number): void {
    this.buffer.copyWithin(0, count, this.end)
    this.end -= count
    this.offset += count
  }

  /** Reads on; false at the end of the file. */
  async more(): Promise<boolean> {
    if (this.end === this.buffer.length) {
      const larger = Buffer.allocUnsafe(this.buffer.length * 2)
      this.buffer.copy(larger, 0, 0, this.end)
      this.buffer = larger
    }
    const room = this.buffer.length - this.end
    const { bytesRead } = await this.file.read(this.buffer, this.end, room, this.offset + this.end)
    this.end += bytesRead
    return bytesRead > 0
  }
}

/** Visits the whole lines in the window and drops them; what remains is the start of a line. */
const takeLines = (window: Window, scan: LineScan): void => {
  let from = window.offset === 0 && hasBom(window.buffer, window.end) ? BOM.length : 0
  const { buffer, end } = window
  for (let at = buffer.indexOf(NEWLINE, from); at >= 0 && at < end; at = buffer.indexOf(NEWLINE, from)) {
    scan.line(buffer, { offset: window.offset + from, length: at - from }, from)
    from = at + 1
  }
  window.drop(from)
}

/** Passes over the rest of a line that is too long; false when the file ends in it. */
const skipLine = async (window: Window): Promise<boolean> => {
  for (;;) {
    const at = window.buffer.subarray(0, window.end).indexOf(NEWLINE)
    if (at >= 0) {
      window.drop(at + 1)
      return true
    }
    window.drop(window.end)
    if (!(await window.more())) return false
  }
}

const scanHandle = async (file: FileHandle, scan: LineScan): Promise<void> => {
  const window = new Window(file)
  while (await window.more()) {
    takeLines(window, scan)
    if (window.end <= LIMITS.inputLineBytes) continue
    scan.oversized++
    if (!(await skipLine(window))) return
    takeLines(window, scan)
  }
  if (window.end === 0) return
  scan.tornTail = !scan.line(window.buffer, { offset: window.offset, length: window.end }, 0)
}

export const scanFile = async (path: string, visit: LineVisitor, options: ScanOptions = {}): Promise<ScanReport> => {
  const file = await open(path, "r")
  try {
    const scan = new LineScan(visit, options)
    await scanHandle(file, scan)
    const { lines, invalid, oversized, tornTail } = scan
    return { lines, invalid, oversized, tornTail }
  } finally {
    await file.close()
  }
}

const endOf = ({ offset, length }: Span): number => offset + length

/** Neighbours are read together: one read for a stretch of lines instead of one for each. */
const stretchesOf = (spans: ReadonlyArray<Span>): ReadonlyArray<ReadonlyArray<Span>> => {
  const stretches: Array<Array<Span>> = []
  for (const span of spans) {
    const stretch = stretches.at(-1)
    const [first] = stretch ?? []
    const last = stretch?.at(-1)
    const follows = last !== undefined && span.offset >= endOf(last)
    if (stretch !== undefined && first !== undefined && follows && endOf(span) - first.offset <= CHUNK_BYTES) {
      stretch.push(span)
    } else stretches.push([span])
  }
  return stretches
}

const readStretch = async (file: FileHandle, spans: ReadonlyArray<Span>): Promise<ReadonlyArray<unknown>> => {
  const [first] = spans
  const last = spans.at(-1)
  if (first === undefined || last === undefined) return []
  const wanted = endOf(last) - first.offset
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, first.offset)
  return spans.map(({ offset, length }) => {
    const from = offset - first.offset
    return parseLine(buffer.toString("utf8", from, Math.min(from + length, bytesRead))) ?? null
  })
}

/** Lines at known places, in the order asked for; null where there is no such line any more. */
export const readSpans = async (path: string, spans: ReadonlyArray<Span>): Promise<ReadonlyArray<unknown>> => {
  if (spans.length === 0) return []
  const file = await open(path, "r")
  try {
    const values: Array<unknown> = []
    for (const stretch of stretchesOf(spans)) for (const value of await readStretch(file, stretch)) values.push(value)
    return values
  } finally {
    await file.close()
  }
}
