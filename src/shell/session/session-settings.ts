import { Effect, Result } from "effect"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import type { Location } from "../../core/domain/path/path-components.ts"
import { describeUpdate } from "../../core/permission/configuration/update.ts"
import { sandboxSettingsOf } from "../../core/sandbox/from-settings.ts"
import type { SandboxSettings } from "../../core/sandbox/settings.ts"
import { summarise } from "../../core/sandbox/summary.ts"
import type { AppliedSettings } from "../../core/permission/configuration/apply-settings.ts"
import type { SavedUpdate } from "../../core/permission/configuration/save-updates.ts"
import { type SessionPlan, startMode } from "../plan/session-plan.ts"

/** Settings in a running session: what they give to its rules, and what it writes into them. */

export type Locate = (path: string) => Effect.Effect<Location>

/** The sandbox that the settings of this moment ask for. */
export const sandboxOf = ({ settings, home, configHome, cwd }: SessionPlan): SandboxSettings =>
  sandboxSettingsOf(settings.current().snapshot, { home, configHome, startDir: cwd })

/** What the settings of this moment give to a session that had `former` directories from them. */
export const settingsFor = (
  plan: SessionPlan,
  locate: Locate,
  former: ReadonlyArray<string>
): Effect.Effect<AppliedSettings> => {
  const { permissions } = plan.settings.current()
  const paths = permissions.directories.map(({ path }) => path)
  return Effect.map(Effect.forEach(paths, locate), (directories) => ({
    rules: permissions.rules,
    directories,
    formerDirectories: former,
    bypassAvailable: startMode(plan).bypassAvailable,
    autoAvailable: startMode(plan).autoAvailable,
    auto: permissions.auto,
    managedRulesOnly: permissions.managedRulesOnly,
    sandbox: summarise(sandboxOf(plan)),
    secretFiles: permissions.secretFiles,
    bypassProtectedPaths: permissions.bypassProtectedPaths,
    preapprovedHosts: permissions.preapprovedHosts
  }))
}

export interface Saving {
  readonly plan: SessionPlan
  readonly offer: (occurrence: Occurrence) => void
  readonly say: (level: "info" | "warning", text: string) => void
}

type Destination = SavedUpdate["destination"]

/** A rule that no file holds, or that a file of a folder without trust holds, lives on in the session. */
const keepInSession = ({ offer }: Saving, updates: ReadonlyArray<SavedUpdate>): void => {
  const inMemory = updates.map((update) => ({ ...update, destination: "session" as const }))
  offer({ _tag: "PermissionsUpdated", updates: inMemory })
}

const saveIn = (saving: Saving, destination: Destination, updates: ReadonlyArray<SavedUpdate>): Effect.Effect<void> => {
  const { plan, say } = saving
  return Effect.gen(function* () {
    const written = yield* Effect.promise(() => plan.settings.save(destination, updates))
    if (Result.isFailure(written)) {
      keepInSession(saving, updates)
      const what = updates.map(describeUpdate).join("; ")
      return say("warning", `"${what}" holds for this session only: ${written.failure}`)
    }
    const isHeld = destination !== "userSettings" && !plan.settings.isTrusted()
    const isAdopted = isHeld && destination === "localSettings" && (yield* plan.adoptFolder)
    if (isHeld && !isAdopted) keepInSession(saving, updates)
    for (const notice of written.success.notices) say("info", notice)
  })
}

/** Writes permission updates to the files they are meant for. */
export const savePermissions = (saving: Saving, updates: ReadonlyArray<SavedUpdate>): Effect.Effect<void> =>
  Effect.forEach(
    new Set(updates.map(({ destination }) => destination)),
    (destination) =>
      saveIn(
        saving,
        destination,
        updates.filter((update) => update.destination === destination)
      ),
    { discard: true }
  )
