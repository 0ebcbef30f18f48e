import { NO_TABLE, restOfTables, readTablesAloud } from "./spoken-tables.ts"
import { settledLength } from "../text/sanitize.ts"
import { visible } from "./visible.ts"
import { UNWRAPPED, wrapPiece, wrapRest } from "./wrap.ts"

const SPEAKER = "nacre: "

/** The answer while it arrives: with its label, made visible, broken between words. */
export class AnswerStream {
  private wrapping = UNWRAPPED
  private tables = NO_TABLE
  private ready = ""
  private open = false
  /** The end of the text, which cannot be judged before it is known what follows. */
  private unsettled = ""

  get isOpen(): boolean {
    return this.open
  }

  push(piece: string, width: number): void {
    const [spoken, tables] = readTablesAloud(this.tables, piece)
    this.tables = tables
    const text = this.unsettled + spoken
    const end = settledLength(text)
    this.unsettled = text.slice(end)
    this.write(text.slice(0, end), width)
  }

  private write(text: string, width: number): void {
    const shown = visible(this.open ? text : text.trimStart(), "prose")
    if (shown === "") return
    const [written, wrapping] = wrapPiece(this.wrapping, this.open ? shown : `${SPEAKER}${shown}`, width)
    this.ready += written
    this.wrapping = wrapping
    this.open = true
  }

  /** All that may be written now; the last word waits until it is complete. */
  take(): string {
    const text = this.ready
    this.ready = ""
    return text
  }

  /** The same as far as lines are complete. */
  takeLines(): string {
    const end = this.ready.lastIndexOf("\n") + 1
    const text = this.ready.slice(0, end)
    this.ready = this.ready.slice(end)
    return text
  }

  /** The rest: nothing more will come. */
  end(width: number): string {
    this.write(this.unsettled + restOfTables(this.tables), width)
    this.unsettled = ""
    this.tables = NO_TABLE
    const rest = this.take() + wrapRest(this.wrapping, width)
    this.wrapping = UNWRAPPED
    this.open = false
    return rest
  }

  /** Something else was written in the middle of the text: it goes on in a new line. */
  lineBroken(): void {
    this.wrapping = { ...this.wrapping, column: 0, blanks: "" }
  }
}
