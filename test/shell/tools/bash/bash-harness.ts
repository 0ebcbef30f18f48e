import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime } from "effect"
import { layer as filesLayer } from "../../../../src/adapters/files/node.ts"
import { layer as exitGuardLayer } from "../../../../src/adapters/process/exit-guard.ts"
import { layer as processLayer } from "../../../../src/adapters/process/node.ts"
import { layer as sandboxLayer } from "../../../../src/adapters/sandbox/layer.ts"
import type { Files } from "../../../../src/core/ports/Files.ts"
import type { Process } from "../../../../src/core/ports/Process.ts"
import { locationOf } from "../../../../src/core/domain/path/path-components.ts"
import { makeContext } from "../../../../src/core/permission/configuration/make-context.ts"
import { SANDBOX_OFF, type SandboxSettings } from "../../../../src/core/sandbox/settings.ts"
import type { BashInput } from "../../../../src/core/tools/bash/bash.ts"
import type { BashOutput } from "../../../../src/core/tools/bash/result.ts"
import { type BackgroundTasks, layer as tasksLayer } from "../../../../src/shell/tools/services/background-tasks.ts"
import { type FileState, layer as fileStateLayer } from "../../../../src/shell/tools/services/file-state.ts"
import { type CommandPolicy, layer as policyLayer } from "../../../../src/shell/sandbox/command-policy.ts"
import { makeHostRequests } from "../../../../src/shell/sandbox/host-requests.ts"
import { bashExecutor } from "../../../../src/shell/tools/bash/bash.ts"
import type { ToolContext, ToolOutput, ToolProgress } from "../../../../src/shell/tools/contract/executor.ts"
import { temporaryDirectory } from "../../../adapters/process/harness.ts"

export interface BashHarness {
  readonly root: string
  readonly projectDir: string
  readonly sessionDir: string
  readonly progress: Array<ToolProgress>
  readonly context: (overrides?: Partial<ToolContext>) => ToolContext
  readonly bash: (
    input: string | BashInput,
    overrides?: Partial<ToolContext>
  ) => Effect.Effect<ToolOutput & { readonly data: BashOutput; readonly content: string }, unknown, Services>
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
  readonly close: () => Promise<void>
}

export type Services = Process | BackgroundTasks | CommandPolicy | Files | FileState

export const makeBashHarness = (sandbox: SandboxSettings = SANDBOX_OFF): BashHarness => {
  const root = temporaryDirectory()
  const projectDir = join(root, "project")
  const sessionDir = join(root, "session")
  mkdirSync(projectDir)
  const [project, home] = [locationOf(projectDir), locationOf(root)]
  const { context: permission } = makeContext({ cwd: project, home, canPrompt: false })
  const configHome = join(root, "config")
  const policy = policyLayer({
    settings: () => sandbox,
    permission: () => permission,
    configHome,
    hosts: makeHostRequests(
      () => undefined,
      () => 0
    )
  }).pipe(Layer.provide(sandboxLayer), Layer.provide(processLayer))
  const services = Layer.mergeAll(processLayer, tasksLayer, policy, filesLayer, fileStateLayer())
  const runtime = ManagedRuntime.make(Layer.provide(services, exitGuardLayer))
  const progress: Array<ToolProgress> = []
  let calls = 0
  const context = (overrides: Partial<ToolContext> = {}): ToolContext => ({
    callId: `toolu_${calls++}`,
    sessionId: "session-1",
    cwd: projectDir,
    projectDir,
    additionalDirs: [],
    sessionDir,
    nonInteractive: false,
    model: "model",
    env: { PATH: process.env["PATH"], HOME: root },
    spent: () => {},
    progress: (data) => Effect.sync(() => void progress.push(data)),
    ...overrides
  })
  return {
    root,
    projectDir,
    sessionDir,
    progress,
    context,
    bash: (input, overrides) =>
      Effect.map(
        bashExecutor().run(typeof input === "string" ? { command: input } : input, context(overrides)),
        (output) => ({
          ...output,
          data: output.data as BashOutput,
          content: typeof output.content === "string" ? output.content : ""
        })
      ),
    run: (effect) => runtime.runPromise(effect),
    close: async () => {
      await runtime.dispose()
      rmSync(root, { recursive: true, force: true })
    }
  }
}
