import { Result } from "effect"
import { type AutoSettings, BUILT_IN_LISTS, withDefaults } from "../auto-mode-lists.ts"
import type { PermissionContext } from "../context.ts"
import { PREAPPROVED_HOSTS } from "../rules/preapproved-hosts.ts"
import { parseMode } from "../mode.ts"
import { faultSentence, parseRule, placeText, ruleWarning } from "../rules/parse.ts"
import { resolvePath, parentOf } from "../../domain/path/path-components.ts"
import { printRule, type Rule } from "../rule.ts"
import type { PermissionMode, Verdict } from "../verdict.ts"
import type { LimitedLayer } from "../../settings/limit-layer.ts"
import { guardsAt, type Origin, type SettingsProblem } from "../../settings/origin.ts"
import type { SettingsSource } from "../../domain/settings-source.ts"
import { settingOf, type Snapshot } from "../../settings/snapshot.ts"
import { treeAt } from "../../settings/tree.ts"

/** What settings say about permission. */
export interface SettingsPermissions {
  readonly rules: ReadonlyArray<Rule>
  /** Absolute, as they are written; whether they exist is for the caller to see. */
  readonly directories: ReadonlyArray<{ readonly path: string; readonly origin: Origin }>
  readonly mode: PermissionMode | undefined
  /** A file that may do so starts sessions in bypass mode. */
  readonly offersBypass: boolean
  /** Some file takes bypass mode away. */
  readonly bypassLocked: boolean
  /** Some file takes auto mode away. */
  readonly autoLocked: boolean
  readonly auto: AutoSettings
  /** Allow rules that are not managed do not count. */
  readonly managedRulesOnly: boolean
  readonly secretFiles: PermissionContext["secretFiles"]
  readonly bypassProtectedPaths: PermissionContext["bypassProtectedPaths"]
  readonly preapprovedHosts: ReadonlyArray<string>
  readonly problems: ReadonlyArray<SettingsProblem>
}

/** The directories that relative values mean. */
export interface SettingsPlaces {
  readonly home: string
  readonly configHome: string
  /** Where the session was started. */
  readonly startDir: string
}

const baseOf = (source: SettingsSource, file: string, places: SettingsPlaces): string => {
  switch (source) {
    case "userSettings":
      return places.configHome
    case "flagSettings":
      return file.startsWith("/") ? parentOf(file) : places.startDir
    case "projectSettings":
    case "localSettings":
    case "policySettings":
      return places.startDir
  }
}

/** The absolute form of a path in a settings file. */
export const settingsPath = (path: string, origin: Origin, places: SettingsPlaces): string => {
  if (path === "~" || path.startsWith("~/")) return resolvePath(places.home, path.slice(2))
  return resolvePath(baseOf(origin.source, origin.file, places), path)
}

interface TextItem {
  readonly text: string
  readonly origin: Origin
}

const textsAt = (layer: LimitedLayer, name: string): ReadonlyArray<TextItem> => {
  const list = treeAt(layer.tree, ["permissions", name])
  if (list?.kind !== "list") return []
  return list.items.flatMap(({ value, origin }) => (typeof value === "string" ? [{ text: value, origin }] : []))
}

const ruleProblem = (
  { origin, text }: TextItem,
  behavior: Verdict,
  words: Pick<SettingsProblem, "message" | "suggestion">
): SettingsProblem => ({
  level: "warning",
  ...origin,
  path: `permissions.${behavior}`,
  got: text,
  ...words
})

const readRule = (
  item: TextItem,
  behavior: Verdict,
  anchorDir: string
): { readonly rule?: Rule; readonly problem?: SettingsProblem } => {
  const { text } = item
  const parsed = parseRule(text, behavior)
  if (Result.isFailure(parsed)) {
    const { why, suggestion } = parsed.failure
    const message = `Ignored rule '${text}': ${why}`
    return {
      problem: {
        ...ruleProblem(item, behavior, {
          message,
          suggestion: suggestion === undefined ? "write Tool or Tool(specifier)" : `write '${suggestion}'`
        }),
        sentence: faultSentence(parsed.failure, placeText(item.origin.file, item.origin.line)),
        ...guardsAt("warning", `permissions.${behavior}`)
      }
    }
  }
  const { source, file, line } = item.origin
  const rule: Rule = { ...parsed.success, behavior, source, anchorDir, file, line }
  const warning = ruleWarning(rule)
  return warning === undefined
    ? { rule }
    : { rule, problem: ruleProblem(item, behavior, { message: warning, suggestion: `remove '${printRule(rule)}'` }) }
}

const autoOf = (snapshot: Snapshot): AutoSettings => ({
  environment: withDefaults(settingOf(snapshot, "autoMode.environment"), BUILT_IN_LISTS.environment),
  allow: withDefaults(settingOf(snapshot, "autoMode.allow"), BUILT_IN_LISTS.allow),
  softDeny: withDefaults(settingOf(snapshot, "autoMode.soft_deny"), BUILT_IN_LISTS.softDeny),
  hardDeny: withDefaults(settingOf(snapshot, "autoMode.hard_deny"), BUILT_IN_LISTS.hardDeny),
  classifyAllShell: settingOf(snapshot, "autoMode.classifyAllShell") === true,
  duringPlan: settingOf(snapshot, "useAutoModeDuringPlan") === true
})

const isAutoLocked = (snapshot: Snapshot): boolean =>
  (["permissions.disableAutoMode", "disableAutoMode"] as const).some((key) => settingOf(snapshot, key) === "disable")

const BEHAVIORS: ReadonlyArray<Verdict> = ["deny", "ask", "allow"]

export const permissionsOf = (snapshot: Snapshot, places: SettingsPlaces): SettingsPermissions => {
  const managedRulesOnly = settingOf(snapshot, "allowManagedPermissionRulesOnly") === true
  const counts = (behavior: Verdict, { source }: LimitedLayer): boolean =>
    !managedRulesOnly || behavior !== "allow" || source === "policySettings"
  const rulesOf = (layer: LimitedLayer, behavior: Verdict) => {
    const anchorDir = baseOf(layer.source, layer.file, places)
    return textsAt(layer, behavior).map((item) => readRule(item, behavior, anchorDir))
  }
  const read = snapshot.layers.flatMap((layer) =>
    BEHAVIORS.filter((behavior) => counts(behavior, layer)).flatMap((behavior) => rulesOf(layer, behavior))
  )
  const named = settingOf(snapshot, "permissions.defaultMode")
  const modeAt = treeAt(snapshot.tree, ["permissions", "defaultMode"])?.origin
  const mode = named === undefined ? undefined : parseMode(named)
  return {
    rules: read.flatMap(({ rule }) => (rule === undefined ? [] : [rule])),
    directories: snapshot.layers.flatMap((layer) =>
      textsAt(layer, "additionalDirectories").map(({ text, origin }) => ({
        path: settingsPath(text, origin, places),
        origin
      }))
    ),
    mode: mode?.mode,
    offersBypass: mode?.mode === "bypassPermissions",
    bypassLocked: settingOf(snapshot, "permissions.disableBypassPermissionsMode") === "disable",
    autoLocked: isAutoLocked(snapshot),
    auto: autoOf(snapshot),
    managedRulesOnly,
    secretFiles: settingOf(snapshot, "nacre.secretFiles") ?? "ask",
    bypassProtectedPaths: settingOf(snapshot, "nacre.bypassProtectedPaths") ?? "allow",
    preapprovedHosts: settingOf(snapshot, "nacre.webFetchPreapproved") ?? PREAPPROVED_HOSTS,
    problems: [
      ...read.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
      ...(mode?.warning === undefined || modeAt === undefined
        ? []
        : [{ level: "warning" as const, ...modeAt, path: "permissions.defaultMode", message: mode.warning }])
    ]
  }
}

const NOWHERE: SettingsPlaces = { home: "/", configHome: "/", startDir: "/" }

/** What is wrong with what settings say about permission, wherever they stand. */
export const permissionProblems = (snapshot: Snapshot): ReadonlyArray<SettingsProblem> =>
  permissionsOf(snapshot, NOWHERE).problems
