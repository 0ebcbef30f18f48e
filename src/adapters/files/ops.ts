import fs from "node:fs"

/** The system calls that the adapter makes, as values, so that tests can make each of them fail or be late. */
export interface FileOps {
  readonly open: (path: string, flags: number, mode?: number) => Promise<fs.promises.FileHandle>
  readonly lstat: (path: string) => Promise<fs.BigIntStats>
  /** Nothing where nothing is: an exception takes far longer than the call. */
  readonly lstatIfAny: (path: string) => fs.BigIntStats | undefined
  /** Of what is at the end of all links. */
  readonly statIfAny: (path: string) => fs.BigIntStats | undefined
  readonly readlink: (path: string) => string
  /** Whether the path exists and leads through no link. */
  readonly isPlain: (path: string) => boolean
  /** A handle that keeps a directory, without following a link to it; undefined where the system has none. */
  readonly hold: (path: string) => number | undefined
  /** Where the kept directory is now. */
  readonly heldPath: (handle: number) => string
  readonly release: (handle: number) => void
  readonly readdir: (path: string) => Promise<Array<fs.Dirent>>
  readonly access: (path: string, mode: number) => Promise<void>
  readonly mkdir: (path: string, mode: number) => Promise<void>
  readonly rmdir: (path: string) => Promise<void>
  readonly unlink: (path: string) => Promise<void>
  /** Gives `temp` the name `target` unless `isUnchanged` says no; nothing runs between the look and the change. */
  readonly replace: (temp: string, target: string, isUnchanged: () => boolean) => boolean
  /** Gives `temp` the further name `target`, which must be free. */
  readonly link: (temp: string, target: string) => void
}

/** Linux only: a handle that stands for a place and needs no right to read it. Node has no name for it. */
const O_PATH = 0x20_0000

const HOLDING = O_PATH | (fs.constants.O_DIRECTORY ?? 0) | (fs.constants.O_NOFOLLOW ?? 0)

/** Asked once; a system without it has no way to use names in a directory that is held. */
let hasHandles: boolean | undefined

const canHold = (): boolean => (hasHandles ??= process.platform === "linux" && fs.existsSync("/proc/self/fd"))

const lstatIfAny = (path: string): fs.BigIntStats | undefined => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })

export const nodeOps: FileOps = {
  open: (path, flags, mode) => fs.promises.open(path, flags, mode),
  lstat: async (path) => fs.lstatSync(path, { bigint: true }),
  lstatIfAny,
  statIfAny: (path) => fs.statSync(path, { bigint: true, throwIfNoEntry: false }),
  readlink: (path) => fs.readlinkSync(path),
  isPlain: (path) => {
    try {
      return lstatIfAny(path) !== undefined && fs.realpathSync.native(path) === path
    } catch {
      return false
    }
  },
  hold: (path) => (canHold() ? fs.openSync(path, HOLDING) : undefined),
  heldPath: (handle) => fs.readlinkSync(`/proc/self/fd/${handle}`),
  release: (handle) => fs.closeSync(handle),
  readdir: (path) => fs.promises.readdir(path, { withFileTypes: true }),
  access: (path, mode) => fs.promises.access(path, mode),
  mkdir: (path, mode) => fs.promises.mkdir(path, { mode }),
  rmdir: (path) => fs.promises.rmdir(path),
  unlink: (path) => fs.promises.unlink(path),
  replace: (temp, target, isUnchanged) => {
    if (!isUnchanged()) return false
    fs.renameSync(temp, target)
    return true
  },
  link: (temp, target) => fs.linkSync(temp, target)
}
