import type { Draft } from "./command-builder.ts"
import { type Lowering, mark, wordAt } from "./lowering.ts"
import type { HereDocument } from "../program.ts"
import type { SyntaxNode } from "../syntax.ts"
import { readBody } from "./words.ts"

const extend = (draft: Draft, end: number): void => {
  draft.end = Math.max(draft.end, end)
}

const descriptorOf = (lowering: Lowering, node: SyntaxNode): number | undefined => {
  const descriptor = node.children.find(({ type }) => type === "file_descriptor")
  const digits = descriptor === undefined ? "" : lowering.text.slice(descriptor.start, descriptor.end)
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}

const isOperator = ({ named, type }: SyntaxNode): boolean => !named && /^[<>&|-]+$/.test(type)

/** `> file`, `2>&1`, `<<< word`. The grammar also takes later words of the command as further targets. */
export const lowerRedirect = (lowering: Lowering, draft: Draft, node: SyntaxNode): void => {
  const { text } = lowering
  const symbol = node.children.find(isOperator)
  // `>&-` is one symbol for the grammar, an operator and the word `-` for the shell.
  const closes = symbol !== undefined && symbol.type.endsWith("&-")
  const operator = closes ? symbol.type.slice(0, -1) : (symbol?.type ?? "")
  const [first, ...later] = node.children.filter((child) => child !== symbol && child.type !== "file_descriptor")
  const place = closes ? { start: symbol.end - 1, end: symbol.end } : first
  const end = place?.end ?? node.end
  const target = place === undefined ? undefined : wordAt(lowering, place.start, place.end)
  const { start } = node
  mark(lowering, `redirect ${operator}`, start, end)
  draft.redirects.push({ source: text.slice(start, end), start, end, operator, fd: descriptorOf(lowering, node), target })
  for (const word of closes && first !== undefined ? [first, ...later] : later) {
    draft.words.push(wordAt(lowering, word.start, word.end))
  }
  extend(draft, node.end)
}

const HERE_PARTS = new Set(["<<", "<<-", "heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor"])

/** The grammar leaves blanks and line ends out with which a body begins. */
const startOfBody = (text: string, before: number, body: SyntaxNode): number => {
  const lineEnd = text.indexOf("\n", before)
  const isSkipped = lineEnd >= 0 && lineEnd < body.start && text.slice(lineEnd, body.start).trim() === ""
  return isSkipped ? lineEnd + 1 : body.start
}

const hereDocument = (
  lowering: Lowering,
  operator: "<<" | "<<-",
  delimiter: SyntaxNode | undefined,
  node: SyntaxNode
): HereDocument => {
  const { text } = lowering
  const quoted = delimiter !== undefined && /['"\\]/.test(text.slice(delimiter.start, delimiter.end))
  const at = node.children.findIndex(({ type }) => type === "heredoc_body")
  const body = node.children[at]
  if (body === undefined) return { quoted, body: "", dynamic: [] }
  const before = node.children[at - 1]?.end ?? node.start
  const start = startOfBody(text, before, body)
  let { end } = body
  // With `<<-` the grammar counts the tabs before the closing delimiter to the body.
  while (end > start && text[end - 1] === "\t") end--
  mark(lowering, "body", start, end)
  const { literal, dynamic } = quoted
    ? { literal: text.slice(start, end), dynamic: [] }
    : readBody(lowering.words, start, end)
  return { quoted, body: operator === "<<-" ? literal.replaceAll(/^\t+/gm, "") : literal, dynamic }
}

/** A lone dash before a here-document is a word that the grammar drops. */
const addDroppedDash = (lowering: Lowering, draft: Draft, node: SyntaxNode): void => {
  const dash = /[ \t]-[ \t]*$/.exec(lowering.text.slice(draft.end, node.start))
  if (dash !== null) draft.words.push(wordAt(lowering, draft.end + dash.index + 1, draft.end + dash.index + 2))
}

/** A here-document. The rest of its line stands inside it in the tree; that is returned, for the walk to go on with. */
export const lowerHereDocument = (lowering: Lowering, draft: Draft, node: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const find = (name: string): SyntaxNode | undefined => node.children.find(({ type }) => type === name)
  const delimiter = find("heredoc_start")
  const operator = find("<<-") === undefined ? "<<" : "<<-"
  addDroppedDash(lowering, draft, node)
  const { start } = node
  const end = delimiter?.end ?? node.end
  mark(lowering, `redirect ${operator}`, start, end)
  draft.redirects.push({
    source: lowering.text.slice(start, end),
    start,
    end,
    operator,
    fd: descriptorOf(lowering, node),
    target: undefined,
    heredoc: hereDocument(lowering, operator, delimiter, node)
  })
  extend(draft, end)
  const rest: Array<SyntaxNode> = []
  for (const child of node.children) {
    if (HERE_PARTS.has(child.type)) continue
    if (child.field === "argument") {
      draft.words.push(wordAt(lowering, child.start, child.end))
      extend(draft, child.end)
    } else rest.push(child)
  }
  return rest
}
