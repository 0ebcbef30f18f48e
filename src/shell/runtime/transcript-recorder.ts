import type { Uuid } from "../../core/domain/id.ts"
import type { Message } from "../../core/domain/message.ts"
import type { RecordsWriter } from "../../core/ports/Records.ts"
import { isBoundaryLine } from "../../core/session/transcript/boundary.ts"
import { emptyChain, recordMessages, type ChainState, type LineContext } from "../../core/session/transcript/chain.ts"
import type { MetaRecord } from "../../core/session/transcript/meta-record.ts"
import type { Redaction } from "../../core/domain/secrets/redact.ts"
import { serialise } from "../../core/session/transcript/serialise.ts"
import { STANDING_BYTES, standingRecords, withRecords, type SessionRecords } from "../../core/session/transcript/standing.ts"

/** Where a continued file left off. */
export interface Continued {
  readonly chain: ChainState
  readonly standing: SessionRecords
}

export interface RecorderOptions {
  readonly writer: Pick<RecordsWriter, "append">
  readonly context: LineContext
  /** Null writes tool results as they are. */
  readonly redaction: Redaction | null
  readonly continued?: Continued
  readonly now?: () => string
}

const wallClock = (): string => new Date().toISOString()

const speaks = (message: Message): boolean => message.type === "user" || message.type === "assistant"

/** Records that other readers expect a time on. */
const TIMED: ReadonlySet<string> = new Set(["queue-operation", "cost-state", "pr-link"])

/**
 * Messages and records of one conversation to lines of one file, in the order of the calls. All of it is synchronous.
 * One recorder per file: the main conversation has one, each agent has its own.
 */
export class Recorder {
  private readonly writer: Pick<RecordsWriter, "append">
  private readonly redaction: Redaction | null
  private readonly now: () => string
  private context: LineContext
  private chain: ChainState
  private standing: SessionRecords
  /** Lines before the first message: a session in which nobody spoke leaves no file. Null once there is one. */
  private early: Array<string> | null
  private charsSinceStanding = 0

  constructor({ writer, context, redaction, continued, now }: RecorderOptions) {
    this.writer = writer
    this.context = context
    this.redaction = redaction
    this.now = now ?? wallClock
    this.chain = continued?.chain ?? emptyChain
    this.standing = continued?.standing ?? new Map()
    this.early = this.chain.count > 0 ? null : []
  }

  get tip(): Uuid | null {
    return this.chain.tip
  }

  setContext(patch: Partial<LineContext>): void {
    this.context = { ...this.context, ...patch }
  }

  /**
   * Writes the messages that are not in the file yet, in one go; the first of them continues `parent`, and notes stand
   * before the last one.
   */
  record(messages: ReadonlyArray<Message>, parent?: Uuid | null, notes: ReadonlyArray<MetaRecord> = []): void {
    const { state, lines } = recordMessages(this.chain, messages, { context: this.context, parent })
    if (lines.length === 0) return
    this.chain = state
    const texts = lines.map((line) => serialise({ ...line }, this.redaction))
    const first = lines.some(speaks) ? this.takeEarly() : []
    const noted = notes.map((record) => this.recordLine(record))
    this.put([...first, ...texts.slice(0, -1), ...noted, ...texts.slice(-1)], lines.some(isBoundaryLine))
  }

  note(record: MetaRecord): void {
    this.standing = withRecords(this.standing, [record])
    // What is named goes on from there, whatever was written behind it.
    if (record.type === "last-prompt" && typeof record.leafUuid === "string")
      this.chain = { ...this.chain, tip: record.leafUuid }
    this.put([this.recordLine(record)])
  }

  /** Leaves the standing records at the end of the file, where lists look for them. */
  finish(): void {
    if (this.early === null && this.charsSinceStanding > 0) this.put(this.standingLines())
    this.charsSinceStanding = 0
  }

  private recordLine(record: MetaRecord): string {
    const timestamp = TIMED.has(record.type) ? { timestamp: this.now() } : {}
    return JSON.stringify({ ...timestamp, ...record, sessionId: this.context.sessionId })
  }

  private takeEarly(): ReadonlyArray<string> {
    const early = this.early ?? []
    this.early = null
    return early
  }

  private standingLines(): ReadonlyArray<string> {
    this.charsSinceStanding = 0
    return standingRecords(this.standing, this.chain.tip).map((record) => this.recordLine(record))
  }

  private put(lines: ReadonlyArray<string>, withStanding = false): void {
    if (this.early !== null) {
      this.early.push(...lines)
      return
    }
    this.charsSinceStanding += lines.reduce((sum, line) => sum + line.length + 1, 0)
    const again = withStanding || this.charsSinceStanding >= STANDING_BYTES ? this.standingLines() : []
    this.writer.append([...lines, ...again])
  }
}
