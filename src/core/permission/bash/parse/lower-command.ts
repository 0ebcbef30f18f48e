import { type Draft, newDraft } from "./command-builder.ts"
import { type Lowering, mark, note, wordAt } from "./lowering.ts"
import { lowerRedirect } from "./lower-redirect.ts"
import { wordsOfTest } from "./lower-word-nodes.ts"
import type { Assignment } from "../program.ts"
import type { SyntaxNode } from "../syntax.ts"
import { readWord } from "./words.ts"

const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?=)/

const lowerAssignment = (lowering: Lowering, { start, end, children }: SyntaxNode): Assignment => {
  mark(lowering, "assignment", start, end)
  const source = lowering.text.slice(start, end)
  const [all, name, operator] = ASSIGNMENT.exec(source) ?? []
  const isArray = children.some(({ type }) => type === "array" || type === "subscript")
  if (all === undefined || name === undefined || isArray) {
    note(lowering, "construct", "array", start)
    // Read for what is nested in it.
    readWord(lowering.words, start, end)
    return { start, end, name: name ?? source, value: undefined, appends: operator === "+=" }
  }
  const value = readWord(lowering.words, start + all.length, end, true)
  return { start, end, name, value, appends: operator === "+=" }
}

/** One child of a command's node. The keyword of `export` and the like is a word as well, and so are its assignments. */
const lowerChild = (lowering: Lowering, draft: Draft, child: SyntaxNode, takesAssignments: boolean): void => {
  const { type, start, end } = child
  if (type === "variable_assignment" && takesAssignments) draft.assignments.push(lowerAssignment(lowering, child))
  else if (type === "file_redirect" || type === "herestring_redirect") lowerRedirect(lowering, draft, child)
  else if (type === "comment") mark(lowering, "comment", start, end)
  else if (type === "subshell") note(lowering, "construct", "parenthesis after a word", start)
  else if (type === "ERROR" || end === start) note(lowering, "parse", "something unexpected", start)
  else draft.words.push(wordAt(lowering, start, end))
}

/** The grammar takes some words apart; what touches belongs together. */
const mergeWords = (children: ReadonlyArray<SyntaxNode>): ReadonlyArray<SyntaxNode> => {
  const merged: Array<SyntaxNode> = []
  for (const child of children) {
    const last = merged.at(-1)
    const isJoined = last !== undefined && last.end === child.start && child.end > child.start
    if (isJoined && isWord(last) && isWord(child))
      merged[merged.length - 1] = { ...last, type: "concatenation", end: child.end }
    else merged.push(child)
  }
  return merged
}

const isWord = ({ type, field }: SyntaxNode): boolean => field === "argument" || type === "command_name"

/** The grammar reads on past a line end that follows redirects without a command; for the shell a new command begins. */
const noteLineEnds = (lowering: Lowering, children: ReadonlyArray<SyntaxNode>): void => {
  for (const [index, { start }] of children.entries()) {
    const gap = index === 0 ? "" : lowering.text.slice(children[index - 1]?.end, start)
    if (gap.replaceAll("\\\n", "").includes("\n")) note(lowering, "parse", "line end inside a command", start)
  }
}

/** A simple command, a declaration, a bare assignment or `[ … ]`. */
export const lowerCommand = (lowering: Lowering, node: SyntaxNode): Draft => {
  const { type, start, end, children } = node
  const draft = newDraft(start, end)
  lowering.commands.push(draft)
  if (type === "test_command") {
    for (const span of wordsOfTest(node)) draft.words.push(wordAt(lowering, span.start, span.end))
  } else if (type === "variable_assignment") draft.assignments.push(lowerAssignment(lowering, node))
  else {
    noteLineEnds(lowering, children)
    const takesAssignments = type === "command" || type === "variable_assignments"
    for (const child of mergeWords(children)) lowerChild(lowering, draft, child, takesAssignments)
  }
  return draft
}
