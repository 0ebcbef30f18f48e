import { runShare } from "./suite.ts"

runShare(3)
