import type { SandboxSummary } from "../permission/context.ts"
import type { SandboxAvailability } from "./availability.ts"
import type { SandboxSettings } from "./settings.ts"

/** The sandbox as far as decisions depend on it. Whether it is available is not among it: it fails when it is used. */
export const summarise = (settings: SandboxSettings): SandboxSummary => {
  const enabled = settings.enabled === true
  return {
    enabled,
    autoAllow: enabled && settings.autoAllowBashIfSandboxed,
    excluded: settings.excludedCommands,
    mayLeave: settings.allowUnsandboxedCommands
  }
}

/** The state in one line. */
export const badge = ({ enabled }: SandboxSummary, availability: SandboxAvailability): string => {
  if (!enabled) return "sandbox: off"
  return availability.available
    ? "sandbox: on"
    : `sandbox: required, but unavailable (${availability.why}. Fix: ${availability.fix})`
}
