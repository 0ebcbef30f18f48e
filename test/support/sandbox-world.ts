/** A project, a home and a sandbox over real directories and processes. */
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { Effect, Layer, ManagedRuntime } from "effect"
import { layer as exitGuardLayer } from "../../src/adapters/process/exit-guard.ts"
import { layer as processLayer } from "../../src/adapters/process/node.ts"
import { layer as sandboxAdapter } from "../../src/adapters/sandbox/layer.ts"
import { Process } from "../../src/core/ports/Process.ts"
import { type Confined, type ConfineRequest, Sandbox } from "../../src/core/ports/Sandbox.ts"
import { SANDBOX_OFF, type SandboxSettings } from "../../src/core/sandbox/settings.ts"
import { freshDirectory } from "./temp-world.ts"

/** Without bubblewrap there is nothing to try. Where the suite is owed (CI), its absence is a failure. */
export const sandboxWorks = (): boolean =>
  process.env["NACRE_REQUIRE_BWRAP"] === "1" ||
  spawnSync("bwrap", "--unshare-all --ro-bind / / --proc /proc true".split(" "), { stdio: "ignore" }).status === 0

export type PartialSettings = Partial<Omit<SandboxSettings, "filesystem" | "network">> & {
  readonly filesystem?: Partial<SandboxSettings["filesystem"]>
  readonly network?: Partial<SandboxSettings["network"]>
}

export const settingsWith = ({ filesystem, network, ...rest }: PartialSettings = {}): SandboxSettings => ({
  ...SANDBOX_OFF,
  enabled: true,
  ...rest,
  filesystem: { ...SANDBOX_OFF.filesystem, ...filesystem },
  network: { ...SANDBOX_OFF.network, ...network }
})

export interface RunOptions {
  readonly settings?: PartialSettings
  readonly request?: Partial<ConfineRequest>
  readonly timeoutMs?: number
}

export interface Outcome {
  readonly code: number | null
  readonly output: string
  readonly confined: Confined
}

const MOST_BYTES = 1_000_000

export const makeSandboxWorld = () => {
  const root = freshDirectory()
  const [project, home, outside] = ["project", "home", "outside"].map((name) => path.join(root, name))
  if (project === undefined || home === undefined || outside === undefined) throw new Error("no directories")
  for (const directory of [project, home, outside]) fs.mkdirSync(directory)
  const configHome = path.join(home, ".claude")
  fs.mkdirSync(configHome)
  const runtime = ManagedRuntime.make(Layer.provide(Layer.provideMerge(sandboxAdapter, processLayer), exitGuardLayer))

  const confine = (options: RunOptions = {}): Effect.Effect<Confined, Error, Sandbox> =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      return yield* sandbox.confine({
        settings: settingsWith(options.settings),
        profile: "workspace",
        workingDirs: [project],
        home,
        configHome,
        editable: [],
        uneditable: [],
        unreadable: [],
        allowedHosts: [],
        deniedHosts: [],
        unknownHosts: "deny",
        networkless: false,
        cwd: project,
        writableFiles: [],
        ...options.request
      })
    })

  const specFor = (command: string, options: RunOptions) => ({
    file: "bash",
    args: ["--noprofile", "--norc", "-c", command],
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: home, LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1" },
    timeoutMs: options.timeoutMs ?? 20_000,
    maxOutputBytes: MOST_BYTES
  })

  const run = (command: string, options: RunOptions = {}): Promise<Outcome> =>
    runtime.runPromise(
      Effect.gen(function* () {
        const confined = yield* confine(options)
        const processes = yield* Process
        const { confinement } = confined
        const result = yield* processes.run({ ...specFor(command, options), confinement })
        return { code: result.code, output: result.stdout + result.stderr, confined }
      })
    )

  /** The same command without a sandbox: what it could do is what the sandbox has to hold back. */
  const runOutside = (command: string): Promise<string> => {
    const tempDir = path.join(root, "tmp")
    fs.mkdirSync(tempDir, { recursive: true })
    const spec = specFor(command, {})
    return runtime.runPromise(
      Process.use((processes) => processes.run({ ...spec, env: { ...spec.env, TMPDIR: tempDir } })).pipe(
        Effect.map(({ stdout, stderr }) => stdout + stderr)
      )
    )
  }

  return {
    root,
    project,
    home,
    outside,
    configHome,
    run,
    runOutside,
    runtime,
    confine: (options?: RunOptions) => runtime.runPromise(confine(options)),
    close: () => runtime.dispose()
  }
}

export type SandboxWorld = ReturnType<typeof makeSandboxWorld>
