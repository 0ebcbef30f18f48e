import type { SyntaxNode, SyntaxTree } from "../../core/permission/shell/syntax.ts"

/** What both engines' cursors have in common. Offsets are in UTF-16 units in both. */
export interface EngineCursor {
  readonly nodeType: string
  readonly nodeIsNamed: boolean
  readonly nodeIsMissing: boolean
  readonly startIndex: number
  readonly endIndex: number
  readonly currentFieldName: string | null | undefined
  gotoFirstChild(): boolean
  gotoNextSibling(): boolean
  gotoParent(): boolean
}

interface GrowingNode extends SyntaxNode {
  readonly children: Array<GrowingNode>
}

const nodeAt = (cursor: EngineCursor): GrowingNode => ({
  type: cursor.nodeType,
  named: cursor.nodeIsNamed,
  // Absent is null in one engine and undefined in the other.
  ...(typeof cursor.currentFieldName === "string" ? { field: cursor.currentFieldName } : {}),
  start: cursor.startIndex,
  end: cursor.endIndex,
  ...(cursor.nodeIsMissing ? { missing: true as const } : {}),
  children: []
})

/** Trees are kept and written down; larger or deeper ones than these belong to no command that a person would approve. */
const MAX_NODES = 20_000
const MAX_DEPTH = 500

/** Copies an engine's tree into plain data. A loop instead of recursion: texts may nest as deep as they are long. */
export const treeData = (cursor: EngineCursor): SyntaxTree | undefined => {
  const root = nodeAt(cursor)
  const parents: Array<GrowingNode> = []
  let current = root
  let hasError = false
  for (let nodes = 1; nodes <= MAX_NODES && parents.length <= MAX_DEPTH; nodes++) {
    hasError ||= current.type === "ERROR" || current.missing === true
    if (cursor.gotoFirstChild()) parents.push(current)
    else {
      while (!cursor.gotoNextSibling()) {
        parents.pop()
        if (!cursor.gotoParent() || parents.length === 0) return { root, hasError }
      }
    }
    const node = nodeAt(cursor)
    parents.at(-1)?.children.push(node)
    current = node
  }
  return undefined
}
