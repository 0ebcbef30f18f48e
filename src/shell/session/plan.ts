import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync } from "node:fs"
import { release, homedir, platform, tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { Result } from "effect"
import { wantsLines } from "../line/line-mode.ts"
import { describeModelProblem, resolveFallbacks, resolveModel, type ModelSources } from "../../core/context/resolve-model.ts"
import { resolveEffort, resolveThinking } from "../../core/context/thinking.ts"
import { type Env, isOn, named } from "../../core/domain/env.ts"
import { profileOf } from "../../core/domain/model.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import { bypassRefusal } from "../../core/permission/mode.ts"
import type { ModelOptions, PortOptions } from "../layers.ts"
import type { PromptText, Start } from "../cli/options.ts"
import { VERSION } from "../version.ts"
import { configHome, type Credential, credentialOf, customHeaders, wholeNumber } from "./environment.ts"

/** Everything about a session that is known before it opens. */
export interface SessionPlan {
  readonly start: Start
  readonly env: Env
  /** Real path of the directory the program was started in. */
  readonly cwd: string
  readonly home: string
  readonly configHome: string
  readonly additionalDirs: ReadonlyArray<string>
  readonly credential: Credential | undefined
  readonly systemPrompt: string | undefined
  readonly appendSystemPrompt: string | undefined
  readonly complain: (text: string) => void
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const readText = (flag: string, text: PromptText | undefined): string | undefined => {
  if (text === undefined || text.from === "argument") return text?.text
  try {
    return readFileSync(text.path, "utf8")
  } catch (error) {
    const why = `${flag} ${text.path} cannot be read (${messageOf(error)}). Fix: name a readable file`
    throw new Error(why, { cause: error })
  }
}

const realDirectory = (path: string): string => {
  const real = realpathSync(path)
  if (!statSync(real).isDirectory()) throw new Error(`${path} is not a directory`)
  return real
}

const addedDirectory = (cwd: string, path: string): string => {
  try {
    return realDirectory(resolve(cwd, path))
  } catch (error) {
    const why = `--add-dir ${path} cannot be used (${messageOf(error)}). Fix: name an existing directory`
    throw new Error(why, { cause: error })
  }
}

const CONTAINER_MARKS = ["/.dockerenv", "/run/.containerenv"]

const isContainer = (env: Env): boolean =>
  isOn(env["IS_SANDBOX"]) || CONTAINER_MARKS.some((path) => statSync(path, { throwIfNoEntry: false }) !== undefined)

/** Whether this account may start in bypass mode. */
const bypassProblem = (start: Start, env: Env): string | undefined =>
  start.permissions.mode === "bypassPermissions"
    ? bypassRefusal({ isRoot: process.getuid?.() === 0, isContainer: isContainer(env) })
    : undefined

const makeDirectories = (directory: string): void => {
  if (statSync(directory, { throwIfNoEntry: false }) !== undefined) return
  makeDirectories(dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}

/** The config home, or a place of our own for this run when it cannot be used. */
const usableHome = (home: string, complain: (text: string) => void): string => {
  try {
    makeDirectories(home)
    accessSync(home, constants.R_OK | constants.X_OK)
    return home
  } catch (error) {
    complain(`This session is not saved: ${home} cannot be used (${messageOf(error)}). Fix: make the config directory writable`)
    return mkdtempSync(join(tmpdir(), "nacre-"))
  }
}

/** Reads what the command line points at. A text says what is wrong and how to mend it. */
export const planSession = (start: Start, env: Env, complain: (text: string) => void): Result.Result<SessionPlan, string> => {
  const refusal = bypassProblem(start, env)
  if (refusal !== undefined) return Result.fail(refusal)
  try {
    const cwd = realDirectory(process.cwd())
    return Result.succeed({
      start,
      env,
      cwd,
      home: homedir(),
      configHome: usableHome(resolve(configHome(env)), complain),
      additionalDirs: start.permissions.addDirs.map((path) => addedDirectory(cwd, path)),
      credential: credentialOf(env),
      systemPrompt: readText("--system-prompt-file", start.systemPrompt),
      appendSystemPrompt: readText("--append-system-prompt-file", start.appendSystemPrompt),
      complain
    })
  } catch (error) {
    return Result.fail(messageOf(error))
  }
}

const aliasTargets = (env: Env) => ({
  ...(env["ANTHROPIC_DEFAULT_OPUS_MODEL"] === undefined ? {} : { opus: env["ANTHROPIC_DEFAULT_OPUS_MODEL"] }),
  ...(env["ANTHROPIC_DEFAULT_SONNET_MODEL"] === undefined ? {} : { sonnet: env["ANTHROPIC_DEFAULT_SONNET_MODEL"] }),
  ...(env["ANTHROPIC_DEFAULT_HAIKU_MODEL"] === undefined ? {} : { haiku: env["ANTHROPIC_DEFAULT_HAIKU_MODEL"] })
})

export interface ModelRequestOptions {
  /** Named while the session runs, by a host or the user. */
  readonly session?: string | undefined
  /** Of the session that is continued. */
  readonly restored?: string | undefined
}

const modelSources = (plan: SessionPlan, options: ModelRequestOptions): ModelSources => {
  const { env, start } = plan
  const required = start.model.requireCredential || isOn(env["NACRE_REQUIRE_CREDENTIAL"])
  return {
    targets: aliasTargets(env),
    planMode: start.permissions.mode === "plan",
    hasCredential: plan.credential !== undefined || required,
    ...(options.session === undefined ? {} : { session: options.session }),
    ...(start.model.model === undefined ? {} : { flag: start.model.model }),
    ...(env["ANTHROPIC_MODEL"] ? { env: env["ANTHROPIC_MODEL"] } : {}),
    ...(options.restored === undefined ? {} : { setting: options.restored })
  }
}

export interface ChosenModel {
  readonly model: string
  readonly fallbacks: ReadonlyArray<string>
}

export const chooseModel = (plan: SessionPlan, options: ModelRequestOptions = {}): Result.Result<ChosenModel, string> => {
  const sources = modelSources(plan, options)
  const choice = resolveModel(sources)
  if (Result.isFailure(choice)) return Result.fail(describeModelProblem(choice.failure))
  const { model } = choice.success
  return Result.succeed({ model, fallbacks: resolveFallbacks(plan.start.model.fallbackModels, model, sources) })
}

const variable = (plan: SessionPlan, name: string, value: string | undefined, bounds: { fallback: number; minimum: number; maximum: number }): number =>
  wholeNumber({ name, value, ...bounds }, plan.complain)

const LONGEST_TIMER_MS = 2_147_483_647

const idleAbort = (plan: SessionPlan): number => {
  if (plan.env["API_FORCE_IDLE_TIMEOUT"] === "0") return 0
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

const modelOptions = (plan: SessionPlan): ModelOptions => {
  const { env, credential } = plan
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
      hasPanes: plan.start.printBecause === undefined && !wantsLines(plan.start.axScreenReader, env),
      ...(script === undefined ? {} : { script })
    },
    anthropic: {
      ...(credential?.apiKey === undefined ? {} : { apiKey: credential.apiKey }),
      ...(credential?.authToken === undefined ? {} : { authToken: credential.authToken }),
      ...(env["ANTHROPIC_BASE_URL"] ? { baseUrl: env["ANTHROPIC_BASE_URL"] } : {}),
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
  projectDirName: plan.env["CLAUDE_CODE_PROJECT_DIR_NAME"],
  model: modelOptions(plan)
})

/** Environment block of the system prompt. */
export const environmentOf = (plan: SessionPlan, model: string, isGitRepo: boolean) => ({
  cwd: plan.cwd,
  isGitRepo,
  additionalDirs: plan.additionalDirs,
  platform: platform(),
  osVersion: `${platform()} ${release()}`,
  shell: basename(plan.env["SHELL"] ?? "bash"),
  modelName: profileOf(model).name,
  modelId: model
})

export const thinkingOf = (plan: SessionPlan, model: string, maxTokens: number) => {
  const { start } = plan
  const env =
    start.model.maxThinkingTokens === undefined
      ? plan.env
      : { ...plan.env, MAX_THINKING_TOKENS: String(start.model.maxThinkingTokens) }
  return resolveThinking(profileOf(model), maxTokens, {
    env,
    ...(start.model.thinking === "disabled" ? { sessionToggle: false } : {}),
    ...(start.model.thinkingDisplay === undefined ? {} : { display: start.model.thinkingDisplay })
  })
}

export const effortOf = (plan: SessionPlan, model: string): string | undefined =>
  resolveEffort(profileOf(model), {
    ...(named(plan.env, "EFFORT_LEVEL") === undefined ? {} : { env: named(plan.env, "EFFORT_LEVEL") ?? "" }),
    ...(plan.start.model.effort === undefined ? {} : { session: plan.start.model.effort }),
    always: isOn(plan.env["CLAUDE_CODE_ALWAYS_ENABLE_EFFORT"])
  })

export const sessionDirOf = (transcriptPath: string): string => transcriptPath.replace(/\.jsonl$/, "")

export const debugPathOf = (plan: SessionPlan, sessionId: string): string =>
  plan.start.debug.file ?? join(plan.configHome, "debug", `${sessionId}.txt`)
