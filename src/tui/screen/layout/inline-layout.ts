import { column, leaf, type Node } from "./tree.ts"

/** Inline mode has no panes beside each other: the transcript lies under the prompt and comes up for a while. */
export const INLINE_TREE: Node = column(800, leaf("transcript"), leaf("prompt"))
