import type { Obstacle } from "./program.ts"

/**
 * What a shell text could run and touch, said once for every reader: deny and ask rules look at `candidates` and
 * `touches` of all parts, an allow looks at the parts that were not handed over and at the proofs.
 */
export interface ShellAnalysis {
  readonly source: string
  /** Nothing but blanks and comments. */
  readonly blank: boolean
  readonly parts: ReadonlyArray<ShellPart>
  /** The first thing that keeps the text from being fully understood; undefined when every byte is. */
  readonly obstacle: AnalysisObstacle | undefined
  /** The first obstacle that no allow rule lifts, not even one for the whole tool: unparsable or over a limit. */
  readonly unparsable: AnalysisObstacle | undefined
  /** Damage that nothing lifts, as a sentence: a critical removal or a hazard to the system. */
  readonly critical: string | undefined
}

export interface AnalysisObstacle {
  readonly kind: Obstacle["kind"]
  readonly sentence: string
  /** From 1. */
  readonly column: number
}

/** One simple command at any depth. */
export interface ShellPart {
  /** As it is written, redirects included when the text has them there. */
  readonly text: string
  /** Base name of the program, without wrappers; empty when there is none or it is not known. */
  readonly program: string
  readonly depth: number
  /** Code in a string given to another program, or guessed in a broken text: counts for deny and ask only. */
  readonly handed: boolean
  readonly candidates: ReadonlyArray<Candidate>
  readonly allow: AllowTexts
  readonly readOnly: Proof
  /** Only makes, moves, copies, removes or substitutes in files named plainly (what `acceptEdits` lets through). */
  readonly fileEdit: Proof
  readonly touches: ReadonlyArray<Touch>
  readonly danger: Danger | undefined
  readonly critical: string | undefined
  /** What runs is only known at run time: the word that says so. */
  readonly dynamicProgram: string | undefined
  /** Which file is touched is only known at run time: the word that says so. */
  readonly dynamicOperand: string | undefined
}

/** A text and the offsets in it (ascending) where a program might begin; for deny and ask rules. */
export interface Candidate {
  readonly text: string
  readonly starts: ReadonlyArray<number>
}

export interface AllowTexts {
  /** What an allow rule may match: all of them mean this command. */
  readonly texts: ReadonlyArray<string>
  /** Why only an exact rule or one for the whole tool may allow it, as a sentence; undefined when any rule may. */
  readonly obstacle: string | undefined
}

export type Proof = { readonly proven: true } | { readonly proven: false; readonly why: string }

export interface Touch {
  /** `maybe`: nobody knows what the program does with it, so rules about reading and about writing both apply. */
  readonly access: "read" | "write" | "remove" | "maybe"
  readonly via: "operand" | "redirect" | "directory"
  /** The word as it was given, unquoted. */
  readonly asked: string
  /** Absolute, `.` and `..` resolved; of a glob its base directory; undefined when the place cannot be known. */
  readonly path: string | undefined
  /** Absolute pattern of an unquoted glob. */
  readonly glob: string | undefined
  /** Everything below is touched too. */
  readonly recursive: boolean
  /** What a search opens below. */
  readonly seen?: SeenNames
  /** Of what is below only names that match this, with `*` for anything. */
  readonly namesLike?: string
  /** Of what is below only what git knows. */
  readonly tracked?: true
  /** Only when none of these is there: then they are not paths, and all of it is meant. */
  readonly unlessThere?: ReadonlyArray<string>
  /** The path begins with `..` and leads where it says, provided that this directory is not a link. */
  readonly upFrom?: string
  /** Links below lead on to what they point to. */
  readonly followsLinks?: true
  /** What is below appears under another name as well. */
  readonly copied?: true
  /** What is put into it, should it be a directory. */
  readonly into?: Into
  /** Counts for deny and ask rules only, never for the question whether a place is inside. */
  readonly rulesOnly: boolean
  /** unsafe: asks in every mode; unprovable: the place cannot be proven. */
  readonly form: "plain" | "unsafe" | "unprovable"
}

/** What comes into a directory under its own name. */
export interface Into {
  readonly names: ReadonlyArray<string>
  /** Absolute patterns: whatever they stand for comes too. */
  readonly globs: ReadonlyArray<string>
  /** The words leave no doubt that it is a directory. */
  readonly isDirectory?: true
}

/** Loses work, or runs what it is given: a wildcard rule covers it only when it spells what makes it so. */
export interface Danger {
  readonly kind: "destructive" | "executes"
  /** Words with blanks between them, all of which must be spelled; any of the entries will do. */
  readonly spelled: ReadonlyArray<string>
  /** What would be lost or run, for the question. */
  readonly sentence: string
  /** What the question should list; undefined when it loses nothing of the user's work. */
  readonly loses: "files" | "untracked" | "commits" | "stashes" | "disk" | undefined
}

/** What the repository says about itself, read as data. */
export interface RepositoryFacts {
  /** The top of the working tree; absent outside of any. */
  readonly root?: string
  /** Keys in lower case with their values; included files and the repositories it contains are among them. */
  readonly entries: ReadonlyArray<{ readonly key: string; readonly value: string }>
  /** The directory itself has HEAD, objects and refs. */
  readonly looksBare: boolean
  /** A part of the configuration could not be read. */
  readonly unreadable?: boolean
}

export const PROVEN: Proof = { proven: true }
export const notProven = (why: string): Proof => ({ proven: false, why })

/**
 * Which files below a directory a search opens, as far as its flags say so. A name that is left out here is surely left
 * out by the search; where a flag is not understood, or programs of the same name disagree, the name counts as seen.
 */
export interface SeenNames {
  /** Goes into directories and files whose name begins with a dot. */
  readonly hidden: boolean
  /** When there are any: files whose name matches none of these are left out. */
  readonly only: ReadonlyArray<string>
  /** Files with these names are left out, unless they match `only`. */
  readonly without: ReadonlyArray<string>
  readonly withoutDirectories: ReadonlyArray<string>
}
