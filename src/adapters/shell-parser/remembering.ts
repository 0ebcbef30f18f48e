import type { ParseShell, SyntaxTree } from "../../core/permission/bash/syntax.ts"

/** Commands repeat, and each is parsed more than once on its way; long ones are rare and would fill the memory. */
const MOST_TEXTS = 256
const LONGEST_CHARS = 1_000

/** A parser that gives the very tree again that it gave before. */
export const rememberingParser = (parse: ParseShell): ParseShell => {
  let known = new Map<string, SyntaxTree>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const tree = parse(text)
    if (tree === undefined || text.length > LONGEST_CHARS) return tree
    if (known.size >= MOST_TEXTS) known = new Map()
    known.set(text, tree)
    return tree
  }
}
