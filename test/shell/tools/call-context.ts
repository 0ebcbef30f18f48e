import { Effect } from "effect"
import type { ToolContext } from "../../../src/shell/tools/contract/executor.ts"

/** A call's context for tests of executors. */
export const callContext = (overrides: Partial<ToolContext> = {}): ToolContext => ({
  callId: "toolu_1",
  sessionId: "session-1",
  cwd: "/",
  projectDir: "/",
  additionalDirs: [],
  sessionDir: "/",
  nonInteractive: false,
  model: "conversation-model",
  env: {},
  spent: () => {},
  progress: () => Effect.void,
  ...overrides
})
