import * as fc from "fast-check"
import { KEYS } from "../../../src/core/settings/keys/keys.ts"
import { type SettingsSource, SETTINGS_SOURCES } from "../../../src/core/domain/settings-source.ts"
import type { Shape } from "../../../src/core/settings/keys/shape.ts"

/** Settings as people, machines and cats write them. */

const word = fc.constantFrom("a", "b", "Bash(ls *)", "Read", "model-1", "$HOME", "ä\u2028", "__proto__", "")

const whole = fc.integer({ min: -2, max: 40 })

/** Values that often fit the shape and sometimes do not. */
const valueFor = (shape: Shape<unknown>): fc.Arbitrary<unknown> => {
  if (shape.choices !== undefined) return fc.constantFrom<unknown>(...shape.choices, 3)
  if (shape.items !== undefined) return fc.array(fc.oneof(word, whole), { maxLength: 4 })
  if (shape.members !== undefined)
    return fc.dictionary(fc.constantFrom("x", "PATH", "y.z"), fc.oneof(word, whole), { maxKeys: 3 })
  return fc.oneof(word, whole, fc.boolean())
}

const nested = (name: string, value: unknown): Readonly<Record<string, unknown>> =>
  name.split(".").reduceRight<Record<string, unknown>>((inner, part, index, parts) => {
    return index === parts.length - 1 ? { [part]: value } : { [part]: inner }
  }, {})

const merged = (left: Record<string, unknown>, right: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  for (const [name, value] of Object.entries(right)) {
    const old = left[name]
    const isBoth = typeof old === "object" && old !== null && typeof value === "object" && value !== null
    if (isBoth && !Array.isArray(old) && !Array.isArray(value))
      merged(old as Record<string, unknown>, value as Record<string, unknown>)
    else left[name] = value
  }
  return left
}

const names = Object.keys(KEYS) as ReadonlyArray<keyof typeof KEYS>

const entry = fc
  .constantFrom(...names)
  .chain((name) => fc.tuple(fc.constant(name), valueFor(KEYS[name].shape)))
  .map(([name, value]) => nested(name, value))

/** An object of known keys, unknown ones and nonsense. */
export const settingsObject: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.array(entry, { maxLength: 6 }),
    fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 })
  )
  .map(([known, unknown]) => known.reduce<Record<string, unknown>>((all, one) => merged(all, one), { ...unknown }))

export const settingsText: fc.Arbitrary<string> = fc
  .tuple(settingsObject, fc.constantFrom(undefined, 2, 4, "\t"), fc.constantFrom("", "\n", "\r\n"), fc.boolean())
  .map(([value, indent, end, crlf]) => {
    const text = `${JSON.stringify(value, null, indent)}${end}`
    return crlf ? text.replaceAll(/(?<!\r)\n/g, "\r\n") : text
  })

export const source: fc.Arbitrary<SettingsSource> = fc.constantFrom(...SETTINGS_SOURCES)
