import { readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { LIMITS } from "../../../../core/domain/limits.ts"
import { Search } from "../../../../core/ports/Search.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import { shortPath } from "../../../../tui/text/short-path.ts"
import { fuzzyIndex, type FuzzyIndex, fuzzyRank } from "../../../../tui/text/fuzzy.ts"
import { FileSuggestion } from "./file-suggestion.ts"
import type { PerformContext } from "../context/command-context.ts"
import { settingOf } from "../../../../core/settings/snapshot.ts"

/** Files and directories that a mention may name: listed in the background, kept for a while, ranked here. */

const MOST_FOUND = 15
const FRESH_MS = 5_000
/** Listing may take this part of the time. */
const MOST_LISTING = 0.05

const HIDDEN = /(?:^|\/)\.[^./]/

interface Index {
  readonly visible: FuzzyIndex<string>
  readonly all: FuzzyIndex<string>
}

const directoriesOf = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const file of files) {
    for (let slash = file.lastIndexOf("/"); slash > 0; slash = file.lastIndexOf("/", slash - 1)) {
      const directory = file.slice(0, slash + 1)
      if (found.has(directory)) break
      found.add(directory)
    }
  }
  return [...found]
}

const indexOf = (files: ReadonlyArray<string>): Index => {
  const paths = [...files, ...directoriesOf(files)]
  const visible = paths.filter((path) => !HIDDEN.test(path))
  return { visible: fuzzyIndex(visible, (path) => path), all: fuzzyIndex(paths, (path) => path) }
}

/** Files below a directory, the newest first. */
const filesBelow = (root: string, ignoreFiles: boolean) =>
  Search.use((search) =>
    search.glob({ root, pattern: "*", hidden: true, ignoreFiles, exclude: [], timeoutMs: LIMITS.searchTimeoutMs })
  ).pipe(Effect.map(({ entries }) => entries))

/** A path that leaves the workspace, or begins at a place of its own. */
const OWN_PLACE = /^(?:\/|~\/|\.\.?\/)/

/** Entries of the directory that is being typed, named as it was typed. */
const listed = async (query: string, cwd: string, home: string): Promise<ReadonlyArray<string>> => {
  const slash = query.lastIndexOf("/") + 1
  const typed = query.slice(0, slash)
  const begun = query.slice(slash).toLowerCase()
  const directory = typed.startsWith("~/") ? join(home, typed.slice(2)) : resolve(cwd, typed)
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries
    .filter(({ name }) => name.toLowerCase().startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")))
    .map((entry) => `${typed}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .toSorted()
    .slice(0, MOST_FOUND)
}

interface Known {
  readonly index: Promise<Index>
  /** Infinity while it is being built. */
  builtAt: number
  /** So long it is taken for true: a large workspace is not listed all the time. */
  freshMs: number
}

export class WorkspaceFiles {
  private readonly known = new Map<string, Known>()
  private readonly latest = new Map<string, number>()

  private readonly suggestion: FileSuggestion

  constructor(private readonly context: PerformContext) {
    this.suggestion = new FileSuggestion(context)
  }

  /** Answers with what is known; what is old is listed again for the next question. */
  find({ session, query, request, isMention }: Extract<Cmd, { readonly _tag: "FindFiles" }>): void {
    this.latest.set(session, request)
    const { plan, sessions, attempt, tell } = this.context
    const cwd = sessions.get(session)?.state().cwd ?? plan.cwd
    attempt("files could not be listed", async () => {
      const handle = sessions.get(session)
      const isLatest = (): boolean => this.latest.get(session) === request
      const suggested = handle === undefined || !isMention ? undefined : await this.suggestion.suggest(handle, query)
      const paths = suggested?.slice(0, MOST_FOUND) ?? (await this.builtIn(cwd, query, isLatest))
      if (!isLatest()) return
      tell({ _tag: "FilesFound", session, request, paths, ...(suggested === undefined ? {} : { isSuggested: true }) })
    })
  }

  private builtIn(cwd: string, query: string, isWanted: () => boolean): Promise<ReadonlyArray<string>> {
    return OWN_PLACE.test(query) ? listed(query, cwd, this.context.plan.home) : this.ranked(cwd, query, isWanted)
  }

  /** Keys that wait are taken first: whoever types on needs no answer to what they had typed. */
  private async ranked(cwd: string, query: string, isWanted: () => boolean): Promise<ReadonlyArray<string>> {
    const { visible, all } = await this.indexFor(cwd)
    await new Promise((resolve) => setImmediate(resolve))
    if (!isWanted()) return []
    const among = HIDDEN.test(query) || query.startsWith(".") ? all : visible
    return fuzzyRank(among, query, MOST_FOUND).map(({ item }) => item)
  }

  private indexFor(cwd: string): Promise<Index> {
    const known = this.known.get(cwd)
    if (known === undefined) return this.build(cwd).index
    if (Date.now() - known.builtAt > known.freshMs) {
      known.builtAt = Number.POSITIVE_INFINITY
      const next = this.build(cwd)
      // Until it is there, the old one answers.
      this.known.set(cwd, known)
      next.index.then(
        () => this.known.set(cwd, next),
        () => {}
      )
    }
    return known.index
  }

  private build(cwd: string): Known {
    const { additionalDirs, settings } = this.context.plan
    const ignoreFiles = settingOf(settings.current().snapshot, "respectGitignore") !== false
    const roots = [cwd, ...additionalDirs]
    const listing = Effect.forEach(roots, (root) => filesBelow(root, ignoreFiles), { concurrency: 2 })
    const begunAt = Date.now()
    const index = this.context.withPorts(listing).then(
      (lists) => {
        const made = indexOf(lists.flat().map((path) => shortPath(path, cwd)))
        known.builtAt = Date.now()
        known.freshMs = Math.max(FRESH_MS, (known.builtAt - begunAt) / MOST_LISTING)
        return made
      },
      (error: unknown) => {
        this.known.delete(cwd)
        throw error
      }
    )
    const known: Known = { index, builtAt: Number.POSITIVE_INFINITY, freshMs: FRESH_MS }
    this.known.set(cwd, known)
    return known
  }
}
