import type { Json } from "../../domain/json/positioned-json.ts"
import { isList, isObject } from "../../domain/json/positioned-json.ts"

/** Keys as people write them: `permissions.allow`, `enabledPlugins."name@place.org"`. */

const PLAIN = /^[\w$@/-]+$/

export const printPath = (path: ReadonlyArray<string>): string =>
  path.map((name) => (PLAIN.test(name) ? name : JSON.stringify(name))).join(".")

const PART = /\s*(?:"((?:[^"\\]|\\.)*)"|([^."]+))\s*(\.|$)/y

/** Undefined for what is not a key at all. */
export const parsePath = (text: string): ReadonlyArray<string> | undefined => {
  const path: Array<string> = []
  PART.lastIndex = 0
  let isOpen = text !== ""
  while (isOpen) {
    const part = PART.exec(text)
    if (part === null) return undefined
    const [, quoted, plain, end] = part
    path.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll(/\\(.)/g, "$1"))
    isOpen = end === "."
  }
  return path.length === 0 ? undefined : path
}

const SECRET = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|HEADERS/i
const SHOWN_END = 4
const LONG_ENOUGH = 12

const masked = (value: string): string => (value.length < LONG_ENOUGH ? "****" : `****${value.slice(-SHOWN_END)}`)

/** The value for the screen: variables that sound like secrets show their end only. */
export const withoutSecrets = (path: ReadonlyArray<string>, value: Json): Json => {
  if (isObject(value)) {
    const members = Object.entries(value)
    return Object.fromEntries(members.map(([name, inner]) => [name, withoutSecrets([...path, name], inner)]))
  }
  if (isList(value) || typeof value !== "string") return value
  return path[0] === "env" && SECRET.test(path[1] ?? "") ? masked(value) : value
}
