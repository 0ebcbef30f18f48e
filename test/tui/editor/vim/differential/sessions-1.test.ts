import { runShare } from "./suite.ts"
import { SESSIONS } from "./suites.ts"

runShare(SESSIONS, 0)
