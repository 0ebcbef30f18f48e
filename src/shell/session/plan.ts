import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync } from "node:fs"
import { release, homedir, platform, tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { Effect, Result } from "effect"
import { wantsLines } from "../line/line-mode.ts"
import { describeModelProblem, resolveFallbacks, resolveModel, type ModelSources } from "../../core/context/resolve-model.ts"
import { resolveEffort, resolveThinking } from "../../core/context/thinking.ts"
import { type Env, isOn, named } from "../../core/domain/env.ts"
import { profileOf } from "../../core/domain/model.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import { bypassRefusal } from "../../core/permission/mode.ts"
import { isFileProblem, problemText } from "../../core/settings/origin.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { ModelOptions, PortOptions } from "../layers.ts"
import type { PromptText, Start } from "../cli/options.ts"
import { openSettings } from "../settings/open.ts"
import type { SettingsHub } from "../settings/hub.ts"
import { VERSION } from "../version.ts"
import { configHome, type Credential, credentialOf, customHeaders, wholeNumber } from "./environment.ts"

/** Everything about a session that is known before it opens. */
export interface SessionPlan {
  readonly start: Start
  /** Of whoever started the program, with what settings say. */
  readonly env: Env
  readonly settings: SettingsHub
  /** Real path of the directory the program was started in. */
  readonly cwd: string
  readonly home: string
  readonly configHome: string
  /** Of the command line. */
  readonly additionalDirs: ReadonlyArray<string>
  readonly credential: Credential | undefined
  readonly systemPrompt: string | undefined
  readonly appendSystemPrompt: string | undefined
  readonly complain: (text: string) => void
  /**
   * Trusts a folder that wants nothing, because the person begins to write its local settings; false where that is
   * not for this to decide.
   */
  readonly adoptFolder: Effect.Effect<boolean>
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

/** The mode a session starts in and whether bypass is within reach, from the command line and the settings. */
export const startMode = ({ start, settings }: Pick<SessionPlan, "start" | "settings">) => {
  const { mode, offersBypass, bypassLocked } = settings.current().permissions
  const wanted = start.permissions.mode ?? mode
  const bypassAvailable = (start.permissions.bypassAvailable || offersBypass) && !bypassLocked
  return { wanted, bypassAvailable, mode: wanted === "bypassPermissions" && !bypassAvailable ? "default" : wanted }
}

/** Whether this account may start in bypass mode. */
const bypassProblem = (plan: Pick<SessionPlan, "start" | "settings" | "env">): string | undefined =>
  startMode(plan).mode === "bypassPermissions"
    ? bypassRefusal({ isRoot: process.getuid?.() === 0, isContainer: isContainer(plan.env) })
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

/** Problems that end the start: of a file that was named on the command line, or of any with `--strict-settings`. */
const settingsRefusal = ({ start, settings }: Pick<SessionPlan, "start" | "settings">): string | undefined => {
  const { problems, complaints } = settings.current()
  const named = problems.find((problem) => isFileProblem(problem) && problem.source === "flagSettings")
  if (named !== undefined) return problemText(named)
  return start.settings.strict && complaints.length > 0 ? complaints.join("\nnacre: ") : undefined
}

/** Where a session starts; tests have places of their own. */
export interface StartPlaces {
  readonly cwd?: string
  readonly home?: string
}

/** Reads what the command line points at. A text says what is wrong and how to mend it. */
export const planSession = (
  start: Start,
  given: Env,
  complain: (text: string) => void,
  where: StartPlaces = {}
): Result.Result<SessionPlan, string> => {
  try {
    const cwd = realDirectory(where.cwd ?? process.cwd())
    const home = where.home ?? homedir()
    const directory = usableHome(resolve(configHome(given)), complain)
    const settings = openSettings({ env: given, home, configHome: directory, startDir: cwd, ...start.settings })
    const env = settings.current().env.own
    const refusal = settingsRefusal({ start, settings }) ?? bypassProblem({ start, settings, env })
    if (refusal !== undefined) return Result.fail(refusal)
    return Result.succeed({
      start,
      env,
      settings,
      cwd,
      home,
      configHome: directory,
      additionalDirs: start.permissions.addDirs.map((path) => addedDirectory(cwd, path)),
      credential: credentialOf(env),
      systemPrompt: readText("--system-prompt-file", start.systemPrompt),
      appendSystemPrompt: readText("--append-system-prompt-file", start.appendSystemPrompt),
      complain,
      adoptFolder: Effect.succeed(false)
    })
  } catch (error) {
    return Result.fail(messageOf(error))
  }
}

/** The plan with what the settings say now, after it was decided about the folder. */
export const replan = (plan: SessionPlan): Result.Result<SessionPlan, string> => {
  const env = plan.settings.current().env.own
  const next = { ...plan, env, credential: credentialOf(env) }
  const refusal = settingsRefusal(next) ?? bypassProblem(next)
  return refusal === undefined ? Result.succeed(next) : Result.fail(refusal)
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
  const { snapshot } = plan.settings.current()
  const available = settingOf(snapshot, "availableModels")
  const required = start.model.requireCredential || isOn(env["NACRE_REQUIRE_CREDENTIAL"])
  const hasCredential = plan.credential !== undefined || required
  // Without a credential the offline model answers, whatever model the settings name for other days.
  const setting = options.restored ?? (hasCredential ? settingOf(snapshot, "model") : undefined)
  return {
    targets: aliasTargets(env),
    planMode: startMode(plan).mode === "plan",
    hasCredential,
    ...(options.session === undefined ? {} : { session: options.session }),
    ...(start.model.model === undefined ? {} : { flag: start.model.model }),
    ...(env["ANTHROPIC_MODEL"] ? { env: env["ANTHROPIC_MODEL"] } : {}),
    ...(setting === undefined ? {} : { setting }),
    ...(available === undefined ? {} : { available })
  }
}

export interface ChosenModel {
  readonly model: string
  readonly fallbacks: ReadonlyArray<string>
}

/** The flag's models, else those of the settings. */
const fallbackNames = ({ start, settings }: SessionPlan): ReadonlyArray<string> => {
  if (start.model.fallbackModels.length > 0) return start.model.fallbackModels
  const names = settingOf(settings.current().snapshot, "fallbackModel") ?? []
  return typeof names === "string" ? [names] : names
}

export const chooseModel = (plan: SessionPlan, options: ModelRequestOptions = {}): Result.Result<ChosenModel, string> => {
  const sources = modelSources(plan, options)
  const choice = resolveModel(sources)
  if (Result.isFailure(choice)) return Result.fail(describeModelProblem(choice.failure))
  const { model } = choice.success
  return Result.succeed({ model, fallbacks: resolveFallbacks(fallbackNames(plan), model, sources) })
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
  additionalDirs: [
    ...plan.additionalDirs,
    ...plan.settings.current().permissions.directories.map(({ path }) => path)
  ],
  platform: platform(),
  osVersion: `${platform()} ${release()}`,
  shell: basename(plan.env["SHELL"] ?? "bash"),
  modelName: profileOf(model).name,
  modelId: model
})

export const thinkingOf = (plan: SessionPlan, model: string, maxTokens: number) => {
  const { start } = plan
  const always = settingOf(plan.settings.current().snapshot, "alwaysThinkingEnabled")
  const env =
    start.model.maxThinkingTokens === undefined
      ? plan.env
      : { ...plan.env, MAX_THINKING_TOKENS: String(start.model.maxThinkingTokens) }
  return resolveThinking(profileOf(model), maxTokens, {
    env,
    ...(start.model.thinking === undefined ? {} : { sessionToggle: start.model.thinking !== "disabled" }),
    ...(always === undefined ? {} : { alwaysThinkingEnabled: always }),
    ...(start.model.thinkingDisplay === undefined ? {} : { display: start.model.thinkingDisplay })
  })
}

export const effortOf = (plan: SessionPlan, model: string): string | undefined => {
  const setting = settingOf(plan.settings.current().snapshot, "effortLevel")
  return resolveEffort(profileOf(model), {
    ...(setting === undefined ? {} : { setting }),
    ...(named(plan.env, "EFFORT_LEVEL") === undefined ? {} : { env: named(plan.env, "EFFORT_LEVEL") ?? "" }),
    ...(plan.start.model.effort === undefined ? {} : { session: plan.start.model.effort }),
    always: isOn(plan.env["CLAUDE_CODE_ALWAYS_ENABLE_EFFORT"])
  })
}

export const sessionDirOf = (transcriptPath: string): string => transcriptPath.replace(/\.jsonl$/, "")

export const debugPathOf = (plan: SessionPlan, sessionId: string): string =>
  plan.start.debug.file ?? join(plan.configHome, "debug", `${sessionId}.txt`)
