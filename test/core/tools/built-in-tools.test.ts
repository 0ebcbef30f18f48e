import { expect, it } from "vitest"
import { BUILT_IN_NAMES, builtIn } from "../../../src/core/tools/built-in-tools.ts"

it("every tool of the program stands under its own name", () => {
  expect(BUILT_IN_NAMES.map((name) => builtIn(name).name)).toEqual(BUILT_IN_NAMES)
})
