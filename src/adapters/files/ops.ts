import fs from "node:fs"

/** The system calls that the adapter makes, as values, so that tests can make each of them fail or be late. */
export interface FileOps {
  readonly open: (path: string, flags: number, mode?: number) => Promise<fs.promises.FileHandle>
  readonly lstat: (path: string) => Promise<fs.BigIntStats>
  readonly readlink: (path: string) => Promise<string>
  /** Whether the path exists and leads through no link, told by one call. */
  readonly isPlain: (path: string) => boolean
  readonly readdir: (path: string) => Promise<Array<fs.Dirent>>
  readonly access: (path: string, mode: number) => Promise<void>
  readonly mkdir: (path: string, mode: number) => Promise<string | undefined>
  readonly rmdir: (path: string) => Promise<void>
  readonly unlink: (path: string) => Promise<void>
  /** Gives `temp` the name `target` unless `isUnchanged` says no; nothing runs between the look and the change. */
  readonly replace: (temp: string, target: string, isUnchanged: () => boolean) => boolean
  /** Gives `temp` the further name `target`, which must be free. */
  readonly link: (temp: string, target: string) => void
}

export const nodeOps: FileOps = {
  open: (path, flags, mode) => fs.promises.open(path, flags, mode),
  lstat: async (path) => fs.lstatSync(path, { bigint: true }),
  readlink: async (path) => fs.readlinkSync(path),
  isPlain: (path) => {
    try {
      return fs.realpathSync.native(path) === path
    } catch {
      return false
    }
  },
  readdir: (path) => fs.promises.readdir(path, { withFileTypes: true }),
  access: (path, mode) => fs.promises.access(path, mode),
  mkdir: (path, mode) => fs.promises.mkdir(path, { recursive: true, mode }),
  rmdir: (path) => fs.promises.rmdir(path),
  unlink: (path) => fs.promises.unlink(path),
  replace: (temp, target, isUnchanged) => {
    if (!isUnchanged()) return false
    fs.renameSync(temp, target)
    return true
  },
  link: (temp, target) => fs.linkSync(temp, target)
}
