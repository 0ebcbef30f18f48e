import { runShare } from "./suite.ts"

runShare(2)
