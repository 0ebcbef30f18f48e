import { Context } from "effect"
import type { RepositoryFacts } from "../permission/bash/shell-analysis.ts"
import type { CheckoutFacts } from "../settings/trust/trusted-folder.ts"

export interface GitFacts {
  readonly isRepository: boolean
  /** Absent when there is no readable HEAD; `HEAD` when detached. */
  readonly branch?: string
}

/** What a repository's own files say, read as data: no git process runs, because its configuration may run programs. */
export class Git extends Context.Service<
  Git,
  {
    readonly facts: (directory: string) => GitFacts
    /** The configuration that git would read for a command in the directory, apart from the user's own. */
    readonly configuration: (directory: string) => RepositoryFacts
    /** The repository around a directory, given as a real path; undefined outside of any. */
    readonly checkout: (directory: string) => CheckoutFacts | undefined
    /** Absolute paths of the files in the index around a directory; undefined when it cannot be read completely. */
    readonly trackedFiles: (directory: string) => ReadonlyArray<string> | undefined
    /** Whether a file (a real path) came with its repository, or may have: the index holds it or cannot be read. */
    readonly isTracked: (file: string) => boolean
  }
>()("nacre/ports/Git") {}
