import { Context } from "effect"
import type { RepositoryFacts } from "../permission/shell/analysis.ts"

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
  }
>()("nacre/ports/Git") {}
