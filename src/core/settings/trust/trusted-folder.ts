import { isInside, resolvePath } from "../../domain/path/path-components.ts"

/** What the file system says about the folder the program was started in. Every path is a real one. */
export interface FolderFacts {
  readonly start: string
  readonly home: string
  /** Where the nearest `.git` lies, in the start directory or above it. */
  readonly repository?: CheckoutFacts
}

export interface CheckoutFacts {
  readonly root: string
  /** Set when `.git` is a file that names another directory, as linked worktrees have it. */
  readonly linked?: LinkedWorktree
}

/** A worktree says where its repository is; only the repository can say that it is one of its worktrees. */
export interface LinkedWorktree {
  /** The directory that the `.git` file names. */
  readonly gitDir: string
  /** The `.git` file that the named directory itself lists as its worktree; undefined when it lists none. */
  readonly listed: string | undefined
}

export interface TrustPlace {
  /** The folder that is trusted or not, by its real path. */
  readonly key: string
  readonly kind: "repository" | "worktree" | "folder" | "home"
}

/** `<main>/.git/worktrees/<name>` belongs to `<main>`; anything else, a submodule too, to nobody. */
const WORKTREE = /^(.*)\/\.git\/worktrees\/[^/]+$/

/** The main checkout of a worktree, if the main checkout's own list has it. */
export const mainCheckout = ({ root, linked }: CheckoutFacts): string | undefined => {
  const main = linked === undefined ? undefined : WORKTREE.exec(linked.gitDir)?.[1]
  if (linked === undefined || linked.listed === undefined || main === undefined || main === "") return undefined
  return resolvePath("/", linked.listed) === resolvePath(root, ".git") ? main : undefined
}

/**
 * Which folder a trust decision is about. It is the nearest repository, so a repository inside another needs its own;
 * bytes inside the folder never name a folder that is trusted already. A folder that holds the home directory is never
 * trusted for longer than a session: everything would be in it.
 */
export const trustPlace = ({ start, home, repository }: FolderFacts): TrustPlace => {
  if (isInside(start, home)) return { key: start, kind: "home" }
  const main = repository === undefined ? undefined : mainCheckout(repository)
  const key = main ?? repository?.root ?? start
  if (repository === undefined || isInside(key, home)) return { key: start, kind: "folder" }
  return { key, kind: main === undefined ? "repository" : "worktree" }
}
