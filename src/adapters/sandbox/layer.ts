/** The Sandbox port: bubblewrap on Linux, seatbelt on macOS, a reason everywhere else. */
import { Effect, Layer } from "effect"
import { ExitGuard } from "../../core/ports/ExitGuard.ts"
import { type Confinement, Process } from "../../core/ports/Process.ts"
import { type Confined, type ConfineRequest, type NetworkDoor, Sandbox, SandboxFailure } from "../../core/ports/Sandbox.ts"
import { type HostContact, NO_NETWORK, reachesNothing } from "../../core/sandbox/network.ts"
import { availabilityFrom, type SandboxAvailability } from "../../core/sandbox/availability.ts"
import { bwrapArguments } from "../../core/sandbox/platform/bwrap.ts"
import { planSandbox, type SandboxPlan } from "../../core/sandbox/plan.ts"
import { ULIMIT_PREFIX } from "../../core/sandbox/platform/resource-limits.ts"
import { seatbeltProfile } from "../../core/sandbox/platform/seatbelt.ts"
import type { FilteredArchitecture } from "../../core/sandbox/platform/seccomp-calls.ts"
import type { SandboxSettings } from "../../core/sandbox/settings.ts"
import { BRIDGE_PORT, BRIDGE_SCRIPT } from "./bridge-script.ts"
import { ledgerDirectory } from "./leftovers.ts"
import { gatherFacts } from "./look.ts"
import { isPlaceholder, type Placeholders, placeholdersFor } from "./placeholders.ts"
import { findBwrap, probe, SANDBOX_EXEC, type Trial } from "./probe.ts"
import { serveChannel } from "./proxy.ts"
import { watchPlaces } from "./replaced-places.ts"
import { makeScratch, type Scratch } from "./scratch.ts"

type ProbedSettings = Pick<SandboxSettings, "bwrapPath" | "enableWeakerNestedSandbox">

/** Descriptors of the confined command: the filter comes first, the channel after it. */
const FILTER_DESCRIPTOR = 3
const CHANNEL_DESCRIPTOR = 4

const architecture = (): FilteredArchitecture => (process.arch === "arm64" ? "arm64" : "x64")

const NOTHING_ALLOWED: SandboxPlan = {
  writable: [],
  holes: [],
  masked: [],
  pinned: [],
  hidden: [],
  shown: [],
  network: NO_NETWORK,
  unixSockets: false,
  problems: []
}

/** Everything a command will need, over a file system that can only be read. */
const trialOf = (settings: ProbedSettings): Trial | undefined => {
  if (process.platform === "darwin") {
    return { file: SANDBOX_EXEC, args: ["-p", "(version 1)(allow default)", "/usr/bin/true"] }
  }
  const file = process.platform === "linux" ? findBwrap(settings.bwrapPath) : undefined
  if (file === undefined) return undefined
  const options = { cwd: "/", writableFiles: [], keepProc: settings.enableWeakerNestedSandbox }
  return { file, args: [...bwrapArguments(NOTHING_ALLOWED, options), "true"] }
}

/** Programs that speak to a proxy find it under these names; both spellings are in use. */
const PROXY_ENV = ((): Readonly<Record<string, string>> => {
  const http = `http://127.0.0.1:${BRIDGE_PORT}`
  const values = {
    HTTP_PROXY: http,
    HTTPS_PROXY: http,
    ALL_PROXY: `socks5h://127.0.0.1:${BRIDGE_PORT}`,
    NO_PROXY: "localhost,127.0.0.1,::1"
  }
  const lower = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const)
  return { ...values, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: "1" }
})()

interface Parts {
  readonly scratch: Scratch
  readonly placeholders: Placeholders
}

const bridge = (): ReadonlyArray<string> => [
  process.execPath,
  "-e",
  BRIDGE_SCRIPT,
  "--",
  String(BRIDGE_PORT),
  String(CHANNEL_DESCRIPTOR)
]

/** Without anybody to ask, a host that no list names stays closed. */
const doorOf = ({ door }: ConfineRequest, plan: SandboxPlan): NetworkDoor =>
  door ?? { policy: () => plan.network, ask: () => Promise.resolve("it is not in the list of allowed domains") }

const closedPlaces = ({ holes, masked, hidden }: SandboxPlan): ReadonlyArray<string> => [
  ...holes.map(({ path }) => path),
  ...masked,
  ...hidden.map(({ path }) => path)
]

const brokenSandbox = (path: string): string =>
  `Nacre ended this command: ${path} was replaced from outside while it ran, so that the sandbox no longer protected ` +
  "it. Fix: look at that file, then start the command again"

const confineWithBwrap = (parts: Parts, request: ConfineRequest, planned: SandboxPlan, file: string): Confined => {
  const held = parts.placeholders.hold(planned.masked)
  const plan = { ...planned, masked: held.paths }
  const contacts: Array<HostContact> = []
  const networked = !reachesNothing(plan.network)
  let stopWatching = (): void => undefined
  const confinement: Confinement = {
    file,
    args: [
      ...bwrapArguments(plan, {
        cwd: request.cwd,
        filterDescriptor: FILTER_DESCRIPTOR,
        writableFiles: request.writableFiles,
        keepProc: request.settings.enableWeakerNestedSandbox
      }),
      ...ULIMIT_PREFIX,
      ...(networked ? bridge() : [])
    ],
    env: { TMPDIR: parts.scratch.tempDir(), ...(networked ? PROXY_ENV : {}) },
    inputs: [parts.scratch.filterFile({ architecture: architecture(), unixSockets: plan.unixSockets })],
    ...(networked
      ? {
          adopt: (channel: NodeJS.ReadWriteStream) =>
            serveChannel(channel, { ...doorOf(request, plan), note: (contact) => void contacts.push(contact) })
        }
      : {}),
    onStart: ({ end, say }) => {
      stopWatching = watchPlaces(closedPlaces(plan), (path) => {
        end()
        say(brokenSandbox(path))
      })
    },
    onEnd: () => {
      stopWatching()
      held.release()
    }
  }
  return { plan, confinement, contacts: () => contacts }
}

/** Without a network: a proxy there would have to listen on the machine's own loopback, open to every local program. */
const confineWithSeatbelt = (parts: Parts, request: ConfineRequest, plan: SandboxPlan): Confined => ({
  plan: { ...plan, network: NO_NETWORK },
  confinement: {
    file: SANDBOX_EXEC,
    args: ["-p", seatbeltProfile(plan, { writableFiles: request.writableFiles }), ...ULIMIT_PREFIX],
    env: { TMPDIR: parts.scratch.tempDir() },
    inputs: [],
    onEnd: () => undefined
  },
  contacts: () => []
})

const failure = (why: string): SandboxFailure => new SandboxFailure({ message: why })

const make = Effect.gen(function* () {
  const processes = yield* Process
  const scratch = makeScratch()
  let placeholders: Placeholders | undefined
  let known: SandboxAvailability | undefined
  const leaveNothingBehind = (): void => {
    placeholders?.sweep()
    scratch.remove()
  }
  yield* (yield* ExitGuard).onExit(leaveNothingBehind)
  yield* Effect.addFinalizer(() => Effect.sync(leaveNothingBehind))

  /** Only a good answer is kept: what was missing may be installed while the session runs. */
  const availability = (settings: ProbedSettings): Effect.Effect<SandboxAvailability> =>
    known !== undefined
      ? Effect.succeed(known)
      : Effect.map(probe(processes, trialOf(settings)), (seen) => {
          const answer = availabilityFrom(seen)
          if (answer.available) known = answer
          return answer
        })

  const confine = Effect.fnUntraced(function* (request: ConfineRequest): Effect.fn.Return<Confined, SandboxFailure> {
    const answer = yield* availability(request.settings)
    if (!answer.available) {
      return yield* failure(`The sandbox is required and not available: ${answer.why}. Fix: ${answer.fix}`)
    }
    placeholders ??= placeholdersFor(ledgerDirectory(request.configHome))
    const parts: Parts = { scratch, placeholders }
    return yield* Effect.tryPromise({
      try: async () => {
        const whole = { ...request, tempDir: scratch.tempDir() }
        const plan = planSandbox(whole, await gatherFacts(whole, isPlaceholder))
        const [problem] = plan.problems
        if (problem !== undefined) throw failure(`The sandbox cannot protect this project: ${problem}`)
        const bwrap = findBwrap(request.settings.bwrapPath)
        return process.platform === "darwin"
          ? confineWithSeatbelt(parts, request, plan)
          : confineWithBwrap(parts, request, plan, bwrap ?? "bwrap")
      },
      catch: (cause) =>
        cause instanceof SandboxFailure
          ? cause
          : failure(`The sandbox could not be set up: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
  })

  return Sandbox.of({ availability, confine })
})

export const layer: Layer.Layer<Sandbox, never, ExitGuard | Process> = Layer.effect(Sandbox, make)
