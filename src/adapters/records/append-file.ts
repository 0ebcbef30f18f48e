import path from "node:path"
import { RecordsFailure } from "../../core/ports/Records.ts"
import type { Disk } from "./disk.ts"
import { APPEND_FLAGS, CREATE_FLAGS, PRIVATE_FILE, requirePrivateDirectory, requireSamePlace } from "./guard.ts"

/** Whole lines that go into the file with one write. */
export interface Batch {
  bytes: Uint8Array
  /** How much of it is in the file already, after a write that stopped half-way. */
  done: number
  readonly lines: number
}

interface OpenFile {
  readonly fd: number
  readonly dev: number
  readonly ino: number
}

export interface AppendFileOptions {
  readonly home: string
  readonly path: string
  readonly disk: Disk
  /** Closes a descriptor that is no longer written to, when nothing uses it any more. */
  readonly retire: (fd: number) => void
}

const NEWLINE = Uint8Array.of(0x0a)
const COPY_BYTES = 1024 * 1024
const MOST_LOOKS = 32

const afterNewline = (bytes: Uint8Array): Uint8Array => Buffer.concat([NEWLINE, bytes])

/**
 * A file that only grows. It is opened by the first batch, keeps a torn end apart from what follows, and comes back
 * when somebody deletes it: the descriptor still reaches the content.
 */
export class AppendFile {
  private file: OpenFile | null = null
  /** The file ends inside a line that is not ours to finish. */
  private torn = false
  /** Size after our own write stopped half-way; any other size means that somebody appended since. */
  private sizeAtStop = 0

  private readonly options: AppendFileOptions

  constructor(options: AppendFileOptions) {
    this.options = options
  }

  get fd(): number | null {
    return this.file?.fd ?? null
  }

  /** Opens an existing file now, so that its faults show early; a missing one is left to the first batch. */
  openExisting(): void {
    if (this.options.disk.factsAt(this.options.path) !== null) this.open()
  }

  /** Writes the rest of a batch or throws; a later call with the same batch goes on where it stopped. */
  put(batch: Batch): void {
    const { disk } = this.options
    const fd = this.reachable(batch).fd
    if (batch.done > 0 && disk.facts(fd).size !== this.sizeAtStop) {
      batch.done = 0
      this.torn = true
    }
    if (this.torn) {
      batch.bytes = afterNewline(batch.bytes)
      this.torn = false
    }
    try {
      while (batch.done < batch.bytes.length) {
        const written = disk.write(fd, batch.bytes, batch.done)
        if (written <= 0) throw this.failure("EIO", "the disk takes no more bytes")
        batch.done += written
      }
    } catch (error) {
      if (batch.done > 0) this.sizeAtStop = disk.facts(fd).size
      throw error
    }
  }

  close(): void {
    if (this.file !== null) this.options.retire(this.file.fd)
    this.file = null
  }

  private failure(code: string, message: string): RecordsFailure {
    return new RecordsFailure({ path: this.options.path, code, message })
  }

  /** The open file, if its path still leads to it. */
  private reachable(batch: Batch): OpenFile {
    if (this.file === null) return this.open()
    const there = this.options.disk.factsAt(this.options.path)
    if (there === null) return this.bringBack(this.file)
    if (there.dev === this.file.dev && there.ino === this.file.ino) return this.file
    this.close()
    batch.done = 0
    return this.open()
  }

  private open(): OpenFile {
    const { home, path: place, disk } = this.options
    requirePrivateDirectory(home, path.dirname(place))
    const fd = disk.open(place, APPEND_FLAGS, PRIVATE_FILE)
    try {
      requireSamePlace(home, place)
      this.file = this.adopt(fd)
      this.torn = this.endsInsideLine(fd)
      return this.file
    } catch (error) {
      this.file = null
      disk.close(fd)
      throw error
    }
  }

  private adopt(fd: number): OpenFile {
    const { disk } = this.options
    const facts = disk.facts(fd)
    if (!facts.isFile) throw this.failure("EINVAL", "the transcript is not a regular file")
    if ((facts.mode & 0o077) !== 0) disk.chmod(fd, PRIVATE_FILE)
    return { fd, dev: facts.dev, ino: facts.ino }
  }

  /** A long line of another process appears page by page: an end that is torn now may be whole at the next look. */
  private endsInsideLine(fd: number): boolean {
    for (let looks = 0; looks < MOST_LOOKS; looks++) if (!this.isTornNow(fd)) return false
    return true
  }

  private isTornNow(fd: number): boolean {
    const { size } = this.options.disk.facts(fd)
    if (size === 0) return false
    const last = new Uint8Array(1)
    return this.options.disk.read(fd, last, size - 1) === 1 && last[0] !== NEWLINE[0]
  }

  /** Copies the deleted file under its name again; the name appears only when the copy is whole. */
  private bringBack(lost: OpenFile): OpenFile {
    const { home, path: place, disk } = this.options
    requirePrivateDirectory(home, path.dirname(place))
    const copy = `${place}.restored`
    disk.remove(copy)
    const fd = disk.open(copy, CREATE_FLAGS, PRIVATE_FILE)
    try {
      requireSamePlace(home, copy)
      this.copyAll(lost.fd, fd)
      disk.rename(copy, place)
    } catch (error) {
      disk.close(fd)
      disk.remove(copy)
      throw error
    }
    this.options.retire(lost.fd)
    this.file = this.adopt(fd)
    return this.file
  }

  private copyAll(from: number, to: number): void {
    const { disk } = this.options
    const chunk = new Uint8Array(COPY_BYTES)
    let position = 0
    for (let read = disk.read(from, chunk, 0); read > 0; read = disk.read(from, chunk, position)) {
      const piece = chunk.subarray(0, read)
      for (let done = 0; done < read;) done += disk.write(to, piece, done)
      position += read
    }
  }
}
