/** What a call did to a file, read from its record: the hunks and the counts. */
import type { DiffHunk, FileDiff } from "../text/diff/diff-source.ts"
import type { Block, ToolBlock } from "./block.ts"
import { fieldsOf, listField, textField, type Fields } from "./fields.ts"

export interface FileChange {
  readonly path: string
  readonly kind: "created" | "changed"
  readonly added: number
  readonly removed: number
  readonly hunks: ReadonlyArray<DiffHunk>
  /** All of a new file. */
  readonly content?: string
}

const whole = (value: unknown): number => (typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0)

const hunkOf = (value: unknown): ReadonlyArray<DiffHunk> => {
  const fields = fieldsOf(value)
  const { lines } = fields
  if (!Array.isArray(lines)) return []
  return [
    {
      oldStart: whole(fields["oldStart"]),
      oldLines: whole(fields["oldLines"]),
      newStart: whole(fields["newStart"]),
      newLines: whole(fields["newLines"]),
      lines: lines.filter((line) => typeof line === "string")
    }
  ]
}

const linesOf = (value: string): ReadonlyArray<string> =>
  value === "" ? [] : (value.endsWith("\n") ? value.slice(0, -1) : value).split("\n")

/** All of one text gone, all of another come: notebook cells keep no hunks. */
const replacement = (before: string, after: string): DiffHunk => {
  const removed = linesOf(before)
  const added = linesOf(after)
  return {
    oldStart: removed.length === 0 ? 0 : 1,
    oldLines: removed.length,
    newStart: added.length === 0 ? 0 : 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  }
}

const count = (hunks: ReadonlyArray<DiffHunk>, sign: string): number =>
  hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(sign)).length, 0)

const changed = (path: string, hunks: ReadonlyArray<DiffHunk>): FileChange => ({
  path,
  kind: "changed",
  added: count(hunks, "+"),
  removed: count(hunks, "-"),
  hunks
})

const hunksIn = (data: Fields): ReadonlyArray<DiffHunk> => listField(data, "structuredPatch").flatMap(hunkOf)

const EDITORS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

const read = (block: ToolBlock): FileChange | undefined => {
  if (block.state !== "ok" || !EDITORS.has(block.tool)) return undefined
  const data = fieldsOf(block.outcome?.data)
  const notebook = textField(data, "notebook_path")
  if (notebook !== "") {
    return changed(notebook, [replacement(textField(data, "old_source"), textField(data, "new_source"))])
  }
  const path = textField(data, "filePath")
  if (path === "") return undefined
  if (data["type"] === "create") {
    const content = textField(data, "content")
    return { path, kind: "created", added: linesOf(content).length, removed: 0, hunks: [], content }
  }
  return changed(path, hunksIn(data))
}

const known = new WeakMap<ToolBlock, FileChange>()

/** The change that a settled call made; undefined when it made none or its record does not say. */
export const changeOf = (block: ToolBlock): FileChange | undefined => {
  const remembered = known.get(block)
  if (remembered !== undefined) return remembered
  const change = read(block)
  if (change !== undefined) known.set(block, change)
  return change
}

/** The file that a block changed, if it changed one. */
export const changedPath = (block: Block): string | undefined => (block.kind === "tool" ? changeOf(block)?.path : undefined)

/** The change as the diff that panes draw and yank. */
export const diffOf = ({ path, kind, hunks, content }: FileChange): FileDiff =>
  kind === "created" ? { path, change: "created", hunks: [replacement("", content ?? "")] } : { path, hunks }
