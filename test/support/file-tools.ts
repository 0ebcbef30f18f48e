import { Effect, Layer, Result } from "effect"
import type { Files } from "../../src/core/ports/Files.ts"
import { layer as nodeFiles } from "../../src/adapters/files/node.ts"
import { FileState, type FileStateOptions, makeFileState } from "../../src/shell/tools/services/file-state.ts"
import type { ToolContext, ToolExecutor, ToolOutput, ToolRefusal } from "../../src/shell/tools/contract/executor.ts"

/** A session's half of the file tools: one read-state over many calls. */
export interface FileSession {
  readonly run: <I>(tool: ToolExecutor<I, Files | FileState>, input: I, env?: ToolContext["env"]) => Promise<ToolOutput>
  /** The refusal of a call, of its preparation first. */
  readonly refusal: <I>(tool: ToolExecutor<I, Files | FileState>, input: I, env?: ToolContext["env"]) => Promise<string>
  readonly state: FileState["Service"]
  readonly context: ToolContext
}

export interface SessionOptions extends FileStateOptions {
  readonly files?: Layer.Layer<Files>
  readonly model?: string
}

export const fileSession = (root: string, options: SessionOptions = {}): FileSession => {
  const state = Effect.runSync(makeFileState(options))
  const services = Layer.merge(options.files ?? nodeFiles, Layer.succeed(FileState, state))
  let calls = 0
  const context = (): ToolContext => ({
    callId: `call-${(calls += 1)}`,
    sessionId: "session",
    cwd: root,
    projectDir: root,
    additionalDirs: [],
    sessionDir: `${root}/.session`,
    nonInteractive: true,
    model: options.model ?? "claude-opus-4-8",
    env: {},
    spent: () => {},
    progress: () => Effect.void
  })
  const attempt = <I>(
    tool: ToolExecutor<I, Files | FileState>,
    input: I,
    env: ToolContext["env"]
  ): Effect.Effect<ToolOutput, ToolRefusal> => {
    const call = { ...context(), env }
    const prepared = tool.prepare?.(input, call) ?? Effect.void
    return prepared.pipe(Effect.andThen(tool.run(input, call)), Effect.provide(services))
  }
  return {
    state,
    context: context(),
    run: (tool, input, env = {}) => Effect.runPromise(attempt(tool, input, env)),
    refusal: async (tool, input, env = {}) => {
      const result = await Effect.runPromise(Effect.result(attempt(tool, input, env)))
      return Result.isFailure(result) ? result.failure.message : "not refused"
    }
  }
}
