/** The completion menu: what is being completed, which candidates are shown and which one is chosen. */
import type { Position } from "../editor/lines.ts"
import { type Candidate, keepOrder, type RankedCandidate, rankCommands, rankFiles } from "./ranking.ts"

export type CompletionKind = "command" | "skill" | "mention" | "emoji" | "shellHistory" | "path"

/** The token before the caret that can be completed. */
export interface CompletionTarget {
  readonly kind: CompletionKind
  /** What was typed after the marker. */
  readonly query: string
  /** Where the token begins, its marker included. */
  readonly from: Position
}

/** A target that was asked about. */
export type Asked = CompletionTarget & { readonly id: number }

export interface CompletionMenu extends CompletionTarget {
  readonly id: number
  readonly items: ReadonlyArray<RankedCandidate>
  /** -1 while nothing is chosen: a shell line runs as typed unless a suggestion was picked. */
  readonly selected: number
}

export interface Completion {
  /** The question whose answer is awaited or shown; answers to older ones are discarded. */
  readonly asked: Asked | undefined
  readonly nextId: number
  readonly candidates: ReadonlyArray<Candidate>
  readonly menu: CompletionMenu | undefined
  /** A token whose menu was sent away stays without one until another token begins. */
  readonly dismissed: Pick<CompletionTarget, "kind" | "from"> | undefined
}

export const NO_COMPLETION: Completion = {
  asked: undefined,
  nextId: 1,
  candidates: [],
  menu: undefined,
  dismissed: undefined
}

const CLOSED = { asked: undefined, candidates: [], menu: undefined } as const

export interface TokenContext {
  readonly line: string
  readonly caret: Position
  readonly isShell: boolean
  readonly emoji: boolean
}

const MARKED: ReadonlyArray<{ readonly kind: CompletionKind; readonly pattern: RegExp; readonly firstLine?: true }> = [
  { kind: "command", pattern: /^\/(?<query>\S*)$/, firstLine: true },
  { kind: "skill", pattern: /(?<=\s)\/(?<query>[\w:-]+)$/ },
  { kind: "mention", pattern: /(?<=^|\s)@(?<query>"[^"]*|[^\s"#]*)$/ },
  { kind: "emoji", pattern: /(?<=^|\s):(?<query>[a-z0-9_+-]{2,})$/ }
]

const shellTarget = (before: string, line: number): CompletionTarget | undefined => {
  const token = /(?:\\.|[^\s\\])*$/.exec(before)?.[0] ?? ""
  if (token.includes("/")) {
    const query = token.replace(/\\(.)/g, "$1")
    return { kind: "path", query, from: { line, column: before.length - token.length } }
  }
  if (before.trim() === "" || line > 0) return undefined
  return { kind: "shellHistory", query: before, from: { line, column: 0 } }
}

export const targetAt = ({ line, caret, isShell, emoji }: TokenContext): CompletionTarget | undefined => {
  const before = line.slice(0, caret.column)
  if (isShell) return shellTarget(before, caret.line)
  for (const { kind, pattern, firstLine } of MARKED) {
    if ((firstLine === true && caret.line > 0) || (kind === "emoji" && !emoji)) continue
    const match = pattern.exec(before)
    if (match === null) continue
    const query = (match.groups?.["query"] ?? "").replace(/^"/, "")
    return { kind, query, from: { line: caret.line, column: match.index } }
  }
  return undefined
}

const rank = ({ kind, query }: CompletionTarget, candidates: ReadonlyArray<Candidate>): ReadonlyArray<RankedCandidate> => {
  if (kind === "shellHistory") {
    return keepOrder(candidates.filter(({ name }) => name.startsWith(query) && name !== query))
  }
  if (candidates.some(({ isSuggested }) => isSuggested)) return keepOrder(candidates)
  return kind === "mention" || kind === "path" ? rankFiles(query, candidates) : rankCommands(query, candidates)
}

const sameToken = (a: Pick<CompletionTarget, "kind" | "from"> | undefined, b: CompletionTarget): boolean =>
  a !== undefined && a.kind === b.kind && a.from.line === b.from.line && a.from.column === b.from.column

const menuFor = (completion: Completion, target: Asked): CompletionMenu | undefined => {
  const items = rank(target, completion.candidates)
  if (items.length === 0) return undefined
  return { ...target, items, selected: target.kind === "shellHistory" ? -1 : 0 }
}

export interface CompletionStep {
  readonly completion: Completion
  /** The question to put to whoever knows the candidates. */
  readonly ask: Asked | undefined
}

const quiet = (completion: Completion): CompletionStep => ({ completion, ask: undefined })

/** After an edit: opens, narrows or closes. The old candidates are narrowed until new ones come: nothing flickers. */
export const followToken = (completion: Completion, target: CompletionTarget | undefined): CompletionStep => {
  if (target === undefined) return quiet(closeCompletion(completion))
  if (sameToken(completion.dismissed, target)) return quiet({ ...completion, ...CLOSED })
  const isSame = sameToken(completion.asked, target)
  if (isSame && completion.asked?.query === target.query) return quiet(completion)
  const asked = { ...target, id: completion.nextId }
  const candidates = isSame ? completion.candidates : []
  const next = { asked, nextId: completion.nextId + 1, candidates, menu: undefined, dismissed: undefined }
  return { completion: { ...next, menu: menuFor(next, asked) }, ask: asked }
}

/** The answer to a question; one to an older question changes nothing. */
export const receiveCandidates = (
  completion: Completion,
  answer: { readonly id: number; readonly candidates: ReadonlyArray<Candidate> }
): Completion => {
  const { asked } = completion
  if (asked === undefined || asked.id !== answer.id) return completion
  const next = { ...completion, candidates: answer.candidates }
  return { ...next, menu: menuFor(next, asked) }
}

export const dismiss = (completion: Completion): Completion => {
  const { menu } = completion
  return menu === undefined ? completion : { ...completion, ...CLOSED, dismissed: { kind: menu.kind, from: menu.from } }
}

/** After accepting: the menu is gone, and the next token may have one again. */
export const closeCompletion = (completion: Completion): Completion => ({
  ...completion,
  ...CLOSED,
  dismissed: undefined
})

/** Moves the choice; by one it goes round, by pages it stops at the ends. */
export const moveChoice = (completion: Completion, by: number): Completion => {
  const { menu } = completion
  if (menu === undefined) return completion
  const { length } = menu.items
  const moved = menu.selected + by
  const around = menu.selected < 0 && by < 0 ? length - 1 : (moved + length) % length
  const selected = Math.abs(by) === 1 ? around : Math.max(0, Math.min(length - 1, moved))
  return { ...completion, menu: { ...menu, selected } }
}

export const selectedCandidate = (menu: CompletionMenu): Candidate | undefined =>
  menu.items[Math.max(0, menu.selected)]?.candidate

/** What the token becomes. A blank follows unless completion goes on inside a directory or the line is a shell's. */
export const insertionOf = ({ kind }: CompletionTarget, candidate: Candidate): string => {
  if (kind === "shellHistory" || candidate.isDirectory === true) return candidate.insert
  return `${candidate.insert} `
}
