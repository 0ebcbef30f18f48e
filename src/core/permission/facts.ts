import { makeLookup } from "../domain/find-by.ts"
import type { PathFact } from "../domain/path/path-components.ts"
import type { Danger, RepositoryFacts } from "./bash/shell-analysis.ts"
import type { ParseShell, SyntaxTree } from "./bash/syntax.ts"

/** What the shell found out before a decision, as plain data: the same facts give the same decision again. */
export interface CallFacts {
  readonly paths: ReadonlyArray<PathFact>
  /** Paths that deny and ask rules spell out and that lead elsewhere; absent when none does. */
  readonly ruleLinks?: ReadonlyArray<PathFact>
  /** Every text that was given to the parser, with what it made of it. */
  readonly syntax: ReadonlyArray<ParsedText>
  /** Why no parser could be loaded, with the fix; every command asks then. */
  readonly parserProblem?: string
  /** The repository the command runs in; absent when no git is in the command or there is none. */
  readonly repository?: RepositoryFacts
  /** Why a command that must be confined cannot be; absent when it can, or need not. */
  readonly sandboxProblem?: SandboxProblem
  readonly globs: ReadonlyArray<GlobFact>
  /** Those of the places that something is put into that are directories; absent when there are none. */
  readonly directories?: ReadonlyArray<string>
  /** What rules name among the files that git knows; absent when nobody had to look. */
  readonly tracked?: ReadonlyArray<TrackedFact>
  /** Only for the question; absent when nothing is lost or nobody looked. */
  readonly lost?: ReadonlyArray<LostFact>
  /** What lies below directories that a command removes, moves or searches as a whole. */
  readonly below: ReadonlyArray<BelowFact>
}

export interface SandboxProblem {
  /** What is wrong, with the one fix. */
  readonly sentence: string
  /** Somebody may let this one command run outside. */
  readonly mayLeave: boolean
}

export interface ParsedText {
  readonly text: string
  /** Null when no parser could be loaded or it gave up. */
  readonly tree: SyntaxTree | null
}

/** What a glob stands for now; a long list is cut, and then nothing is proven by it. */
export interface GlobFact {
  readonly glob: string
  readonly matches: ReadonlyArray<string>
  readonly complete: boolean
}

/** Of each kind of thing below a directory no more are noted. */
export const MOST_FOUND_BELOW = 20

export interface BelowFact {
  readonly path: string
  /** Paths of protected and of secret things. */
  readonly protectedPaths: ReadonlyArray<string>
  readonly secrets: ReadonlyArray<string>
  /** What deny and ask rules about paths name. */
  readonly watched: ReadonlyArray<string>
  /** Nothing that they name was left unseen. */
  readonly watchedAll: boolean
  readonly links: ReadonlyArray<string>
  readonly complete: boolean
}

/** Files below a directory that git knows. */
export interface TrackedFact {
  readonly path: string
  /** What deny and ask rules about paths name; undefined when the list of git could not be read. */
  readonly watched: ReadonlyArray<string> | undefined
}

/** What a command that loses work would lose right now. */
export interface LostFact {
  readonly kind: NonNullable<Danger["loses"]>
  /** Files, stashes or commits; a long list is cut. */
  readonly names: ReadonlyArray<string>
  readonly count: number
}

export const NO_FACTS: CallFacts = { paths: [], syntax: [], globs: [], below: [] }

const globs = makeLookup<GlobFact>(({ glob }) => glob)
export const globFact = (facts: Pick<CallFacts, "globs">, glob: string): GlobFact | undefined => globs(facts.globs, glob)

const belows = makeLookup<BelowFact>(({ path }) => path)
export const belowFact = (facts: Pick<CallFacts, "below">, path: string): BelowFact | undefined => belows(facts.below, path)

/** The parser as a look-up: what was not parsed before the decision counts as not understood. */
export const parserFrom = ({ syntax }: CallFacts): ParseShell => {
  if (syntax.length <= 4) return (text) => syntax.find((parsed) => parsed.text === text)?.tree ?? undefined
  const trees = new Map(syntax.map(({ text, tree }) => [text, tree]))
  return (text) => trees.get(text) ?? undefined
}

export interface Recording {
  readonly parse: ParseShell
  readonly parsed: () => ReadonlyArray<ParsedText>
}

/** A parser that remembers every text it was asked for. */
export const recordingParser = (parse: ParseShell): Recording => {
  const trees = new Map<string, SyntaxTree | null>()
  return {
    parse: (text) => {
      const known = trees.get(text)
      if (known !== undefined) return known ?? undefined
      const tree = parse(text)
      trees.set(text, tree ?? null)
      return tree
    },
    parsed: () => Array.from(trees, ([text, tree]) => ({ text, tree }))
  }
}
