import { runShare } from "./suite.ts"
import { ROUNDS } from "./suites.ts"

runShare(ROUNDS, 0)
