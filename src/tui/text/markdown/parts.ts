/** The named parts of a Markdown text: what text objects pick out. Ranges of the source. */
import { leavesOf } from "./advance.ts"
import type { Leaf } from "./frame.ts"

export interface MarkdownPart {
  readonly name: "code" | "table" | "item" | "heading" | "paragraph"
  readonly start: number
  readonly end: number
  /** Without its wrapping: code without fences, an item without its mark. */
  readonly inner?: { readonly start: number; readonly end: number }
  /** Language of code. */
  readonly label?: string
}

type Growing = { -readonly [Key in keyof MarkdownPart]: MarkdownPart[Key] }

interface Collection {
  readonly parts: Array<Growing>
  readonly items: Map<number, Growing>
  code: Growing | undefined
}

const addItems = ({ parts, items }: Collection, leaf: Leaf): void => {
  if (leaf.kind === "blank") return
  for (const frame of leaf.frames) {
    if (frame.kind !== "item") continue
    const known = items.get(frame.start)
    if (known === undefined) {
      const text = frame.task === undefined ? frame.start + frame.mark.length + 1 : frame.task.at + 4
      const part: Growing = {
        name: "item",
        start: frame.start,
        end: leaf.end,
        inner: { start: Math.min(text, leaf.end), end: leaf.end }
      }
      items.set(frame.start, part)
      parts.push(part)
    } else {
      known.end = leaf.end
      known.inner = { start: known.inner?.start ?? known.start, end: leaf.end }
    }
  }
}

const addCode = (collection: Collection, leaf: Leaf): void => {
  const { code, parts } = collection
  if (leaf.kind === "fence") {
    const label = leaf.info.split(/\s/)[0] ?? ""
    const inner = { start: leaf.end, end: leaf.end }
    collection.code = { name: "code", start: leaf.start, end: leaf.end, inner, ...(label === "" ? {} : { label }) }
    parts.push(collection.code)
  } else if (leaf.kind === "code" && code !== undefined) {
    code.end = leaf.end
    code.inner = { start: code.inner?.start ?? leaf.start, end: leaf.end }
  } else if (leaf.kind === "code") {
    collection.code = { name: "code", start: leaf.start, end: leaf.end, inner: { start: leaf.start, end: leaf.end } }
    parts.push(collection.code)
  } else if (leaf.kind === "fenceEnd") {
    if (code !== undefined) code.end = leaf.end
    collection.code = undefined
  } else if (leaf.kind !== "blank") collection.code = undefined
}

/** Long tables and paragraphs come in several leaves; a further leaf that follows directly belongs to the same part. */
const addBlock = ({ parts }: Collection, leaf: Leaf): void => {
  if (leaf.kind !== "table" && leaf.kind !== "heading" && leaf.kind !== "paragraph") return
  const last = parts.at(-1)
  const isFurther = leaf.kind !== "heading" && leaf.fresh === leaf.frames.length
  if (isFurther && last?.name === leaf.kind && last.end === leaf.start) last.end = leaf.end
  else parts.push({ name: leaf.kind, start: leaf.start, end: leaf.end })
}

export const markdownParts = (source: string): ReadonlyArray<MarkdownPart> => {
  const collection: Collection = { parts: [], items: new Map(), code: undefined }
  for (const leaf of leavesOf(source)) {
    addItems(collection, leaf)
    addCode(collection, leaf)
    addBlock(collection, leaf)
  }
  return collection.parts
}
