import { Result } from "effect"
import { printRule } from "../rule.ts"
import type { PermissionUpdate } from "./update.ts"
import type { Json } from "../../domain/json/positioned-json.ts"
import type { SettingsSource } from "../../domain/settings-source.ts"
import { patchList, patchText } from "../../domain/json/patch.ts"

/** "Don't ask again" as changes of a settings file. */

export type SavedUpdate = PermissionUpdate & {
  readonly destination: "userSettings" | "projectSettings" | "localSettings"
}

const FILES: ReadonlyArray<SettingsSource> = ["userSettings", "projectSettings", "localSettings"]

/** What a file shall remember. A session's updates stay in memory, and no file ever turns questions off. */
export const isSaved = (update: PermissionUpdate): update is SavedUpdate =>
  FILES.some((source) => source === update.destination) &&
  !(update.type === "setMode" && update.mode === "bypassPermissions")

const without = (list: ReadonlyArray<Json>, items: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  list.filter((item) => !items.includes(item))

const joinedWith = (list: ReadonlyArray<Json>, items: ReadonlyArray<Json>): ReadonlyArray<Json> => [
  ...list,
  ...without(items, list)
]

const ruleTexts = (rules: Extract<PermissionUpdate, { readonly rules: unknown }>["rules"]): ReadonlyArray<string> =>
  rules.map(({ toolName, ruleContent }) =>
    printRule({ tool: toolName, ...(ruleContent === undefined ? {} : { specifier: ruleContent }) })
  )

const saveOne = (text: string, update: PermissionUpdate): Result.Result<string, string> => {
  switch (update.type) {
    case "addRules":
    case "removeRules":
    case "replaceRules": {
      const rules = ruleTexts(update.rules)
      const change = { addRules: joinedWith, removeRules: without, replaceRules: () => rules }[update.type]
      return patchList(text, ["permissions", update.behavior], (list) => change(list, rules))
    }
    case "setMode":
      return patchText(text, [{ path: ["permissions", "defaultMode"], value: update.mode }])
    case "addDirectories":
    case "removeDirectories": {
      const change = update.type === "addDirectories" ? joinedWith : without
      return patchList(text, ["permissions", "additionalDirectories"], (list) => change(list, update.directories))
    }
  }
}

/** The file with the updates, one after the other, each on what the file holds by then. */
export const saveUpdates = (text: string, updates: ReadonlyArray<PermissionUpdate>): Result.Result<string, string> =>
  updates.reduce<Result.Result<string, string>>(
    (before, update) => Result.flatMap(before, (current) => saveOne(current, update)),
    Result.succeed(text)
  )
