import { Context, Effect, Layer, Stream } from "effect"
import type { ModelRequest } from "../../core/model/request/model-request.ts"
import type { Env } from "../../core/domain/env.ts"
import { isOfflineModel } from "../../core/model/catalog/model.ts"
import { proxyFor } from "../../core/domain/net/proxy-choice.ts"
import type { Verdict, Verification } from "../../adapters/anthropic/verify.ts"
import type { ExitGuard } from "../../core/ports/ExitGuard.ts"
import type { Git } from "../../core/ports/Git.ts"
import type { Files } from "../../core/ports/Files.ts"
import type { Memory } from "../../core/ports/Memory.ts"
import { Model } from "../../core/ports/Model.ts"
import { Process } from "../../core/ports/Process.ts"
import type { Records } from "../../core/ports/Records.ts"
import { Sandbox } from "../../core/ports/Sandbox.ts"
import type { Settings } from "../../core/ports/Settings.ts"
import type { GlobalConfig } from "../../core/ports/GlobalConfig.ts"
import { Search } from "../../core/ports/Search.ts"
import { ShellParser } from "../../core/ports/ShellParser.ts"
import { Web } from "../../core/ports/Web.ts"
import * as NodeFiles from "../../adapters/files/node.ts"
import * as NodeGit from "../../adapters/git/node.ts"
import * as NodeGlobalConfig from "../../adapters/settings/global-config.ts"
import * as NodeMemory from "../../adapters/memory/node.ts"
import * as NodeExitGuard from "../../adapters/process/exit-guard.ts"
import * as NodeProcess from "../../adapters/process/node.ts"
import * as NodeRecords from "../../adapters/records/node.ts"
import * as NodeSettings from "../../adapters/settings/node.ts"
import { leftoversIn } from "../../adapters/sandbox/leftovers.ts"
import type { AnthropicOptions } from "../../adapters/anthropic/client.ts"
import type { HelperOptions } from "../auth/key-helper.ts"
import type { OfflineOptions } from "../../adapters/offline/respond.ts"

/** The composition root: which adapter stands behind which port. Heavy ones are loaded when first used. */
export type Ports = ExitGuard | Files | Git | Memory | Model | Process | Records | Sandbox | Search | ShellParser | Web

export interface ModelOptions {
  readonly offline: OfflineOptions
  readonly anthropic: AnthropicOptions
  /** The command that prints keys, where there is no other credential. */
  readonly helper?: HelperOptions
}

/** Builds a service when it is first needed; the same one is used from then on. */
const onFirstUse = <I, S>(tag: Effect.Effect<S, never, I>, load: () => Promise<Layer.Layer<I>>) =>
  Effect.cached(Effect.uninterruptible(Effect.promise(load).pipe(Effect.flatMap((layer) => Effect.provide(tag, layer)))))

/** Every request goes to the adapter that serves its model, so that a session may change between them. */
const modelLayer = (options: ModelOptions): Layer.Layer<Model, never, Process> =>
  Layer.effect(
    Model,
    Effect.gen(function* () {
      const processes = yield* Process
      const keys = async () =>
        options.helper === undefined
          ? {}
          : { keys: (await import("../auth/key-helper.ts")).makeKeyHelper(processes, options.helper) }
      const offline = yield* onFirstUse(Model, async () =>
        (await import("../../adapters/offline/layer.ts")).layer(options.offline)
      )
      const anthropic = yield* onFirstUse(Model, async () =>
        (await import("../../adapters/anthropic/client.ts")).layer({ ...options.anthropic, ...(await keys()) })
      )
      return {
        stream: (request: ModelRequest) =>
          Stream.unwrap(Effect.map(isOfflineModel(request.model) ? offline : anthropic, (model) => model.stream(request))),
        count: (request: ModelRequest) =>
          isOfflineModel(request.model)
            ? Effect.succeed(undefined)
            : Effect.flatMap(anthropic, (model) => model.count?.(request) ?? Effect.succeed(undefined))
      }
    })
  )

const searchLayer: Layer.Layer<Search> = Layer.effect(
  Search,
  Effect.map(
    onFirstUse(Search, async () => (await import("../../adapters/search/layer.ts")).layer),
    (search) => ({
      glob: (request) => Effect.flatMap(search, (service) => service.glob(request)),
      names: (request) => Effect.flatMap(search, (service) => service.names(request)),
      grepFiles: (request) => Effect.flatMap(search, (service) => service.grepFiles(request)),
      grepCounts: (request) => Effect.flatMap(search, (service) => service.grepCounts(request)),
      grepLines: (request) => Effect.flatMap(search, (service) => service.grepLines(request)),
      engine: Effect.flatMap(search, (service) => service.engine)
    })
  )
)

const shellParserLayer: Layer.Layer<ShellParser> = Layer.effect(
  ShellParser,
  Effect.map(
    onFirstUse(ShellParser, async () => (await import("../../adapters/shell-parser/layer.ts")).layer),
    (parser) => ({ load: Effect.flatMap(parser, (service) => service.load) })
  )
)

const sandboxLayer: Layer.Layer<Sandbox, never, ExitGuard | Process> = Layer.effect(
  Sandbox,
  Effect.gen(function* () {
    const ports = Layer.succeedContext(yield* Effect.context<ExitGuard | Process>())
    const scope = yield* Effect.scope
    // What it leaves on the disk is removed with the processes that it confined, so it lives in their scope.
    const sandbox = yield* Effect.cached(
      Effect.promise(() => import("../../adapters/sandbox/layer.ts")).pipe(
        Effect.flatMap(({ layer }) => Layer.buildWithScope(Layer.provide(layer, ports), scope)),
        Effect.map(Context.get(Sandbox)),
        Effect.uninterruptible
      )
    )
    return {
      availability: (settings) => Effect.flatMap(sandbox, (service) => service.availability(settings)),
      confine: (request) => Effect.flatMap(sandbox, (service) => service.confine(request))
    }
  })
)

/** Processes of an owner of their own: closing the scope ends them, and nothing of them is left behind. */
export const ownProcesses: Layer.Layer<Process | Sandbox, never, ExitGuard> = Layer.fresh(
  Layer.provideMerge(sandboxLayer, NodeProcess.layer)
)

/** For commands of the command line that need no session. */
export const confinedProcesses: Layer.Layer<Process | Sandbox> = Layer.provide(ownProcesses, NodeExitGuard.layer)

/** For `nacre doctor`, which asks them what they would use. */
export const doctorPorts: Layer.Layer<Search | ShellParser> = Layer.merge(searchLayer, shellParserLayer)

/** The proxy on the way to an address. One that cannot be used is reported, and requests go out without it. */
export const proxyInUse = (env: Env, address: string, complain: (text: string) => void): string | undefined => {
  const choice = proxyFor(env, address)
  if (choice._tag === "Unusable") complain(`${choice.variable} is not used: ${choice.why}. Fix: set it to http://host:port`)
  return choice._tag === "Through" ? choice.proxy : undefined
}

/** For `nacre login`, which asks the endpoint before it keeps anything. */
export const verifyCredential = async (asked: Verification): Promise<Verdict> =>
  (await import("../../adapters/anthropic/verify.ts")).verifyCredential(asked)

const webLayer: Layer.Layer<Web> = Layer.effect(
  Web,
  Effect.map(
    onFirstUse(Web, async () => (await import("../../adapters/web/layer.ts")).layer),
    (web) => ({ fetch: (request) => Effect.flatMap(web, (service) => service.fetch(request)) })
  )
)

/** For interfaces that show and change the memory outside of a session. */
export const memoryLayer: Layer.Layer<Files | Git | Memory> = Layer.mergeAll(
  NodeMemory.layer,
  NodeFiles.layer,
  NodeGit.layer
)

/** What it takes to find out the facts of decisions that nobody acts on. */
export const factPorts = (): Promise<Context.Context<Files | Git | ShellParser>> =>
  Effect.runPromise(Effect.scoped(Layer.build(Layer.mergeAll(NodeFiles.rememberingLayer, NodeGit.layer, shellParserLayer))))

export interface PortOptions {
  readonly home: string
  readonly projectDirName: string | undefined
  readonly model: ModelOptions
}

export const recordsLayer = (options: Pick<PortOptions, "home" | "projectDirName">): Layer.Layer<Records> =>
  NodeRecords.layer({
    home: options.home,
    ...(options.projectDirName === undefined ? {} : { projectDirName: options.projectDirName })
  })

/** Settings are read before a session exists, so they stand beside its ports. */
export const settingsLayer = (options: NodeSettings.SettingsOptions): Layer.Layer<Settings> => NodeSettings.layer(options)

export type TrustOptions = NodeGlobalConfig.GlobalConfigOptions & NodeSettings.SettingsOptions

/** What is needed to decide whether a folder is trusted, and to remember it. */
export const trustLayer = (options: TrustOptions): Layer.Layer<Files | Git | GlobalConfig | Settings> =>
  Layer.mergeAll(NodeFiles.layer, NodeGit.layer, NodeGlobalConfig.layer(options), settingsLayer(options))

/** A request as it would go over the wire. */
export const wireBody = async (request: ModelRequest): Promise<unknown> =>
  (await import("../../adapters/anthropic/request.ts")).lowerRequest(request)

/** What the whole process has once; its sessions bring their own processes. */
export const portsLayer = (options: PortOptions): Layer.Layer<Ports> =>
  Layer.mergeAll(
    NodeFiles.layer,
    NodeGit.layer,
    NodeMemory.layer,
    recordsLayer(options),
    modelLayer(options.model),
    searchLayer,
    shellParserLayer,
    webLayer
  ).pipe(Layer.provideMerge(ownProcesses), Layer.provideMerge(NodeExitGuard.layer))

/** `--ripgrep`: no session, no settings, only the program that searches. */
export const passToRipgrep = async (args: ReadonlyArray<string>): Promise<number | undefined> =>
  (await import("../../adapters/search/pass-through.ts")).passToRipgrep(args, process.env)

/** What sandboxed commands of a killed process left behind; `nacre doctor` shows it, and removes it with --fix. */
export const sandboxLeftovers = leftoversIn
