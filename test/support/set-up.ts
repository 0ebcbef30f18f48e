import * as fc from "fast-check"
import { afterAll } from "vitest"
import { endFile } from "./end-of-file.ts"
import { propertySeed } from "./seeds.ts"

/** What every test file begins and ends with. */
fc.configureGlobal({ seed: propertySeed() })
afterAll(endFile)
