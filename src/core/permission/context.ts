import type { Location } from "./path-scope.ts"
import { readRules } from "./parse.ts"
import type { Rule } from "./rule.ts"
import type { Platform } from "./shell/path-touch.ts"
import type { PermissionMode, RuleSource } from "./verdict.ts"

/** A directory that the session works in. */
export interface WorkingDir extends Location {
  readonly source?: RuleSource
}

/** The sandbox as far as decisions depend on it. */
export interface SandboxSummary {
  /** Commands run in the `workspace` profile. */
  readonly enabled: boolean
  /** Commands that run in it need no approval. */
  readonly autoAllow: boolean
  /** Patterns of commands that run outside. */
  readonly excluded: ReadonlyArray<string>
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
  /** Somebody can answer a question: a person at the terminal or a host. */
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
  /** Where Nacre keeps its own files; writing there changes how it behaves. */
  readonly configHome?: string
  /** Directories of the program that the model may read although they lie outside (spilled results). */
  readonly readableDirs: ReadonlyArray<string>
  /** Files and directories of this session that the model may write (its plan, its scratch directory). */
  readonly editablePaths: ReadonlyArray<string>
}

/** What has a sensible default; the rest is asked for. */
const DEFAULTS = {
  mode: "default",
  bypassAvailable: false,
  autoAvailable: false,
  awaitAutomatedChecks: false,
  sandbox: { enabled: false, autoAllow: false, excluded: [] },
  runsBash: true,
  platform: "posix",
  caseSensitiveFs: true,
  secretFiles: "ask",
  bypassProtectedPaths: "allow",
  readableDirs: [],
  editablePaths: []
} as const satisfies Partial<PermissionContext>

type Defaulted = Partial<Pick<PermissionContext, keyof typeof DEFAULTS | "configHome">>

export interface ContextOptions extends Defaulted {
  readonly cwd: Location
  readonly home: Location
  readonly additionalDirs?: ReadonlyArray<WorkingDir>
  readonly canPrompt: boolean
  /** Rules of settings files, already read. */
  readonly rules?: ReadonlyArray<Rule>
  /** Rule texts of the command line. */
  readonly allow?: ReadonlyArray<string>
  readonly ask?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
}

export interface ContextMade {
  readonly context: PermissionContext
  /** Sentences for stderr about rules that were skipped. */
  readonly problems: ReadonlyArray<string>
  /** Those about deny and ask rules, which must stay in sight. */
  readonly banners: ReadonlyArray<string>
}

/** The context a session starts with. A mode that is not available becomes the default one. */
export const makeContext = (options: ContextOptions): ContextMade => {
  const { additionalDirs = [], rules = [], allow = [], ask = [], deny = [], ...given } = options
  const read = (["deny", "ask", "allow"] as const).map((behavior) =>
    readRules({ allow, ask, deny }[behavior], { behavior, source: "cliArg" })
  )
  const settings = { ...DEFAULTS, ...given }
  const isAvailable =
    (settings.mode !== "bypassPermissions" || settings.bypassAvailable) &&
    (settings.mode !== "auto" || settings.autoAvailable)
  return {
    context: {
      ...settings,
      mode: isAvailable ? settings.mode : "default",
      workingDirs: [options.cwd, ...additionalDirs],
      rules: [...rules, ...read.flatMap((one) => one.rules)]
    },
    problems: read.flatMap((one) => one.problems),
    banners: read.flatMap((one) => one.banners)
  }
}

export const addDirectories = (context: PermissionContext, added: ReadonlyArray<WorkingDir>): PermissionContext => ({
  ...context,
  workingDirs: [
    ...context.workingDirs,
    ...added.filter(({ path }) => !context.workingDirs.some((known) => known.path === path))
  ]
})

/** The start directory always stays. */
export const removeDirectories = (context: PermissionContext, paths: ReadonlyArray<string>): PermissionContext => ({
  ...context,
  workingDirs: context.workingDirs.filter(({ path }) => path === context.cwd.path || !paths.includes(path))
})
