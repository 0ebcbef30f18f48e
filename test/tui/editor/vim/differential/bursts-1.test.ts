import { runShare } from "./suite.ts"
import { BURSTS } from "./suites.ts"

runShare(BURSTS, 0)
