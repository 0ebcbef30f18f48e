import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync } from "node:fs"
import { release, homedir, platform, tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { Effect, Result } from "effect"
import { type Env, isOff, isOn, readVariable } from "../../core/domain/env.ts"
import type { EnvironmentValue } from "../../core/context/sources/source.ts"
import { bypassRefusal, resumedMode } from "../../core/permission/mode.ts"
import { isFileProblem, problemText } from "../../core/settings/origin.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { DebugOptions, PromptText, Start } from "../cli/options.ts"
import { openSettings } from "../settings/open-settings.ts"
import type { SettingsHub } from "../settings/settings-hub.ts"
import { configHome, type Credential, credentialOf } from "./environment.ts"

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
   * Trusts a folder that wants nothing, because the user begins to write its local settings; false where that is
   * not for this to decide.
   */
  readonly adoptFolder: Effect.Effect<boolean>
  /** When the session was planned the folder had configuration that did not hold because nobody had accepted it. */
  readonly isUnaccepted: boolean
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

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

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

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

/**
 * The mode a session starts in and whether bypass is within reach: from the command line, from the session that is
 * continued, or from the settings.
 */
export const startMode = ({ start, settings }: Pick<SessionPlan, "start" | "settings">, recorded?: string | null) => {
  const { mode, offersBypass, bypassLocked, autoLocked } = settings.current().permissions
  const wanted = start.permissions.mode ?? resumedMode(recorded ?? "") ?? mode
  const bypassAvailable = (start.permissions.bypassAvailable || offersBypass) && !bypassLocked
  const isOff = (wanted === "bypassPermissions" && !bypassAvailable) || (wanted === "auto" && autoLocked)
  return { wanted, bypassAvailable, autoAvailable: !autoLocked, mode: isOff ? "default" : wanted }
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
    complain(
      `This session is not saved: ${home} cannot be used (${messageOf(error)}). Fix: make the config directory writable`
    )
    return mkdtempSync(join(tmpdir(), "nacre-"))
  }
}

/** Temporary files of the program and its commands go where the variable says. */
const useTempDirectory = (env: Env, complain: (text: string) => void): void => {
  const directory = readVariable(env, "TMPDIR")
  if (directory === undefined) return
  if (isDirectory(directory)) process.env["TMPDIR"] = resolve(directory)
  else complain(`CLAUDE_CODE_TMPDIR=${directory} is not a directory and is ignored. Fix: make it, or unset the variable`)
}

/** Problems that end the start: of a file that was named on the command line, or of any with `--strict-settings`. */
const settingsRefusal = ({ start, settings }: Pick<SessionPlan, "start" | "settings">): string | undefined => {
  const { problems, complaints } = settings.current()
  const named = problems.find((problem) => isFileProblem(problem) && problem.source === "flagSettings")
  if (named !== undefined) return problemText(named)
  return start.settings.strict && complaints.length > 0 ? complaints.join("\nnacre: ") : undefined
}

const credentialFor = ({
  env,
  settings,
  configHome: home,
  complain
}: Pick<SessionPlan, "env" | "settings" | "configHome" | "complain">): Credential | undefined =>
  credentialOf({ env, helper: settingOf(settings.current().snapshot, "apiKeyHelper"), configHome: home, complain })

/** Where a session starts; tests have places of their own. */
export interface StartPlaces {
  readonly cwd?: string
  readonly home?: string
  /** Nothing is made on the disk: no session will be. */
  readonly onlyLooks?: boolean
}

/** Reads what the command line points at. A text says what is wrong and how to fix it. */
export const planSession = (
  start: Start,
  given: Env,
  complain: (text: string) => void,
  where: StartPlaces = {}
): Result.Result<SessionPlan, string> => {
  try {
    const cwd = realDirectory(where.cwd ?? process.cwd())
    const home = where.home ?? homedir()
    const named = resolve(configHome(given))
    const directory = where.onlyLooks === true ? named : usableHome(named, complain)
    // Settings that cannot be read are reported, not looked for elsewhere: deny rules may be among them.
    const settings = openSettings({ env: given, home, configHome: named, startDir: cwd, ...start.settings })
    const env = settings.current().env.own
    useTempDirectory(env, complain)
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
      credential: credentialFor({ env, settings, configHome: named, complain }),
      systemPrompt: readText("--system-prompt-file", start.systemPrompt),
      appendSystemPrompt: readText("--append-system-prompt-file", start.appendSystemPrompt),
      complain,
      adoptFolder: Effect.succeed(false),
      isUnaccepted: false
    })
  } catch (error) {
    return Result.fail(messageOf(error))
  }
}

/** The plan with what the settings say now, after it was decided about the folder. */
export const replan = (plan: SessionPlan): Result.Result<SessionPlan, string> => {
  const env = plan.settings.current().env.own
  const next = { ...plan, env, credential: credentialFor({ ...plan, env }) }
  const refusal = settingsRefusal(next) ?? bypassProblem(next)
  return refusal === undefined ? Result.succeed(next) : Result.fail(refusal)
}

/** Where the session works, for the model. */
export const environmentOf = (
  plan: SessionPlan,
  place: Pick<EnvironmentValue, "additionalDirs" | "cwd" | "isGitRepo">
): EnvironmentValue => ({
  ...place,
  platform: platform(),
  osVersion: `${platform()} ${release()}`,
  shell: basename(plan.env["SHELL"] || "bash")
})

export const sessionDirOf = (transcriptPath: string): string => transcriptPath.replace(/\.jsonl$/, "")

/** Whether a debug log is written and of what; the flag wins over the variable, which may name categories too. */
export const debugOf = ({ start, env }: Pick<SessionPlan, "start" | "env">): Pick<DebugOptions, "enabled" | "filter"> => {
  const asked = env["NACRE_DEBUG"]?.trim() ?? ""
  if (start.debug.enabled || asked === "" || isOff(asked)) return start.debug
  return { enabled: true, ...(isOn(asked) ? {} : { filter: asked }) }
}

export const debugPathOf = (plan: SessionPlan, sessionId: string): string => {
  const directory = readVariable(plan.env, "DEBUG_LOGS_DIR") ?? join(plan.configHome, "debug")
  return plan.start.debug.file ?? join(resolve(plan.cwd, directory), `${sessionId}.txt`)
}
