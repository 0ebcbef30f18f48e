import fs from "node:fs"

/** The few calls that writing a transcript needs, so that tests can make each of them fail. */
export interface FileFacts {
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mode: number
  readonly isFile: boolean
}

export interface Disk {
  readonly open: (path: string, flags: number, mode: number) => number
  readonly write: (fd: number, bytes: Uint8Array, from: number) => number
  readonly read: (fd: number, into: Uint8Array, position: number) => number
  readonly facts: (fd: number) => FileFacts
  /** Facts of a path without following a link; null when nothing is there. */
  readonly factsAt: (path: string) => FileFacts | null
  readonly chmod: (fd: number, mode: number) => void
  readonly rename: (from: string, to: string) => void
  readonly remove: (path: string) => void
  readonly close: (fd: number) => void
  readonly datasync: (fd: number, done: (error: Error | null) => void) => void
  /** Makes a new name durable. Not every file system can; then there is nothing more to do. */
  readonly syncDirectory: (path: string, done: () => void) => void
}

const factsOf = (stats: fs.Stats): FileFacts => ({
  dev: stats.dev,
  ino: stats.ino,
  size: stats.size,
  mode: stats.mode & 0o777,
  isFile: stats.isFile()
})

export const nodeDisk: Disk = {
  open: (path, flags, mode) => fs.openSync(path, flags, mode),
  write: (fd, bytes, from) => fs.writeSync(fd, bytes, from),
  read: (fd, into, position) => fs.readSync(fd, into, 0, into.length, position),
  facts: (fd) => factsOf(fs.fstatSync(fd)),
  factsAt: (path) => {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? null : factsOf(stats)
  },
  chmod: (fd, mode) => fs.fchmodSync(fd, mode),
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.rmSync(path, { force: true }),
  close: (fd) => fs.closeSync(fd),
  datasync: (fd, done) => fs.fdatasync(fd, done),
  syncDirectory: (path, done) =>
    fs.open(path, "r", (failed, fd) => {
      if (failed !== null) return done()
      fs.fsync(fd, () => fs.close(fd, () => done()))
    })
}
