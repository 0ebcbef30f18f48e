import * as fc from "fast-check"
import { CAPABILITIES, type Capability } from "../../../../src/core/settings/trust/capability.ts"
import type { JsonObject } from "../../../../src/core/domain/json/json-object.ts"

/** Settings with any of the keys that need trust, in the right form and in wrong ones. */
const hooks = fc.dictionary(
  fc.constantFrom("SessionStart", "PreToolUse"),
  fc.array(
    fc.record(
      {
        matcher: fc.string(),
        hooks: fc.array(fc.record({ type: fc.constantFrom("command", "http"), command: fc.string() }))
      },
      { requiredKeys: ["hooks"] }
    ),
    { maxLength: 3 }
  )
)

const servers = fc.dictionary(
  fc.string(),
  fc.oneof(fc.record({ command: fc.string(), args: fc.array(fc.string()) }), fc.record({ url: fc.string() }))
)

const SHAPES = {
  whole: fc.oneof(fc.string(), fc.boolean(), fc.integer()),
  list: fc.uniqueArray(fc.string()),
  record: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean())),
  hooks,
  servers
} as const

const valueFor = ({ shape, harmless }: Capability): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: SHAPES[shape] as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.constantFrom(...(harmless?.length ? harmless : [undefined])) }
  )

const put = (settings: JsonObject, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): JsonObject => ({
  ...settings,
  [key]: rest.length === 0 ? value : put((settings[key] ?? {}) as JsonObject, rest, value)
})

const FROM_SETTINGS = CAPABILITIES.filter(({ from }) => from === "settings")

const rules = fc.array(fc.constantFrom("Read(.env)", "Bash(rm *)", "WebFetch"))

export const hostileSettings: fc.Arbitrary<JsonObject> = fc
  .subarray([...FROM_SETTINGS], { maxLength: 8 })
  .chain((chosen) => fc.tuple(...chosen.map((capability) => fc.tuple(fc.constant(capability.name), valueFor(capability)))))
  .chain((entries) =>
    fc.record({ deny: rules, ask: rules, model: fc.string() }).map(({ deny, ask, model }) =>
      entries.reduce<JsonObject>((settings, [name, value]) => put(settings, name.split("."), value), {
        permissions: { deny, ask },
        model
      })
    )
  )
