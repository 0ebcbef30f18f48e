import type { Found, FileCount, GrepLine } from "../tools/search/search-result.ts"
import { Context, Data, type Effect } from "effect"

/**
 * Finding files by name and text by pattern. Nothing follows links, nothing changes anything. Every search ends at its
 * time limit with what was found so far, and ends at once when the asking fiber is interrupted.
 */
export class SearchFailure extends Data.TaggedError("SearchFailure")<{
  /** pattern: the search expression, glob or type is not valid; engine: the search itself could not run. */
  readonly kind: "pattern" | "engine"
  readonly message: string
}> {}

export interface Scope {
  /** Absolute. A directory to look below, or (for text) one file. */
  readonly root: string
  /** Absolute globs in gitignore form of what must not even be opened. */
  readonly exclude: ReadonlyArray<string>
  /** Whether a file that was found may be told of; it has the last word, whatever the globs let through. */
  readonly shows?: (path: string) => boolean
  readonly timeoutMs: number
}

export interface GlobRequest extends Scope {
  /** In gitignore form below root: without a slash it matches a name at any depth, a leading slash anchors it. */
  readonly pattern: string
  readonly hidden: boolean
  /** Whether .gitignore, .ignore and .rgignore hide files. */
  readonly ignoreFiles: boolean
}

export interface NamesRequest extends Scope {
  /** Globs of names, without regard to case; ignore files hide directories, but no file that is named here. */
  readonly names: ReadonlyArray<string>
  /** Only those that a search for text with these globs would look at. */
  readonly globs: ReadonlyArray<string>
}

export interface GrepRequest extends Scope {
  /** Regular expression in ripgrep's syntax. */
  readonly pattern: string
  /** Globs in the form of GlobRequest.pattern; a leading `!` excludes, the last one that matches decides. */
  readonly globs: ReadonlyArray<string>
  /** A file type by ripgrep's name, for example `ts`. */
  readonly type?: string
  readonly ignoreCase: boolean
  /** The expression may span lines, and its dot matches line ends. */
  readonly multiline: boolean
}

export interface GrepLinesRequest extends GrepRequest {
  readonly before: number
  readonly after: number
  /** The matching parts instead of their lines. */
  readonly onlyMatching: boolean
  /** The search ends as soon as this many entries are known. */
  readonly stopAfter: number
}

export class Search extends Context.Service<
  Search,
  {
    /** Files by name, newest modification first, ties by path. */
    readonly glob: (request: GlobRequest) => Effect.Effect<Found<string>, SearchFailure>
    /** Files below a directory that have one of the names, in no order. */
    readonly names: (request: NamesRequest) => Effect.Effect<Found<string>, SearchFailure>
    /** Files that contain a match, in the same order. */
    readonly grepFiles: (request: GrepRequest) => Effect.Effect<Found<string>, SearchFailure>
    /** Matches per file, by path. */
    readonly grepCounts: (request: GrepRequest) => Effect.Effect<Found<FileCount>, SearchFailure>
    /** Lines by path and line number. */
    readonly grepLines: (request: GrepLinesRequest) => Effect.Effect<Found<GrepLine>, SearchFailure>
    /** Which engine answers and why, for `doctor`. */
    readonly engine: Effect.Effect<string>
  }
>()("nacre/ports/Search") {}
