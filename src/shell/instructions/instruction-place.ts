import { statSync } from "node:fs"
import { dirname } from "node:path"
import type { SearchPlace } from "../../core/context/instructions/place.ts"
import { isOn, readVariable } from "../../core/domain/env.ts"
import { isSecretPath } from "../../core/permission/rules/sensitive-paths.ts"
import type { Git } from "../../core/ports/Git.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import { mainCheckout, trustPlace } from "../../core/settings/trust/trusted-folder.ts"
import { isInside } from "../../core/domain/path/path-components.ts"
import type { SettingSource } from "../cli/options.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { realOr } from "../trust/read-folder.ts"

/** What the search for instruction files depends on, from the plan of a session or of a command. */
export interface InstructionPlan extends Pick<
  SessionPlan,
  "cwd" | "home" | "configHome" | "env" | "additionalDirs" | "isUnaccepted"
> {
  readonly settings: Pick<SessionPlan["settings"], "current" | "isTrusted">
  readonly start: { readonly settings: { readonly sources?: ReadonlyArray<SettingSource> | undefined } }
}

const MANAGED_FILE = /[\\/]managed-settings\.json$/

const managedDirectory = ({ settings }: InstructionPlan): string => {
  const places = settings.current().places.filter(({ kind, path }) => kind === "managed" && MANAGED_FILE.test(path))
  return dirname(places[0]?.path ?? "/etc/claude-code/managed-settings.json")
}

/** The user, the administrator, and whoever owns the folder that the user chose to work in. */
const owners = (cwd: string): ReadonlySet<number> | undefined => {
  const own = process.getuid?.()
  return own === undefined ? undefined : new Set([0, own, statSync(cwd, { throwIfNoEntry: false })?.uid ?? own])
}

/** The names under which the shared file may know the project. */
export const projectKeys = (place: SearchPlace): ReadonlyArray<string> => [...new Set([place.cwd, ...place.roots])]

export const instructionPlace = (plan: InstructionPlan, git: Pick<Git["Service"], "checkout">): SearchPlace => {
  const { cwd, env, start, additionalDirs } = plan
  const { snapshot } = plan.settings.current()
  const [home, configHome] = [realOr(plan.home), realOr(plan.configHome)]
  const repository = git.checkout(cwd)
  const { kind } = trustPlace({ start: cwd, home, ...(repository === undefined ? {} : { repository }) })
  const isProject = repository !== undefined && (kind === "repository" || kind === "worktree")
  const main = repository === undefined ? undefined : mainCheckout(repository)
  const isNested = repository !== undefined && main !== undefined && isInside(main, repository.root)
  const places = { home: { path: plan.home, realPath: home }, configHome }
  return {
    cwd,
    home,
    configHome,
    managedDirectory: managedDirectory(plan),
    managedText: settingOf(snapshot, "claudeMd"),
    searched: isOn(readVariable(env, "ADDITIONAL_DIRECTORIES_CLAUDE_MD")) ? additionalDirs : [],
    roots: [...new Set([cwd, ...(isProject ? [repository.root] : []), ...additionalDirs])],
    sources: new Set(start.settings.sources ?? ["user", "project", "local"]),
    isOff: isOn(readVariable(env, "DISABLE_CLAUDE_MDS")),
    excludes: settingOf(snapshot, "claudeMdExcludes") ?? [],
    agentsMd: settingOf(snapshot, "nacre.instructions.agentsMd") ?? "fallback",
    extraNames: (settingOf(snapshot, "nacre.instructions.extraNames") ?? []).filter((name) => !/[\\/]/.test(name)),
    owners: settingOf(snapshot, "nacre.instructions.foreignOwned") === true ? undefined : owners(cwd),
    approved: new Set(),
    isRestricted: plan.isUnaccepted && !plan.settings.isTrusted(),
    isSecret: (path) => isSecretPath(path, places),
    worktree: isNested ? { root: repository.root, main } : undefined
  }
}
