import { realpathSync } from "node:fs"
import { Effect } from "effect"
import type { Examination, Finding } from "../../../core/settings/doctor/finding.ts"
import { Sandbox } from "../../../core/ports/Sandbox.ts"
import { sandboxSettingsOf } from "../../../core/sandbox/from-settings.ts"
import { confinedProcesses } from "../../layers/ports.ts"
import { selfTest } from "../../sandbox/self-test.ts"
import { openSettings } from "../../settings/open-settings.ts"
import { commandGate } from "../../trust/command-gate.ts"
import type { Place } from "./doctor-context.ts"

/** Whether commands can be confined here, tried in a folder made for it. */
export const examineSandbox = (place: Place): Effect.Effect<Examination> =>
  Effect.gen(function* () {
    const { env, home, configHome } = place
    const gate = yield* Effect.promise(() => commandGate(place))
    const places = { home, configHome, startDir: realpathSync(place.cwd) }
    const settings = sandboxSettingsOf(openSettings({ env, ...places }, () => gate).current().snapshot, places)
    const isOn = settings.enabled === true
    const sandbox = yield* Sandbox
    const availability = yield* sandbox.availability(settings)
    const fact = (words: string): Examination["facts"] => ({ sandbox: `${isOn ? "on" : "off"}, ${words}` })
    const finding = (id: string, level: Finding["level"], message: string, fix: string): Finding => ({
      id,
      level,
      area: "sandbox",
      message,
      fix
    })
    if (!availability.available) {
      const level = isOn ? "error" : "info"
      const missing = finding(
        "sandbox.unavailable",
        level,
        `commands cannot be confined: ${availability.why}`,
        availability.fix
      )
      return { facts: fact("not available"), findings: [missing] }
    }
    const results = yield* selfTest(settings)
    const breaches = results.filter(({ breach }) => breach !== undefined)
    return {
      facts: fact(`${results.length - breaches.length} of ${results.length} attempts to break out failed`),
      findings: breaches.map(({ name, breach }) =>
        finding("sandbox.breach", "error", `the sandbox gave way: ${name}: ${breach}`, "do not rely on it, and report this")
      )
    }
  }).pipe(Effect.provide(confinedProcesses))
