import { expect, it } from "vitest"
import { jsonSchemaOf } from "../../../src/core/tools/contract/json-schema.ts"
import { BUILT_IN_NAMES, builtIn } from "../../../src/core/tools/built-in-tools.ts"

it("every tool of the program takes an object, as the endpoint demands", () => {
  for (const name of BUILT_IN_NAMES) expect([name, jsonSchemaOf(builtIn(name).input)["type"]]).toEqual([name, "object"])
})

it("every tool of the program stands under its own name", () => {
  expect(BUILT_IN_NAMES.map((name) => builtIn(name).name)).toEqual(BUILT_IN_NAMES)
})
