import { Result } from "effect"
import { printRule } from "../permission/rule.ts"
import type { PermissionUpdate } from "../permission/update.ts"
import { isList, isObject, type Json, plainOf, readJson } from "./json-text.ts"
import type { SettingsSource } from "./origin.ts"
import { type Edit, patchText } from "./patch.ts"

/** "Don't ask again" as changes of a settings file. */

export type SavedUpdate = PermissionUpdate & { readonly destination: "userSettings" | "projectSettings" | "localSettings" }

const FILES: ReadonlyArray<SettingsSource> = ["userSettings", "projectSettings", "localSettings"]

/** What a file shall remember. A session's updates stay in memory, and no file ever turns questions off. */
export const isSaved = (update: PermissionUpdate): update is SavedUpdate =>
  FILES.some((source) => source === update.destination) &&
  !(update.type === "setMode" && update.mode === "bypassPermissions")

const listIn = (text: string, name: string): ReadonlyArray<Json> => {
  const reading = readJson(text)
  if (reading._tag === "Broken") return []
  const whole = plainOf(reading.node)
  const at = (value: Json | undefined, key: string): Json | undefined =>
    isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  const list = at(at(whole, "permissions"), name)
  return list !== undefined && isList(list) ? list : []
}

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

const editFor = (text: string, update: PermissionUpdate): Edit => {
  switch (update.type) {
    case "addRules":
    case "removeRules":
    case "replaceRules": {
      const list = listIn(text, update.behavior)
      const rules = ruleTexts(update.rules)
      const path = ["permissions", update.behavior]
      if (update.type === "replaceRules") return { path, value: rules }
      return { path, value: update.type === "addRules" ? joinedWith(list, rules) : without(list, rules) }
    }
    case "setMode":
      return { path: ["permissions", "defaultMode"], value: update.mode }
    case "addDirectories":
    case "removeDirectories": {
      const list = listIn(text, "additionalDirectories")
      const change = update.type === "addDirectories" ? joinedWith : without
      return { path: ["permissions", "additionalDirectories"], value: change(list, update.directories) }
    }
  }
}

/** The file with the updates, one after the other, each on what the file holds by then. */
export const saveUpdates = (
  text: string,
  updates: ReadonlyArray<PermissionUpdate>
): Result.Result<string, string> =>
  updates.reduce<Result.Result<string, string>>(
    (before, update) => Result.flatMap(before, (current) => patchText(current, [editFor(current, update)])),
    Result.succeed(text)
  )
