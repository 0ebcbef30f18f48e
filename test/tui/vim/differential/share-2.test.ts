import { runShare } from "./suite.ts"

runShare(1)
