import { runShare } from "./suite.ts"
import { SCRIPTS } from "./suites.ts"

runShare(SCRIPTS, 2)
