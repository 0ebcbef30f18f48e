import { Effect } from "effect"
import type { Look } from "../../core/context/sources/source.ts"
import type { HookOutcome } from "../../core/hooks/outcome.ts"
import type { SettingsSource } from "../../core/domain/settings-source.ts"
import type { Snapshot } from "../../core/settings/snapshot.ts"
import { plainTree } from "../../core/settings/tree.ts"
import type { Asker, Hooks } from "./hooks.ts"

/** Moments of a session that hooks hear of without anybody waiting for them in a turn. */

const MOST_END_MS = 60_000

/** The session closes: its hooks get a moment of their own. */
export const endSession = (hooks: Hooks, asker: Asker, reason: string): Effect.Effect<void> =>
  hooks.events().includes("SessionEnd")
    ? hooks.ask(asker, { event: "SessionEnd", fields: { reason } }).pipe(Effect.timeoutOption(MOST_END_MS), Effect.asVoid)
    : Effect.void

const SOURCES: Readonly<Record<SettingsSource, string>> = {
  userSettings: "user_settings",
  projectSettings: "project_settings",
  localSettings: "local_settings",
  flagSettings: "flag_settings",
  policySettings: "policy_settings"
}

const textsOf = ({ layers }: Snapshot): ReadonlyMap<string, { readonly source: SettingsSource; readonly text: string }> =>
  new Map(layers.map(({ file, source, tree }) => [file, { source, text: JSON.stringify(plainTree(tree)) }]))

/** Files of settings that are not what they were. */
const changedFiles = (before: Snapshot, after: Snapshot): ReadonlyArray<readonly [file: string, source: SettingsSource]> => {
  const [old, now] = [textsOf(before), textsOf(after)]
  return [...new Map([...old, ...now])].flatMap(([file, { source }]) =>
    old.get(file)?.text === now.get(file)?.text ? [] : [[file, source] as const]
  )
}

/** Tells hooks of every change of a settings file. */
export const watchConfig = (hooks: Hooks, asker: Asker, snapshot: () => Snapshot): (() => void) => {
  let before = snapshot()
  return () => {
    const former = before
    before = snapshot()
    if (!hooks.events().includes("ConfigChange")) return
    for (const [file, source] of changedFiles(former, before)) {
      Effect.runFork(hooks.ask(asker, { event: "ConfigChange", fields: { source: SOURCES[source], file_path: file } }))
    }
  }
}

const MEMORY_TYPES: Readonly<Record<string, string>> = {
  user: "User",
  project: "Project",
  local: "Local",
  managed: "Managed"
}

/** Tells hooks of every instruction file that the model is told of, once. */
export const watchInstructions = (hooks: Hooks, asker: Asker): ((look: Look) => void) => {
  const seen = new Set<string>()
  return ({ instructions = [], nested = [] }) => {
    if (!hooks.events().includes("InstructionsLoaded")) return
    for (const { value } of [...instructions, ...nested]) {
      if (value.kind === "memory" || seen.has(value.path)) continue
      seen.add(value.path)
      const reason = "reason" in value ? value.reason : "session_start"
      const fields = {
        file_path: value.path,
        memory_type: MEMORY_TYPES[value.kind] ?? "Project",
        load_reason: value.parent === undefined ? reason : "include",
        ...(value.parent === undefined ? {} : { parent_file_path: value.parent }),
        ...("trigger" in value && value.trigger !== undefined ? { trigger_file_path: value.trigger } : {})
      }
      Effect.runFork(hooks.ask(asker, { event: "InstructionsLoaded", fields }))
    }
  }
}

/** What an answer asks of the session itself. */
export const heedingTitle =
  (setTitle: (title: string) => void) =>
  (outcome: HookOutcome): Effect.Effect<void> =>
    Effect.sync(() => {
      const title = outcome.sessionTitle?.trim() ?? ""
      if (title !== "") setTitle(title)
    })
