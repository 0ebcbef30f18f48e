import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Effect } from "effect"
import { Sandbox } from "../../core/ports/Sandbox.ts"
import { sandboxSettingsOf } from "../../core/sandbox/from-settings.ts"
import type { SandboxSettings } from "../../core/sandbox/settings.ts"
import { badge, summarise } from "../../core/sandbox/summary.ts"
import { confinedProcesses } from "../layers.ts"
import { configHome } from "../session/environment.ts"
import { openSettings } from "../settings/open.ts"
import { commandGate } from "../trust/command-gate.ts"
import { selfTest } from "../sandbox/self-test.ts"
import type { CommandInvocation, CommandIo } from "./command-io.ts"

const BROKEN = "do not rely on the sandbox here, and report this output"

const runTest = Effect.fnUntraced(function* (settings: SandboxSettings, io: CommandIo) {
  const sandbox = yield* Sandbox
  const availability = yield* sandbox.availability(settings)
  if (!availability.available) {
    io.out(`The sandbox is not available: ${availability.why}.\nNext step: ${availability.fix}\n`)
    return 1
  }
  const results = yield* selfTest(settings)
  for (const { name, breach } of results) {
    io.out(breach === undefined ? `pass  ${name}\n` : `FAIL  ${name}: ${breach}\n`)
  }
  const held = results.every(({ breach }) => breach === undefined)
  const next = settings.enabled === true ? "none" : "set sandbox.enabled to true in your settings to confine commands"
  io.out(`Next step: ${held ? next : BROKEN}\n`)
  return held ? 0 : 1
})

const runStatus = Effect.fnUntraced(function* (settings: SandboxSettings, io: CommandIo) {
  const sandbox = yield* Sandbox
  const availability = yield* sandbox.availability(settings)
  const summary = summarise(settings)
  const { network, filesystem } = settings
  io.out(
    [
      badge(summary, availability),
      `available: ${availability.available ? "yes" : `no, ${availability.why}. Fix: ${availability.fix}`}`,
      `runs without a question inside: ${summary.autoAllow ? "yes" : "no"}`,
      `commands may leave it after a question: ${settings.allowUnsandboxedCommands ? "yes" : "no"}`,
      `run outside: ${summary.excluded.join(", ") || "none"}`,
      `more to write: ${filesystem.allowWrite.join(", ") || "none"}`,
      `domains: ${network.allowedDomains.join(", ") || "none"}`,
      ""
    ].join("\n")
  )
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
  { sub }: CommandInvocation,
  io: CommandIo,
  given?: SandboxSettings
): Promise<number> => {
  const settings = given ?? (await settingsHere(io))
  const work = sub === "status" ? runStatus(settings, io) : runTest(settings, io)
  return Effect.runPromise(Effect.provide(work, confinedProcesses))
}
