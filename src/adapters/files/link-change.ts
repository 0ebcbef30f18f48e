import type { PathFact } from "../../core/domain/path/path-components.ts"
import { fileError } from "./failure.ts"
import type { FileOps } from "./ops.ts"
import { resolvePath } from "./resolve-path.ts"

/** A path that leads to another place than the one it was resolved to, or the one that was approved. */
export const linkChanged = (path: string, before: string, after: string): Error =>
  fileError("linkChanged", path, `${path} led to ${before} when it was checked and leads to ${after} now`)

/** Where a path leads, refused when permission was decided on another place. */
export const resolveApproved = (ops: FileOps, path: string, approvedRealPath: string | undefined): PathFact => {
  const fact = resolvePath(ops, path)
  if (approvedRealPath !== undefined && approvedRealPath !== fact.realPath) {
    throw linkChanged(path, approvedRealPath, fact.realPath)
  }
  return fact
}

export const requireSamePlace = (ops: FileOps, fact: PathFact): void => {
  const now = resolvePath(ops, fact.path)
  if (now.realPath !== fact.realPath) throw linkChanged(fact.path, fact.realPath, now.realPath)
}
