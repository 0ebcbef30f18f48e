import { join } from "node:path"
import { Result } from "effect"
import { isRaw, type Raw } from "../../core/session/raw.ts"
import { placeOf, readJson } from "../../tui/keymap/json-text.ts"
import { readIfThere, writeWhole } from "./private-file.ts"

/** The person's settings.json, which other tools write too: what we do not know stays as it is. */

const settingsPath = (configHome: string): string => join(configHome, "settings.json")

const problemOf = (path: string, text: string): string => {
  const reading = readJson(text)
  if (reading._tag === "Read") return `${path} holds no JSON object. Fix: put the settings between { and }`
  const { line, column } = placeOf(text, reading.at)
  return `${path}:${line}:${column} is no JSON: expected ${reading.expected}. Fix: correct it there`
}

const parse = (path: string, text: string): Result.Result<Raw, string> => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""))
    return isRaw(value) ? Result.succeed(value) : Result.fail(problemOf(path, text))
  } catch {
    return Result.fail(problemOf(path, text))
  }
}

const textIn = (path: string): Result.Result<string, string> => {
  try {
    return Result.succeed(readIfThere(path) ?? "")
  } catch (error) {
    return Result.fail(`${path} cannot be read (${String(error)}). Fix: make it readable`)
  }
}

/** No file and an empty one hold no settings; a broken one is told with its place. */
export const readSettings = (configHome: string): Result.Result<Raw, string> => {
  const path = settingsPath(configHome)
  return Result.flatMap(textIn(path), (text) => (text.trim() === "" ? Result.succeed({}) : parse(path, text)))
}

/** The value at a place such as `nacre.tui.borders`. */
export const settingAt = (settings: Raw, keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>((value, key) => (isRaw(value) ? value[key] : undefined), settings)

const withValue = (settings: Raw, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): Raw => {
  const inside = settings[key]
  return { ...settings, [key]: rest.length === 0 ? value : withValue(isRaw(inside) ? inside : {}, rest, value) }
}

const indentOf = (text: string): string => /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  "

/** Changes one value; everything else keeps its place. A text says why nothing was written. */
export const changeSetting = (
  configHome: string,
  keys: ReadonlyArray<string>,
  value: string | boolean | number
): Result.Result<void, string> => {
  const path = settingsPath(configHome)
  const settings = readSettings(configHome)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  try {
    const indent = indentOf(readIfThere(path) ?? "")
    writeWhole(path, `${JSON.stringify(withValue(settings.success, keys, value), null, indent)}\n`)
    return Result.succeed(undefined)
  } catch (error) {
    return Result.fail(`${path} was not written (${String(error)}). Fix: make it writable`)
  }
}
