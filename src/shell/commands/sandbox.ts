import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Effect } from "effect"
import { Sandbox } from "../../core/ports/Sandbox.ts"
import { sandboxSettingsOf } from "../../core/sandbox/from-settings.ts"
import type { SandboxSettings } from "../../core/sandbox/settings.ts"
import { sandboxReport } from "../../core/sandbox/report.ts"
import { badge, summarise } from "../../core/sandbox/summary.ts"
import { confinedProcesses } from "../layers/ports.ts"
import { configHome } from "../plan/environment.ts"
import { openSettings } from "../settings/open-settings.ts"
import { commandGate } from "../trust/command-gate.ts"
import { selfTest } from "../sandbox/self-test.ts"
import { testLines } from "../sandbox/self-test-report.ts"
import type { CommandIo } from "./io/command-io.ts"
import type { CommandInvocation } from "../cli/options.ts"

/** How the answer is printed: as lines for people, or as one value for programs. */
interface Printing {
  readonly io: CommandIo
  readonly asJson: boolean
}

const print = ({ io, asJson }: Printing, lines: ReadonlyArray<string>, value: unknown): void =>
  io.out(asJson ? `${JSON.stringify(value, null, 2)}\n` : `${lines.join("\n")}\n`)

const runTest = Effect.fnUntraced(function* (settings: SandboxSettings, printing: Printing) {
  const sandbox = yield* Sandbox
  const availability = yield* sandbox.availability(settings)
  const results = availability.available ? yield* selfTest(settings) : []
  const { lines, held, next } = testLines(settings, availability, results)
  const attempts = results.map(({ name, breach }) => ({
    name,
    held: breach === undefined,
    ...(breach === undefined ? {} : { breach })
  }))
  print(printing, lines, { ...availability, held, attempts, nextStep: next })
  return held ? 0 : 1
})

const yesOrNo = (is: boolean): string => (is ? "yes" : "no")

const runStatus = Effect.fnUntraced(function* (settings: SandboxSettings, printing: Printing) {
  const sandbox = yield* Sandbox
  const availability = yield* sandbox.availability(settings)
  const summary = summarise(settings)
  const { allowedDomains, deniedDomains, strictAllowlist, managedDomainsOnly } = settings.network
  const groups = sandboxReport({
    settings,
    availability,
    workingDirs: [printing.io.cwd],
    allowedHosts: allowedDomains,
    deniedHosts: deniedDomains,
    unknownHosts: strictAllowlist || managedDomainsOnly ? "deny" : "ask"
  })
  const lines = [
    badge(summary, availability),
    `available: ${availability.available ? "yes" : `no, ${availability.why}. Fix: ${availability.fix}`}`,
    `runs without a question inside: ${yesOrNo(summary.autoAllow)}`,
    `commands may leave it after a question: ${yesOrNo(settings.allowUnsandboxedCommands)}`,
    ...groups.flatMap((group) => group.lines.map(([label, text]) => `${label}: ${text}`))
  ]
  print(printing, lines, {
    enabled: summary.enabled,
    autoAllow: summary.autoAllow,
    mayLeave: summary.mayLeave,
    ...availability,
    settings
  })
  return availability.available ? 0 : 1
})

const settingsHere = async (io: CommandIo): Promise<SandboxSettings> => {
  const { env, home, cwd } = io
  const places = { home, configHome: resolve(configHome(env)), startDir: realpathSync(cwd) }
  const gate = await commandGate(io)
  return sandboxSettingsOf(openSettings({ env, ...places }, () => gate).current().snapshot, places)
}

/** `nacre sandbox test|status`: what the sandbox does on this machine. */
export const runSandbox = async (
  { sub, flags }: CommandInvocation,
  io: CommandIo,
  given?: SandboxSettings
): Promise<number> => {
  const settings = given ?? (await settingsHere(io))
  const printing: Printing = { io, asJson: flags["json"] === true }
  const work = sub === "status" ? runStatus(settings, printing) : runTest(settings, printing)
  return Effect.runPromise(Effect.provide(work, confinedProcesses))
}
