import type { SyntaxNode, SyntaxTree } from "../../core/permission/bash/syntax.ts"

/** What both engines' cursors have in common. Offsets are in UTF-16 units in both. */
export interface EngineCursor {
  readonly nodeTypeId: number
  readonly nodeType: string
  readonly nodeIsNamed: boolean
  readonly nodeIsMissing: boolean
  readonly startIndex: number
  readonly endIndex: number
  readonly currentFieldId: number
  readonly currentFieldName: string | null | undefined
  gotoFirstChild(): boolean
  gotoNextSibling(): boolean
  gotoParent(): boolean
}

interface GrowingNode extends SyntaxNode {
  readonly children: Array<GrowingNode>
}

interface Kind {
  readonly type: string
  readonly named: boolean
}

/** Copies trees of one engine. Numbers cross from it cheaply; the names that they stand for are asked for once. */
export const treeCopier = (): ((cursor: EngineCursor) => SyntaxTree | undefined) => {
  const kinds = new Map<number, Kind>()
  /** An empty name where a node has no field. */
  const fields = new Map<number, string>()
  const kindAt = (cursor: EngineCursor): Kind => {
    const id = cursor.nodeTypeId
    const known = kinds.get(id)
    if (known !== undefined) return known
    const kind = { type: cursor.nodeType, named: cursor.nodeIsNamed }
    kinds.set(id, kind)
    return kind
  }
  const fieldAt = (cursor: EngineCursor): string => {
    const id = cursor.currentFieldId
    const known = fields.get(id)
    if (known !== undefined) return known
    // Absent is null in one engine and undefined in the other.
    const name = cursor.currentFieldName ?? ""
    fields.set(id, name)
    return name
  }
  const nodeAt = (cursor: EngineCursor): GrowingNode => {
    const { type, named } = kindAt(cursor)
    const start = cursor.startIndex
    const end = cursor.endIndex
    const field = fieldAt(cursor)
    const place = { type, named, start, end, children: [] }
    const node = field === "" ? place : { ...place, field }
    // What is missing takes no room.
    return start === end && cursor.nodeIsMissing ? { ...node, missing: true as const } : node
  }
  return (cursor) => copied(cursor, nodeAt)
}

/** Trees are kept and written down; larger or deeper ones than these belong to no command that a user would approve. */
const MAX_NODES = 20_000
const MAX_DEPTH = 500

/** Copies an engine's tree into plain data. A loop instead of recursion: texts may nest as deep as they are long. */
const copied = (cursor: EngineCursor, nodeAt: (cursor: EngineCursor) => GrowingNode): SyntaxTree | undefined => {
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
