import type { WorkingFile } from "../../model/msg.ts"

/** The changed files of a working tree, which is read again after every edit and mostly as it was. */

const isSame = (left: WorkingFile, right: WorkingFile): boolean =>
  left.state === right.state &&
  left.oldPath === right.oldPath &&
  left.unseen === right.unseen &&
  left.modes?.before === right.modes?.before &&
  left.modes?.after === right.modes?.after &&
  left.before === right.before &&
  left.after === right.after

/** Files that stayed as they are stay the same values, and so does what was made of them. */
export const sameFiles = (
  before: ReadonlyArray<WorkingFile>,
  after: ReadonlyArray<WorkingFile>
): ReadonlyArray<WorkingFile> => {
  const known = new Map(before.map((file) => [file.path, file]))
  const files = after.map((file) => {
    const kept = known.get(file.path)
    return kept !== undefined && isSame(kept, file) ? kept : file
  })
  return files.length === before.length && files.every((file, index) => file === before[index]) ? before : files
}
