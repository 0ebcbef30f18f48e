import { Effect } from "effect"
import { expect, it } from "vitest"
import { Decoded } from "../../../../src/core/tools/contract/decoded.ts"
import { globTool } from "../../../../src/core/tools/search/glob.ts"
import { grepTool } from "../../../../src/core/tools/search/grep.ts"
import { bind } from "../../../../src/shell/tools/contract/bound-executor.ts"
import type { ToolContext } from "../../../../src/shell/tools/contract/executor.ts"

const CONTEXT: ToolContext = {
  callId: "c",
  sessionId: "s",
  cwd: "/",
  projectDir: "/",
  additionalDirs: [],
  sessionDir: "/",
  nonInteractive: true,
  model: "m",
  env: {},
  spent: () => {},
  progress: () => Effect.void
}

it("an executor runs what its own tool decoded and refuses any other input", async () => {
  const bound = bind(globTool, { run: ({ pattern }) => Effect.succeed({ data: pattern, content: pattern }) })
  const own = await Effect.runPromise(bound.run(Decoded.by(globTool, { pattern: "*.ts" }), CONTEXT))
  expect(own.data).toBe("*.ts")
  const other = Decoded.by(grepTool, { pattern: "*.ts" })
  for (const act of [bound.run(other, CONTEXT), bound.prepare(other, CONTEXT)]) {
    const refused = await Effect.runPromise(Effect.flip(act))
    expect(refused.message).toMatch(/^Glob was changed after this call was made/)
  }
})
