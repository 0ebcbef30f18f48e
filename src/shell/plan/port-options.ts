import { settingOf } from "../../core/settings/snapshot.ts"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { isOff, readVariable } from "../../core/domain/env.ts"
import { DEFAULT_BASE_URL } from "../../core/model/catalog/model.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import type { HelperOptions } from "../auth/key-helper.ts"
import { type ModelOptions, type PortOptions, proxyInUse } from "../layers/ports.ts"
import { wantsLines } from "./line-mode.ts"
import { VERSION } from "../process/version.ts"
import { customHeaders, wholeNumber } from "./environment.ts"
import { messageOf, type SessionPlan } from "./session-plan.ts"

/** What the adapters of a session are told by its plan. */

const variable = (
  plan: SessionPlan,
  name: string,
  value: string | undefined,
  bounds: { fallback: number; minimum: number; maximum: number }
): number => wholeNumber({ name, value, ...bounds }, plan.complain)

const LONGEST_TIMER_MS = 2_147_483_647

const idleAbort = (plan: SessionPlan): number => {
  if (isOff(plan.env["API_FORCE_IDLE_TIMEOUT"])) return 0
  return variable(plan, "CLAUDE_STREAM_IDLE_TIMEOUT_MS", plan.env["CLAUDE_STREAM_IDLE_TIMEOUT_MS"], {
    fallback: LIMITS.idleAbortMs,
    minimum: LIMITS.idleAbortMs,
    maximum: LIMITS.idleAbortCapMs
  })
}

const offlineScript = (plan: SessionPlan): string | undefined => {
  const path = plan.env["NACRE_OFFLINE_SCRIPT"]
  if (path === undefined || path === "") return undefined
  try {
    return readFileSync(resolve(plan.cwd, path), "utf8")
  } catch (error) {
    plan.complain(`NACRE_OFFLINE_SCRIPT=${path} cannot be read (${messageOf(error)}); going on without it`)
    return undefined
  }
}

/** The variable wins over the endpoint that a credential was kept for. */
const baseUrlOf = ({ env, credential }: SessionPlan): string | undefined => env["ANTHROPIC_BASE_URL"] || credential?.baseUrl

const proxyOf = (plan: SessionPlan): { readonly proxy?: string } => {
  const proxy = proxyInUse(plan.env, baseUrlOf(plan) ?? DEFAULT_BASE_URL, plan.complain)
  return proxy === undefined ? {} : { proxy }
}

const HELPER_TTL_MS = 300_000

const helperOptions = (plan: SessionPlan, command: string): HelperOptions => ({
  command,
  cwd: plan.configHome,
  env: plan.env,
  ttlMs: variable(plan, "CLAUDE_CODE_API_KEY_HELPER_TTL_MS", readVariable(plan.env, "API_KEY_HELPER_TTL_MS"), {
    fallback: HELPER_TTL_MS,
    minimum: 0,
    maximum: LONGEST_TIMER_MS
  }),
  complain: plan.complain
})

const speaksInLines = ({ start, env, settings }: SessionPlan): boolean =>
  wantsLines({
    flag: start.axScreenReader,
    env,
    setting: settingOf(settings.current().snapshot, "axScreenReader")
  })

const modelOptions = (plan: SessionPlan): ModelOptions => {
  const { env, credential } = plan
  const baseUrl = baseUrlOf(plan)
  const script = offlineScript(plan)
  return {
    offline: {
      delayMs: variable(plan, "NACRE_OFFLINE_DELAY_MS", env["NACRE_OFFLINE_DELAY_MS"], {
        fallback: plan.start.printBecause === undefined ? 12 : 0,
        minimum: 0,
        maximum: 10_000
      }),
      windowTokens: offlineWindow(plan),
      idleAbortMs: idleAbort(plan),
      hasPanes: plan.start.printBecause === undefined && !speaksInLines(plan),
      ...(script === undefined ? {} : { script })
    },
    ...(credential?.helper === undefined ? {} : { helper: helperOptions(plan, credential.helper) }),
    anthropic: {
      ...(credential?.apiKey === undefined ? {} : { apiKey: credential.apiKey }),
      ...(credential?.authToken === undefined ? {} : { authToken: credential.authToken }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...proxyOf(plan),
      customHeaders: customHeaders(env["ANTHROPIC_CUSTOM_HEADERS"]),
      requestTimeoutMs: variable(plan, "API_TIMEOUT_MS", env["API_TIMEOUT_MS"], {
        fallback: LIMITS.requestTimeoutMs,
        minimum: 1,
        maximum: LONGEST_TIMER_MS
      }),
      idleAbortMs: idleAbort(plan),
      betas: plan.start.model.betas,
      userAgent: `nacre/${VERSION}`
    }
  }
}

export const offlineWindow = (plan: SessionPlan): number =>
  variable(plan, "NACRE_OFFLINE_WINDOW", plan.env["NACRE_OFFLINE_WINDOW"], {
    fallback: 200_000,
    minimum: 1_000,
    maximum: 10_000_000
  })

export const portOptions = (plan: SessionPlan): PortOptions => ({
  home: plan.configHome,
  projectDirName: readVariable(plan.env, "PROJECT_DIR_NAME"),
  model: modelOptions(plan)
})
