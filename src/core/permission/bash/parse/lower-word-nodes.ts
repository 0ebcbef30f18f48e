import type { SyntaxNode } from "../syntax.ts"

/** Nodes of the grammar that make up words, as far as the lowering tells them apart. */
const WORD_TYPES = new Set([
  "word",
  "string",
  "raw_string",
  "ansi_c_string",
  "translated_string",
  "concatenation",
  "number",
  "simple_expansion",
  "expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
  "brace_expression",
  "extglob_pattern",
  "regex",
  "test_operator",
  "variable_name"
])

/** Expansions whose inside has to be lowered too. */
const NESTING_TYPES = new Set(["command_substitution", "process_substitution", "expansion", "arithmetic_expansion"])

export const isNesting = ({ type }: SyntaxNode): boolean => NESTING_TYPES.has(type)

/** The nesting expansions of a tree by where they begin; of two at the same place the outer one. */
export const nestingNodes = (root: SyntaxNode): ReadonlyMap<number, SyntaxNode> => {
  const found = new Map<number, SyntaxNode>()
  const left: Array<SyntaxNode> = [root]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (isNesting(node) && !found.has(node.start)) found.set(node.start, node)
    for (const child of node.children) left.push(child)
  }
  return found
}

/** For walks with a stack of what is left: the first child is on top. */
export const pushReversed = <T>(left: Array<T>, items: ReadonlyArray<T>): void => {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item !== undefined) left.push(item)
  }
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** The words of `[ … ]`, which the grammar takes apart as an expression: what touches belongs together. */
export const wordsOfTest = (test: SyntaxNode): ReadonlyArray<Span> => {
  const spans: Array<{ start: number; end: number }> = []
  const left: Array<SyntaxNode> = [test]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.children.length > 0 && !WORD_TYPES.has(node.type)) pushReversed(left, node.children)
    else if (node.end > node.start) {
      const last = spans.at(-1)
      if (last !== undefined && last.end === node.start) last.end = node.end
      else spans.push({ start: node.start, end: node.end })
    }
  }
  return spans
}
