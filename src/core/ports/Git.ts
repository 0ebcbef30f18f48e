import { Context } from "effect"

export interface GitFacts {
  readonly isRepository: boolean
  /** Absent when there is no readable HEAD; `HEAD` when detached. */
  readonly branch?: string
}

/** What a repository's own files say, read as data: no git process runs, because its configuration may run programs. */
export class Git extends Context.Service<Git, { readonly facts: (directory: string) => GitFacts }>()("nacre/ports/Git") {}
