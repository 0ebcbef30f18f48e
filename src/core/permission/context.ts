import type { AutoSettings } from "./auto-mode-lists.ts"
import type { PathFact, Location } from "../domain/path/path-components.ts"
import type { Rule } from "./rule.ts"
import type { Platform } from "./bash/touches/path-touch.ts"
import type { PermissionMode } from "./verdict.ts"
import type { RuleSource } from "../domain/settings-source.ts"

/** A directory that the session works in. */
export interface WorkingDir extends Location {
  readonly source?: RuleSource
  /** Nobody has looked yet where it leads; the first look decides, and from then on it must stay so. */
  readonly unseen?: true
}

/** The sandbox as far as decisions depend on it. */
export interface SandboxSummary {
  /** Commands run in the `workspace` profile. */
  readonly enabled: boolean
  /** Commands that run in it need no approval. */
  readonly autoAllow: boolean
  /** Patterns of commands that run outside. */
  readonly excluded: ReadonlyArray<string>
  /** A command may ask to run outside. */
  readonly mayLeave: boolean
}

/** Everything a decision depends on besides the call itself. Immutable: a change makes a new record. */
export interface PermissionContext {
  readonly mode: PermissionMode
  /** Directory the session was started in; relative rules mean it, wherever the shell has gone since. */
  readonly cwd: Location
  readonly home: Location
  readonly workingDirs: ReadonlyArray<WorkingDir>
  readonly rules: ReadonlyArray<Rule>
  readonly bypassAvailable: boolean
  readonly autoAvailable: boolean
  /** What the classifier of auto mode goes by. */
  readonly auto: AutoSettings
  /** Somebody can answer a question: a user at the terminal or a host. */
  readonly canPrompt: boolean
  /** Hooks and classifier finish before a dialog opens. */
  readonly awaitAutomatedChecks: boolean
  readonly sandbox: SandboxSummary
  /** Commands run in bash; of another shell's language nothing is proven. */
  readonly runsBash: boolean
  /** How the system reads paths. */
  readonly platform: Platform
  /** Names that differ only in case are different files. */
  readonly caseSensitiveFs: boolean
  /** What reading a file that probably holds secrets means. */
  readonly secretFiles: "ask" | "deny" | "off"
  /** Whether bypass mode asks before it writes what changes how tools behave. */
  readonly bypassProtectedPaths: "allow" | "ask"
  /** Hosts whose pages may be fetched without a question, where no rule says otherwise. */
  readonly preapprovedHosts: ReadonlyArray<string>
  /** Where Nacre keeps its own files; writing there changes how it behaves. */
  readonly configHome?: string
  /** Directories of the program that the model may read although they lie outside (spilled results). */
  readonly readableDirs: ReadonlyArray<string>
  /** Files and directories of this session that the model may write (its plan, its scratch directory). */
  readonly editablePaths: ReadonlyArray<string>
  /** All that may be written, whatever else allows more; commands may only read then. */
  readonly grant?: { readonly _tag: "EditFile" | "Directory"; readonly path: string }
}

export const addDirectories = (context: PermissionContext, added: ReadonlyArray<WorkingDir>): PermissionContext => ({
  ...context,
  workingDirs: [
    ...context.workingDirs,
    ...added.filter(({ path }) => !context.workingDirs.some((known) => known.path === path))
  ]
})

const seen = (directory: WorkingDir, facts: ReadonlyArray<PathFact>): WorkingDir => {
  const fact = directory.unseen === true ? facts.find(({ path }) => path === directory.path) : undefined
  if (fact?.exists !== true) return directory
  const { unseen: _unseen, ...known } = directory
  return { ...known, realPath: fact.realPath }
}

/** The context after a look at the directories that were added without one. */
export const withDirectoriesSeen = (context: PermissionContext, facts: ReadonlyArray<PathFact>): PermissionContext =>
  context.workingDirs.some(({ unseen }) => unseen === true)
    ? { ...context, workingDirs: context.workingDirs.map((directory) => seen(directory, facts)) }
    : context

/** The start directory always stays. */
export const removeDirectories = (context: PermissionContext, paths: ReadonlyArray<string>): PermissionContext => ({
  ...context,
  workingDirs: context.workingDirs.filter(({ path }) => path === context.cwd.path || !paths.includes(path))
})
