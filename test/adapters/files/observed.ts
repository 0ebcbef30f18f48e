import { type FileOps, nodeOps } from "../../../src/adapters/files/ops.ts"

/** The real system, each of whose calls reports before it runs. */
export const observed = (before: (name: string) => void): FileOps => ({
  open: (file, flags, mode) => (before("open"), nodeOps.open(file, flags, mode)),
  lstat: (file) => (before("lstat"), nodeOps.lstat(file)),
  lstatIfAny: (file) => (before("lstatIfAny"), nodeOps.lstatIfAny(file)),
  statIfAny: (file) => (before("statIfAny"), nodeOps.statIfAny(file)),
  readlink: (file) => (before("readlink"), nodeOps.readlink(file)),
  isPlain: (file) => (before("isPlain"), nodeOps.isPlain(file)),
  hold: (file) => (before("hold"), nodeOps.hold(file)),
  heldPath: (handle) => (before("heldPath"), nodeOps.heldPath(handle)),
  release: (handle) => nodeOps.release(handle),
  readdir: (file) => (before("readdir"), nodeOps.readdir(file)),
  access: (file, mode) => (before("access"), nodeOps.access(file, mode)),
  mkdir: (file, mode) => (before("mkdir"), nodeOps.mkdir(file, mode)),
  rmdir: (file) => (before("rmdir"), nodeOps.rmdir(file)),
  unlink: (file) => (before("unlink"), nodeOps.unlink(file)),
  replace: (temp, target, isUnchanged) => (before("replace"), nodeOps.replace(temp, target, isUnchanged)),
  link: (temp, target) => (before("link"), nodeOps.link(temp, target))
})
