import { type Draft, newDraft } from "./command-builder.ts"
import { type Lowering, mark, MAX_SUBSTITUTION_DEPTH, note } from "./lowering.ts"
import { lowerCommand } from "./lower-command.ts"
import { lowerHereDocument, lowerRedirect } from "./lower-redirect.ts"
import { isNesting, pushReversed } from "./lower-word-nodes.ts"
import type { DynamicPart, Statement } from "../program.ts"
import { type OpenToken, structure, type Token } from "./structure.ts"
import type { SyntaxNode } from "../syntax.ts"
import type { Nested } from "./words.ts"

/** Constructs that only rules which deny or ask look into, and how people call them. */
const OPAQUE: Readonly<Record<string, string>> = {
  for_statement: "for loop",
  c_style_for_statement: "for loop",
  while_statement: "while loop",
  case_statement: "case",
  function_definition: "function",
  test_command: "[[ … ]]"
}

const COMMANDS = new Set(["command", "declaration_command", "unset_command", "variable_assignment", "variable_assignments"])

const OPERATORS = new Set(["&&", "||", "|", "|&", "&", ";", ";;", ";&", ";;&", "\n", "!"])
const BRACKETS = new Set(["{", "}", "(", ")", "if", "then", "elif", "else", "fi"])

/** Left to do: a node, or the end of a bracket that was opened. */
type Work = SyntaxNode | { readonly type: "close"; readonly end: number }

interface Walk {
  readonly lowering: Lowering
  readonly tokens: Array<Token>
  readonly left: Array<Work>
}

const bracketOf = ({ type, start, children }: SyntaxNode): OpenToken | undefined => {
  const first = children[0]?.type
  const open = (shape: OpenToken["shape"], construct: string): OpenToken => ({ kind: "open", shape, construct, start })
  if (type === "compound_statement") return first === "((" ? open("opaque", "(( … ))") : open("group", "group")
  if (type === "subshell") return open("subshell", "subshell")
  if (type === "if_statement") return open("if", "if")
  const construct = OPAQUE[type]
  if (construct === undefined) return undefined
  const isWhile = type === "while_statement" && first === "until"
  const isSelect = type === "for_statement" && first === "select"
  return open("opaque", isWhile ? "until loop" : isSelect ? "select" : construct)
}

/** Where the inside of the bracket begins that the last token closes. */
const insideOfLast = (tokens: ReadonlyArray<Token>): number => {
  let open = 0
  for (let index = tokens.length - 1; index >= 0; index--) {
    const kind = tokens[index]?.kind
    if (kind === "close") open += 1
    else if (kind === "open" && --open === 0) return index + 1
  }
  return 0
}

/**
 * The command that a redirect behind it belongs to. A group gets one without words, which stands first in it: its
 * redirects are done before its commands run.
 */
const redirected = (walk: Walk, { start }: SyntaxNode): Draft => {
  const last = walk.tokens.at(-1)
  if (last?.kind === "command") return last.command
  const draft = newDraft(start, start)
  walk.lowering.commands.push(draft)
  const token: Token = { kind: "command", command: draft }
  if (last?.kind === "close") walk.tokens.splice(insideOfLast(walk.tokens), 0, token, { kind: "operator", operator: ";" })
  else walk.tokens.push(token)
  return draft
}

const visitCommand = (walk: Walk, node: SyntaxNode): void => {
  const command = lowerCommand(walk.lowering, node)
  walk.tokens.push({ kind: "command", command })
  // `name (…)`: not a command in bash, but its inside may run elsewhere.
  pushReversed(
    walk.left,
    node.children.filter(({ type }) => type === "subshell")
  )
}

const visitBracket = (walk: Walk, node: SyntaxNode, open: OpenToken): void => {
  if (open.shape === "opaque") note(walk.lowering, "construct", open.construct, node.start)
  walk.tokens.push(open)
  walk.left.push({ type: "close", end: node.end })
  pushReversed<Work>(walk.left, node.children)
}

const visitNamed = (walk: Walk, node: SyntaxNode): void => {
  const { lowering } = walk
  const { type, start, end, children } = node
  const open = bracketOf(node)
  if (type === "test_command" && children[0]?.type === "[") {
    walk.tokens.push({ kind: "command", command: lowerCommand(lowering, node) })
  } else if (open !== undefined) visitBracket(walk, node, open)
  else if (COMMANDS.has(type)) visitCommand(walk, node)
  else if (type === "file_redirect" || type === "herestring_redirect") {
    lowerRedirect(lowering, redirected(walk, node), node)
  } else if (type === "heredoc_redirect") {
    pushReversed<Work>(walk.left, lowerHereDocument(lowering, redirected(walk, node), node))
  } else if (type === "comment") mark(lowering, "comment", start, end)
  else if (isNesting(node)) nestedAt(lowering, start, false)
  else {
    if (type === "ERROR") note(lowering, "parse", "something unexpected", start)
    if (type === "redirected_statement" && children[0]?.field !== "body") {
      walk.tokens.push({ kind: "operator", operator: ";" })
    }
    pushReversed<Work>(walk.left, children)
  }
}

const visitAnonymous = ({ lowering, tokens }: Walk, { type, start, end }: SyntaxNode): void => {
  if (type === "&") note(lowering, "construct", "background command", start)
  if (OPERATORS.has(type)) {
    if (type !== ";" && type !== "\n") mark(lowering, type, start, end)
    tokens.push({ kind: "operator", operator: type })
  } else if (BRACKETS.has(type)) {
    mark(lowering, type, start, end)
    // Between `then` and `else` the statements of an `if` only follow each other.
    tokens.push({ kind: "operator", operator: ";" })
  }
}

/** Walks statements with a stack of its own, because lists and groups nest as deep as a text is long. */
const walkStatements = (lowering: Lowering, nodes: ReadonlyArray<SyntaxNode>): ReadonlyArray<Statement> => {
  const walk: Walk = { lowering, tokens: [], left: [] }
  pushReversed<Work>(walk.left, nodes)
  for (let node = walk.left.pop(); node !== undefined; node = walk.left.pop()) {
    if (!("children" in node)) walk.tokens.push({ kind: "close", end: node.end })
    else if (node.missing === true) note(lowering, "parse", `missing ${node.type}`, node.start)
    else if (node.named) visitNamed(walk, node)
    else visitAnonymous(walk, node)
  }
  const { body, enclosures } = structure(walk.tokens)
  for (const enclosure of enclosures) lowering.enclosures.push(enclosure)
  return body
}

const KINDS: Readonly<Record<string, DynamicPart["kind"]>> = {
  command_substitution: "substitution",
  process_substitution: "process",
  arithmetic_expansion: "arithmetic"
}

/** `cat <<'D' … D` and nothing else: its output is the document. */
const knownOutput = (body: ReadonlyArray<Statement>): string | undefined => {
  const [only, ...more] = body
  if (only?.kind !== "command" || more.length > 0) return undefined
  const { words, assignments, redirects } = only.command
  const [redirect] = redirects
  const isCat = words.length === 1 && words[0]?.source === "cat" && assignments.length === 0 && redirects.length === 1
  if (!isCat || redirect?.heredoc?.quoted !== true || redirect.fd !== undefined) return undefined
  const { body: document } = redirect.heredoc
  let end = document.length
  while (document[end - 1] === "\n") end--
  return document.slice(0, end)
}

/** Lowers the expansion that begins at an offset, with the commands in it. */
export const nestedAt = (lowering: Lowering, at: number, isQuoted: boolean): Nested | undefined => {
  const node = lowering.nesting.get(at)
  if (node === undefined) return undefined
  const { start, end, type, children } = node
  const kind = KINDS[type] ?? "expansion"
  if (lowering.depth >= MAX_SUBSTITUTION_DEPTH) {
    note(lowering, "limit", "deep nesting", start)
    return { end, kind, commands: [] }
  }
  const before = lowering.commands.length
  const isDollar = children[0]?.type === "$("
  if (isDollar) {
    mark(lowering, "$(", start, start + 2)
    mark(lowering, "$)", end - 1, end)
  }
  lowering.enclosures.push({ kind: "substitution", start, end })
  lowering.depth += 1
  const body = walkStatements(lowering, children.slice(1, -1))
  lowering.depth -= 1
  const commands = lowering.commands.slice(before)
  const text = isDollar && isQuoted ? knownOutput(body) : undefined
  return { end, kind, commands, ...(text === undefined ? {} : { text }) }
}

export const lowerTree = (lowering: Lowering, root: SyntaxNode): ReadonlyArray<Statement> => walkStatements(lowering, [root])
