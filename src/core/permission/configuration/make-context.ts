import type { Location } from "../../domain/path/path-components.ts"
import { DEFAULT_AUTO } from "../auto-mode-lists.ts"
import type { PermissionContext, WorkingDir } from "../context.ts"
import type { Rule } from "../rule.ts"
import { readRules } from "../rules/parse.ts"
import { PREAPPROVED_HOSTS } from "../rules/preapproved-hosts.ts"

/** What has a sensible default; the rest is asked for. */
const DEFAULTS = {
  mode: "default",
  bypassAvailable: false,
  autoAvailable: false,
  auto: DEFAULT_AUTO,
  awaitAutomatedChecks: false,
  sandbox: { enabled: false, autoAllow: false, excluded: [], mayLeave: true },
  runsBash: true,
  platform: "posix",
  caseSensitiveFs: true,
  secretFiles: "ask",
  bypassProtectedPaths: "allow",
  preapprovedHosts: PREAPPROVED_HOSTS,
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
    problems: read.flatMap((one) => one.problems)
  }
}
