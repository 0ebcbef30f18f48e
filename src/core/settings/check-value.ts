import { OPEN_GATE } from "./trust/gate.ts"
import { limitLayer } from "./limit-layer.ts"
import type { Json } from "../domain/json/positioned-json.ts"
import { keyAt } from "./keys/known-keys.ts"
import type { SettingsProblem, SettingsSource } from "./origin.ts"
import { permissionsOf } from "../permission/configuration/from-settings.ts"
import { readLayer, type SettingsText } from "./read-layer.ts"
import { makeSnapshot } from "./snapshot.ts"

/** Whether a value may stand at a path of a file, judged as if the file held nothing else. */

const NOWHERE = { home: "/", configHome: "/", startDir: "/" }

const nested = (path: ReadonlyArray<string>, value: Json): Json =>
  path.reduceRight<Json>((inner, name) => Object.fromEntries([[name, inner]]), value)

/** Everything that is wrong with a file, judged as if it were the only one and trusted. */
export const problemsIn = (from: SettingsText): ReadonlyArray<SettingsProblem> => {
  const snapshot = makeSnapshot([limitLayer(readLayer(from), { gate: OPEN_GATE, secure: true })])
  return [...snapshot.problems, ...permissionsOf(snapshot, NOWHERE).problems]
}

/** Everything that speaks against it; none when it may be written. */
export const objectionsTo = (
  source: SettingsSource,
  path: ReadonlyArray<string>,
  value: Json
): ReadonlyArray<SettingsProblem> => problemsIn({ source, file: source, text: JSON.stringify(nested(path, value)) })

/** Whether the key holds a list, of which single items can be added and removed. */
export const isListKey = (path: ReadonlyArray<string>): boolean => {
  const key = keyAt(path)
  return key !== undefined && key.name === path.join(".") && key.rule.shape.items !== undefined
}
