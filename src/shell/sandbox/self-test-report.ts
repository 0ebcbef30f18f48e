import type { SandboxAvailability } from "../../core/sandbox/availability.ts"
import type { SandboxSettings } from "../../core/sandbox/settings.ts"
import type { CheckResult } from "./self-test.ts"

/** The self-test in words, and whether the sandbox held. */
export interface TestReport {
  readonly lines: ReadonlyArray<string>
  readonly held: boolean
  /** The one thing to do; undefined when there is nothing. */
  readonly next: string | undefined
}

const BROKEN = "do not rely on the sandbox here, and report this output"
const NOT_ON = "set sandbox.enabled to true in your settings to confine commands"

export const testLines = (
  { enabled }: SandboxSettings,
  availability: SandboxAvailability,
  results: ReadonlyArray<CheckResult>
): TestReport => {
  if (!availability.available) {
    const lines = [`The sandbox is not available: ${availability.why}.`, `Next step: ${availability.fix}`]
    return { lines, held: false, next: availability.fix }
  }
  const held = results.every(({ breach }) => breach === undefined)
  const next = held ? (enabled === true ? undefined : NOT_ON) : BROKEN
  const lines = results.map(({ name, breach }) => (breach === undefined ? `pass  ${name}` : `FAIL  ${name}: ${breach}`))
  return { lines: [...lines, `Next step: ${next ?? "none"}`], held, next }
}
