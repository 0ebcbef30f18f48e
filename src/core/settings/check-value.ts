import { OPEN_GATE } from "./trust/gate.ts"
import { limitLayer } from "./limit-layer.ts"
import type { Json } from "../domain/json/positioned-json.ts"
import { keyAt } from "./keys/known-keys.ts"
import type { SettingsProblem } from "./origin.ts"
import type { SettingsSource } from "../domain/settings-source.ts"
import { readLayer, type SettingsText } from "./read-layer.ts"
import { makeSnapshot, type Snapshot } from "./snapshot.ts"

/** Whether a value may stand at a path of a file, judged as if the file held nothing else. */

/** What a subject that reads its own settings finds wrong with them. */
export type SubjectCheck = (snapshot: Snapshot) => ReadonlyArray<SettingsProblem>

const nested = (path: ReadonlyArray<string>, value: Json): Json =>
  path.reduceRight<Json>((inner, name) => Object.fromEntries([[name, inner]]), value)

/** Everything that is wrong with a file, judged as if it were the only one and trusted. */
export const problemsIn = (from: SettingsText, checks: ReadonlyArray<SubjectCheck>): ReadonlyArray<SettingsProblem> => {
  const snapshot = makeSnapshot([limitLayer(readLayer(from), { gate: OPEN_GATE, secure: true })])
  return [...snapshot.problems, ...checks.flatMap((check) => check(snapshot))]
}

export interface ValueAtPath {
  readonly source: SettingsSource
  readonly path: ReadonlyArray<string>
  readonly value: Json
}

/** Everything that speaks against it; none when it may be written. */
export const objectionsTo = (
  { source, path, value }: ValueAtPath,
  checks: ReadonlyArray<SubjectCheck>
): ReadonlyArray<SettingsProblem> => problemsIn({ source, file: source, text: JSON.stringify(nested(path, value)) }, checks)

/** Whether the key holds a list, of which single items can be added and removed. */
export const isListKey = (path: ReadonlyArray<string>): boolean => {
  const key = keyAt(path)
  return key !== undefined && key.name === path.join(".") && key.rule.shape.items !== undefined
}
