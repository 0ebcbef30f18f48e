import type { PermissionContext } from "../context.ts"
import { effectiveMode } from "../mode.ts"
import type { Location } from "../../domain/path/path-components.ts"
import { type Rule, sameRule } from "../rule.ts"
import { SETTINGS_SOURCES } from "../../domain/settings-source.ts"

/** What settings give to the rules of a session. A later one takes the place of the one before. */
export interface AppliedSettings {
  readonly rules: ReadonlyArray<Rule>
  readonly directories: ReadonlyArray<Location>
  /** Of the settings before. */
  readonly formerDirectories: ReadonlyArray<string>
  readonly bypassAvailable: boolean
  readonly autoAvailable: boolean
  readonly auto: PermissionContext["auto"]
  readonly managedRulesOnly: boolean
  readonly sandbox: PermissionContext["sandbox"]
  readonly secretFiles: PermissionContext["secretFiles"]
  readonly bypassProtectedPaths: PermissionContext["bypassProtectedPaths"]
  readonly preapprovedHosts: ReadonlyArray<string>
}

const isFromSettings = ({ source }: Rule): boolean => SETTINGS_SOURCES.some((known) => known === source)

const isSame = (left: Rule, right: Rule): boolean =>
  sameRule(left, right) && left.behavior === right.behavior && left.source === right.source

/** Given in an answer and on its way into a file: it holds until the file says it. */
const isOnItsWay = (rule: Rule, { rules }: AppliedSettings): boolean =>
  rule.file === undefined && !rules.some((other) => isSame(rule, other))

/** Rules of the command line and of the session stay; those of files are replaced as a whole. */
export const applySettings = (context: PermissionContext, applied: AppliedSettings): PermissionContext => {
  const own = context.rules.filter((rule) => !isFromSettings(rule) || isOnItsWay(rule, applied))
  const isKept = (rule: Rule): boolean => !(applied.managedRulesOnly && rule.behavior === "allow")
  const dirs = context.workingDirs.filter(
    ({ path }) => path === context.cwd.path || !applied.formerDirectories.includes(path)
  )
  const added = applied.directories.filter(({ path }) => !dirs.some((known) => known.path === path))
  const next = {
    ...context,
    rules: [...own.filter(isKept), ...applied.rules],
    workingDirs: [...dirs, ...added],
    // Only a start makes it available; a file that changes later can take it away.
    bypassAvailable: context.bypassAvailable && applied.bypassAvailable,
    autoAvailable: applied.autoAvailable,
    auto: applied.auto,
    sandbox: applied.sandbox,
    secretFiles: applied.secretFiles,
    bypassProtectedPaths: applied.bypassProtectedPaths,
    preapprovedHosts: applied.preapprovedHosts
  }
  return { ...next, mode: effectiveMode(next) }
}
