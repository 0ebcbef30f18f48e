import { afterAll } from "vitest"
import { endFile } from "./end-of-file.ts"

afterAll(endFile)
