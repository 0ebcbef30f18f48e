/** Which candidates fit what was typed, best first. */
import { fuzzyMatch } from "../text/fuzzy.ts"

/** Something that can be completed to. Facts only: the rules are here. */
export interface Candidate {
  /** What the menu shows and the query is matched with: a command without its slash, a path, an emoji's name. */
  readonly name: string
  /** What takes the place of the typed token, marker included. */
  readonly insert: string
  /** Other names that lead to it. */
  readonly aliases?: ReadonlyArray<string>
  readonly description?: string
  /** Shown after the name once the candidate is chosen, such as `<file> [model]`. */
  readonly hint?: string
  /** Enter only places it: it cannot run as it is. */
  readonly needsArgument?: boolean
  /** Listed only when typed in full. */
  readonly hidden?: boolean
  /** When it was last used, in milliseconds; larger is more recent. */
  readonly usedAt?: number
  /** Completion goes on inside it, so no blank follows. */
  readonly isDirectory?: boolean
  /** The user's own command named it: its place is kept. */
  readonly isSuggested?: true
}

export interface RankedCandidate {
  readonly candidate: Candidate
  /** Offsets in the name that fitted the query. */
  readonly at: ReadonlyArray<number>
}

interface Scored extends RankedCandidate {
  /** Lower is better. */
  readonly tier: number
  readonly score: number
}

const byRank = (a: Scored, b: Scored): number =>
  a.tier - b.tier ||
  b.score - a.score ||
  (b.candidate.usedAt ?? 0) - (a.candidate.usedAt ?? 0) ||
  a.candidate.name.length - b.candidate.name.length ||
  (a.candidate.name < b.candidate.name ? -1 : 1)

const best = (scored: ReadonlyArray<Scored>): ReadonlyArray<RankedCandidate> =>
  scored.toSorted(byRank).map(({ candidate, at }) => ({ candidate, at }))

const range = (length: number, from = 0): ReadonlyArray<number> => Array.from({ length }, (_, index) => from + index)

const scoreCommand = (query: string, candidate: Candidate): ReadonlyArray<Scored> => {
  const name = candidate.name.toLowerCase()
  if (candidate.aliases?.includes(query) === true) return [{ candidate, at: [], tier: 0, score: 0 }]
  if (name === query) return [{ candidate, at: range(query.length), tier: 0, score: 0 }]
  if (candidate.hidden === true) return []
  if (name.startsWith(query)) return [{ candidate, at: range(query.length), tier: 1, score: 0 }]
  const inName = fuzzyMatch(query, candidate.name)
  if (inName !== undefined) return [{ candidate, at: inName.positions, tier: 2, score: inName.score }]
  const isOtherName = candidate.aliases?.some((alias) => alias.startsWith(query)) === true
  if (isOtherName) return [{ candidate, at: [], tier: 2, score: Number.NEGATIVE_INFINITY }]
  // Inside of words nearly every description holds a short text: "he" is in each "the".
  const isDescribed = ` ${candidate.description ?? ""}`.toLowerCase().includes(` ${query}`)
  return isDescribed ? [{ candidate, at: [], tier: 3, score: 0 }] : []
}

/** By name, then by description; among equals the most recently used first. Nothing typed keeps the order of the list. */
export const rankCommands = (query: string, candidates: ReadonlyArray<Candidate>): ReadonlyArray<RankedCandidate> => {
  const scored = candidates.flatMap((candidate) => scoreCommand(query.toLowerCase(), candidate))
  if (query !== "") return best(scored)
  return keepOrder(scored.map(({ candidate }) => candidate).toSorted((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0)))
}

const MOST_FILES = 15

const baseStart = (path: string): number => path.replace(/\/$/, "").lastIndexOf("/") + 1

const isHiddenPath = (path: string): boolean => /(?:^|\/)\.[^./]/.test(path)

const scoreFile = (query: string, candidate: Candidate): ReadonlyArray<Scored> => {
  const path = candidate.name
  const start = baseStart(path)
  const base = path.slice(start).replace(/\/$/, "").toLowerCase()
  const asked = query.toLowerCase()
  if (isHiddenPath(path) && !isHiddenPath(query) && !query.startsWith(".")) return []
  if (base === asked) return [{ candidate, at: range(base.length, start), tier: 0, score: 0 }]
  if (base.startsWith(asked)) return [{ candidate, at: range(asked.length, start), tier: 1, score: 0 }]
  if (path.toLowerCase().startsWith(asked)) return [{ candidate, at: range(asked.length), tier: 1, score: 0 }]
  const match = fuzzyMatch(query, path)
  return match === undefined ? [] : [{ candidate, at: match.positions, tier: 2, score: match.score }]
}

/** Exact base name, prefix, then the rest; recency in this session and length of the path decide among equals. */
export const rankFiles = (query: string, candidates: ReadonlyArray<Candidate>): ReadonlyArray<RankedCandidate> => {
  // Inside a directory the directory itself is not a suggestion: taking it would change nothing.
  const others = candidates.filter(({ name, isDirectory }) => isDirectory !== true || name !== query)
  return best(others.flatMap((candidate) => scoreFile(query, candidate))).slice(0, MOST_FILES)
}

/** What an outside command or the history gave stays in its order. */
export const keepOrder = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<RankedCandidate> =>
  candidates.map((candidate) => ({ candidate, at: [] }))
