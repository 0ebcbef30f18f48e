import { Effect } from "effect"
import type { TestingPermissionInput } from "../../core/tools/conversation/testing-permission.ts"
import type { ToolExecutor } from "./contract/executor.ts"

const DONE = "TestingPermission executed successfully"

export const testingPermissionExecutor: ToolExecutor<TestingPermissionInput, never> = {
  run: () => Effect.succeed({ data: DONE, content: DONE })
}
