import type { KeyRule } from "./key-rule.ts"
import { KEYS } from "./keys.ts"

/** Looking up keys by the path at which they stand. */
const RULES: ReadonlyMap<string, KeyRule<unknown>> = new Map<string, KeyRule<unknown>>(Object.entries(KEYS))

/** Paths that lead to known keys without being one: `permissions`, `nacre.tui`. */
const GROUPS: ReadonlySet<string> = new Set(
  [...RULES.keys()].flatMap((name) => {
    const parts = name.split(".")
    return parts.slice(1).map((_, count) => parts.slice(0, count + 1).join("."))
  })
)

export const ruleOf = (name: string): KeyRule<unknown> | undefined => RULES.get(name)

export const isGroup = (name: string): boolean => GROUPS.has(name)

/** Names one level below a group; the top level is the empty name. */
export const namesIn = (group: string): ReadonlyArray<string> => {
  const start = group === "" ? "" : `${group}.`
  const below = [...RULES.keys()].filter((name) => name.startsWith(start))
  return [...new Set(below.map((name) => name.slice(start.length).split(".")[0] ?? ""))]
}

export interface KnownKey {
  readonly name: string
  readonly rule: KeyRule<unknown>
}

/** The known key that a path is, or lies within: `env` for `env.PATH`. */
export const keyAt = (path: ReadonlyArray<string>): KnownKey | undefined => {
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(0, length).join(".")
    const rule = RULES.get(name)
    if (rule !== undefined) return { name, rule }
  }
  return undefined
}
