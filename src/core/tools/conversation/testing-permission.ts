import { Schema } from "effect"
import description from "./testing-permission.md"
import { makeTool, READ_ONLY } from "../contract/tool.ts"

const NoInput = Schema.Struct({})
export type TestingPermissionInput = typeof NoInput.Type

/** A tool that is there for tests alone: it asks in every mode, and a yes changes nothing. */
export const testingPermissionTool = makeTool<TestingPermissionInput>({
  name: "TestingPermission",
  description,
  input: NoInput,
  maxResultChars: 100_000,
  traits: () => READ_ONLY,
  offered: "testing",
  needs: () => [{ kind: "interaction" }],
  summary: () => "Run test?"
})
