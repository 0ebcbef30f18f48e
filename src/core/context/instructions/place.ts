import { expandBraces } from "../../domain/path/braces.ts"
import { matchesAbsolute } from "../../domain/path/glob.ts"
import { componentsAsSpelled, isInside, isInsideAny, parentOf } from "../../domain/path/path-components.ts"

/** What a search depends on besides the file system. Every directory is a real path. */
export interface SearchPlace {
  readonly cwd: string
  readonly home: string
  readonly configHome: string
  readonly managedDirectory: string
  /** The setting `claudeMd` of the organisation. */
  readonly managedText?: string | undefined
  /** Added directories that are searched like the working directory. */
  readonly searched: ReadonlyArray<string>
  /** What belongs to the project: its repository or directory, and added directories. */
  readonly roots: ReadonlyArray<string>
  readonly sources: ReadonlySet<"user" | "project" | "local">
  /** Only the organisation's own file is read. */
  readonly isOff: boolean
  /** Globs on absolute paths. */
  readonly excludes: ReadonlyArray<string>
  readonly agentsMd: "fallback" | "always" | "never"
  /** Names that are read besides, as GEMINI.md. */
  readonly extraNames: ReadonlyArray<string>
  /** User ids whose files may instruct; undefined: everybody's. */
  readonly owners: ReadonlySet<number> | undefined
  /** Real paths outside of the project that the user approved; "everything" when another program asked. */
  readonly approved: ReadonlySet<string> | "everything"
  /** Nobody trusts the folder: nothing from outside of it is read for it. */
  readonly isRestricted: boolean
  /** Whether reading the path would show a secret. */
  readonly isSecret: (path: string) => boolean
  /** A worktree inside its own main checkout. */
  readonly worktree?: { readonly root: string; readonly main: string } | undefined
}

/** From the root of the file system down to the directory. */
export const chainTo = (directory: string): ReadonlyArray<string> => {
  const names = componentsAsSpelled(directory)
  return ["/", ...names.map((_, at) => `/${names.slice(0, at + 1).join("/")}`)]
}

/** Directories below `outer` on the way to a file, the outermost first. */
export const directoriesBetween = (outer: string, file: string): ReadonlyArray<string> =>
  isInside(outer, file) ? chainTo(parentOf(file)).filter((each) => each !== outer && isInside(outer, each)) : []

/** What the main checkout says, its worktree says for itself. */
export const isOtherCheckout = ({ worktree }: SearchPlace, directory: string): boolean =>
  worktree !== undefined && isInside(worktree.main, directory) && !isInside(worktree.root, directory)

/** Globs on absolute paths; `~/` is the home directory, and a pattern may begin at any depth. */
export const excluder = ({ excludes, home }: SearchPlace): ((path: string) => boolean) => {
  const patterns = expandBraces(excludes).map((pattern) => {
    if (pattern.startsWith("~/")) return `${home}/${pattern.slice(2)}`
    return pattern.startsWith("/") ? pattern : `/${pattern.startsWith("**") ? "" : "**/"}${pattern}`
  })
  return (path) => patterns.some((pattern) => matchesAbsolute(pattern, path))
}

/** Whether the user said that the project may take something from there. */
export const isApproved = ({ approved }: SearchPlace, realPath: string): boolean =>
  approved === "everything" || isInsideAny([...approved], realPath)
