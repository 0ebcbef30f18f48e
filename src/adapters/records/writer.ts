import path from "node:path"
import { Effect } from "effect"
import { RecordsFailure, type RecordsWriter, type WriteStatus } from "../../core/ports/Records.ts"
import { AppendFile, type Batch } from "./append-file.ts"
import { nodeDisk, type Disk } from "./disk.ts"
import { failureOf } from "./guard.ts"

/** The writer of one session: strict order, nothing lost while the disk refuses, retried until it gives in. */
const BACKLOG_BYTES = 64 * 1024 * 1024
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 30_000

type Cancel = () => void

export interface WriterOptions {
  readonly home: string
  readonly path: string
  readonly disk?: Disk
  readonly schedule?: (task: () => void, delayMs: number) => Cancel
  readonly now?: () => number
}

/** A waiting retry does not keep the process alive: closing makes the last attempt. */
const afterDelay = (task: () => void, delayMs: number): Cancel => {
  const timer = setTimeout(task, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

const OK: WriteStatus = { _tag: "Ok" }

export class TranscriptWriter implements RecordsWriter {
  readonly path: string
  readonly sync: Effect.Effect<void, RecordsFailure>
  readonly close: Effect.Effect<void>
  private readonly file: AppendFile
  private readonly disk: Disk
  private readonly schedule: (task: () => void, delayMs: number) => Cancel
  private readonly now: () => number
  private readonly listeners = new Set<(status: WriteStatus) => void>()
  private readonly backlog: Array<Batch> = []
  private waitingBytes = 0
  private lostLines = 0
  private current: WriteStatus = OK
  private retries = 0
  private cancelRetry: Cancel | null = null
  private nameIsDurable = false
  private syncing = 0
  private readonly retired: Array<number> = []
  private closed = false

  constructor(options: WriterOptions) {
    this.path = options.path
    this.disk = options.disk ?? nodeDisk
    this.schedule = options.schedule ?? afterDelay
    this.now = options.now ?? Date.now
    this.file = new AppendFile({
      home: options.home,
      path: options.path,
      disk: this.disk,
      retire: (fd) => {
        this.retired.push(fd)
        this.closeRetired()
      }
    })
    this.sync = Effect.callback((resume) =>
      this.syncNow((failure) => resume(failure === null ? Effect.void : Effect.fail(failure)))
    )
    this.close = Effect.callback((resume) => this.closeNow(() => resume(Effect.void)))
  }

  /** Shows the faults of an existing file before anything depends on it. */
  openExisting(): void {
    this.file.openExisting()
  }

  readonly append = (lines: ReadonlyArray<string>): void => {
    if (lines.length === 0 || this.closed) return
    const batch: Batch = { bytes: Buffer.from(`${lines.join("\n")}\n`), done: 0, lines: lines.length }
    if (this.backlog.length > 0) return this.keep(batch)
    try {
      this.file.put(batch)
    } catch (error) {
      this.keep(batch)
      this.failed(error)
    }
  }

  readonly status = (): WriteStatus => this.current

  readonly watch = (listener: (status: WriteStatus) => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private keep(batch: Batch): void {
    if (this.waitingBytes + batch.bytes.length > BACKLOG_BYTES) this.lostLines += batch.lines
    else {
      this.backlog.push(batch)
      this.waitingBytes += batch.bytes.length
    }
    if (this.current._tag === "Failing") this.change({ ...this.current, ...this.counts() })
  }

  private counts() {
    return { waitingBytes: this.waitingBytes, lostLines: this.lostLines }
  }

  private change(status: WriteStatus): void {
    this.current = status
    for (const listener of this.listeners) listener(status)
  }

  private failed(error: unknown): void {
    const { code, message } = failureOf(error, this.path)
    const sinceMs = this.current._tag === "Failing" ? this.current.sinceMs : this.now()
    this.change({ _tag: "Failing", code, message, sinceMs, ...this.counts() })
    if (this.cancelRetry !== null || this.closed) return
    const delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.retries++)
    this.cancelRetry = this.schedule(() => {
      this.cancelRetry = null
      this.flush()
    }, delayMs)
  }

  /** Writes what waits, in order; false when the disk still refuses. */
  private flush(): boolean {
    for (let batch = this.backlog[0]; batch !== undefined; batch = this.backlog[0]) {
      try {
        this.file.put(batch)
      } catch (error) {
        this.failed(error)
        return false
      }
      this.backlog.shift()
      this.waitingBytes -= batch.bytes.length
    }
    this.recovered()
    return true
  }

  private recovered(): void {
    this.cancelRetry?.()
    this.cancelRetry = null
    this.retries = 0
    this.waitingBytes = 0
    if (this.current._tag === "Failing") this.change(OK)
  }

  private syncNow(done: (failure: RecordsFailure | null) => void): void {
    if (!this.flush()) {
      const { code, message } = this.current._tag === "Failing" ? this.current : { code: "EIO", message: "not written" }
      return done(new RecordsFailure({ path: this.path, code, message }))
    }
    const { fd } = this.file
    if (fd === null) return done(null)
    this.syncing++
    this.disk.datasync(fd, (error) => {
      this.syncing--
      this.closeRetired()
      if (error !== null) return done(failureOf(error, this.path))
      if (this.nameIsDurable) return done(null)
      this.nameIsDurable = true
      this.disk.syncDirectory(path.dirname(this.path), () => done(null))
    })
  }

  private closeNow(done: () => void): void {
    if (this.closed) return done()
    this.syncNow(() => {
      this.closed = true
      this.cancelRetry?.()
      this.cancelRetry = null
      this.file.close()
      done()
    })
  }

  /** A descriptor must outlive every sync that was started on it. */
  private closeRetired(): void {
    if (this.syncing > 0) return
    for (const fd of this.retired.splice(0)) this.disk.close(fd)
  }
}
