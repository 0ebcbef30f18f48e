/** The settings `sandbox.*` of a snapshot. */
import { type SettingsPlaces, settingsPath } from "../permission/configuration/from-settings.ts"
import { settingOf, type Snapshot } from "../settings/snapshot.ts"
import { type ListItem, treeAt } from "../settings/tree.ts"
import { SANDBOX_OFF, type SandboxSettings } from "./settings.ts"

const itemsAt = (snapshot: Snapshot, key: string): ReadonlyArray<ListItem> => {
  const list = treeAt(snapshot.tree, key.split("."))
  return list?.kind === "list" ? list.items : []
}

/** Texts of a list; with the lock only those that the administrator wrote. */
const lockable = (items: ReadonlyArray<ListItem>, managedOnly: boolean): ReadonlyArray<ListItem> =>
  managedOnly ? items.filter(({ origin }) => origin.source === "policySettings") : items

const textsOf = (items: ReadonlyArray<ListItem>): ReadonlyArray<string> =>
  items.flatMap(({ value }) => (typeof value === "string" ? [value] : []))

const pathsOf = (items: ReadonlyArray<ListItem>, places: SettingsPlaces): ReadonlyArray<string> =>
  items.flatMap(({ value, origin }) => (typeof value === "string" ? [settingsPath(value, origin, places)] : []))

const ignoredOf = (snapshot: Snapshot): SandboxSettings["ignoreViolations"] =>
  Object.fromEntries(
    Object.entries(settingOf(snapshot, "sandbox.ignoreViolations") ?? {}).map(([part, texts]) => [
      part,
      Array.isArray(texts) ? texts.filter((text) => typeof text === "string") : []
    ])
  )

export const sandboxSettingsOf = (snapshot: Snapshot, places: SettingsPlaces): SandboxSettings => {
  const bwrapPath = settingOf(snapshot, "sandbox.bwrapPath")
  const managedReads = settingOf(snapshot, "sandbox.filesystem.allowManagedReadPathsOnly") === true
  const managedHosts = settingOf(snapshot, "sandbox.network.allowManagedDomainsOnly") === true
  const paths = (name: string): ReadonlyArray<string> => pathsOf(itemsAt(snapshot, `sandbox.filesystem.${name}`), places)
  return {
    enabled: settingOf(snapshot, "sandbox.enabled"),
    autoAllowBashIfSandboxed:
      settingOf(snapshot, "sandbox.autoAllowBashIfSandboxed") ?? SANDBOX_OFF.autoAllowBashIfSandboxed,
    allowUnsandboxedCommands:
      settingOf(snapshot, "sandbox.allowUnsandboxedCommands") ?? SANDBOX_OFF.allowUnsandboxedCommands,
    failIfUnavailable: settingOf(snapshot, "sandbox.failIfUnavailable") ?? SANDBOX_OFF.failIfUnavailable,
    excludedCommands: textsOf(itemsAt(snapshot, "sandbox.excludedCommands")),
    ignoreViolations: ignoredOf(snapshot),
    enableWeakerNestedSandbox: settingOf(snapshot, "sandbox.enableWeakerNestedSandbox") === true,
    filesystem: {
      allowWrite: paths("allowWrite"),
      denyWrite: paths("denyWrite"),
      allowRead: pathsOf(lockable(itemsAt(snapshot, "sandbox.filesystem.allowRead"), managedReads), places),
      denyRead: paths("denyRead")
    },
    network: {
      allowedDomains: textsOf(lockable(itemsAt(snapshot, "sandbox.network.allowedDomains"), managedHosts)),
      deniedDomains: textsOf(itemsAt(snapshot, "sandbox.network.deniedDomains")),
      allowAllUnixSockets: settingOf(snapshot, "sandbox.network.allowAllUnixSockets") === true,
      strictAllowlist: settingOf(snapshot, "sandbox.network.strictAllowlist") === true,
      managedDomainsOnly: managedHosts
    },
    ...(bwrapPath === undefined ? {} : { bwrapPath })
  }
}
