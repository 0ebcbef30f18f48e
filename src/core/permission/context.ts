import type { Location } from "./path-scope.ts"
import { readRules } from "./parse.ts"
import type { Rule } from "./rule.ts"
import type { PermissionMode } from "./verdict.ts"

/** Everything a decision depends on besides the call itself. Immutable: a change makes a new record. */
export interface PermissionContext {
  readonly mode: PermissionMode
  /** Directory the session was started in; relative rules mean it, wherever the shell has gone since. */
  readonly cwd: Location
  readonly home: Location
  readonly workingDirs: ReadonlyArray<Location>
  readonly rules: ReadonlyArray<Rule>
  readonly bypassAvailable: boolean
  /** Somebody can answer a question: a person at the terminal or a host. */
  readonly canPrompt: boolean
  /** Where Nacre keeps its own files; writing there changes how it behaves. */
  readonly configHome?: string
  /** Directories of the program that the model may read although they lie outside (spilled results). */
  readonly readableDirs: ReadonlyArray<string>
}

export interface ContextOptions {
  readonly mode?: PermissionMode
  readonly cwd: Location
  readonly home: Location
  readonly additionalDirs?: ReadonlyArray<Location>
  readonly bypassAvailable?: boolean
  readonly canPrompt: boolean
  readonly configHome?: string
  readonly readableDirs?: ReadonlyArray<string>
  /** Rule texts of the command line. */
  readonly allow?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
}

export interface ContextMade {
  readonly context: PermissionContext
  /** Sentences for stderr about rules that were skipped. */
  readonly problems: ReadonlyArray<string>
}

/** The context a session starts with. A mode that is not available becomes the default one. */
export const makeContext = (options: ContextOptions): ContextMade => {
  const deny = readRules(options.deny ?? [], { behavior: "deny", source: "cliArg" })
  const allow = readRules(options.allow ?? [], { behavior: "allow", source: "cliArg" })
  const bypassAvailable = options.bypassAvailable ?? false
  const mode = options.mode ?? "default"
  return {
    context: {
      mode: mode === "bypassPermissions" && !bypassAvailable ? "default" : mode,
      cwd: options.cwd,
      home: options.home,
      workingDirs: [options.cwd, ...(options.additionalDirs ?? [])],
      rules: [...deny.rules, ...allow.rules],
      bypassAvailable,
      canPrompt: options.canPrompt,
      ...(options.configHome === undefined ? {} : { configHome: options.configHome }),
      readableDirs: options.readableDirs ?? []
    },
    problems: [...deny.problems, ...allow.problems]
  }
}

export const addDirectories = (context: PermissionContext, added: ReadonlyArray<Location>): PermissionContext => ({
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

