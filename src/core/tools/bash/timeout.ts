/** How long a command may run in the foreground, and what happens to it afterwards. */
import { LIMITS } from "../../domain/limits.ts"
import { type Env, isOn, readVariable } from "../../domain/env.ts"
import { programName, programWords, readCommand } from "../../permission/bash/parse/command-segments.ts"

const positive = (text: string | undefined, fallback: number): number => {
  const value = Number(text)
  return text !== undefined && Number.isFinite(value) && value > 0 ? Math.floor(value) : fallback
}

/** The wish of the call, else the default; never above the ceiling. */
export const timeoutMs = (requested: number | undefined, env: Env): number => {
  const standard = positive(env["BASH_DEFAULT_TIMEOUT_MS"], LIMITS.bashTimeoutMs)
  const ceiling = Math.max(standard, positive(env["BASH_MAX_TIMEOUT_MS"], LIMITS.bashTimeoutCapMs))
  return Math.min(requested !== undefined && requested > 0 ? Math.max(1, Math.floor(requested)) : standard, ceiling)
}

/** How much of an output is read back. */
export const outputWindowChars = (env: Env): number =>
  Math.min(positive(env["BASH_MAX_OUTPUT_LENGTH"], LIMITS.bashOutputChars), LIMITS.bashOutputCapChars)

export const backgroundTasksEnabled = (env: Env): boolean => !isOn(readVariable(env, "DISABLE_BACKGROUND_TASKS"))

/**
 * A command that runs out of time goes on in the background, unless that is pointless (it sleeps), harmful (git holds
 * locks), not judged (the line is not fully understood) or switched off.
 */
export const afterTimeout = (command: string, env: Env): "background" | "cancel" => {
  if (!backgroundTasksEnabled(env)) return "cancel"
  const { segments, complete } = readCommand(command)
  const names = segments.map(programName)
  return !complete || names[0] === "sleep" || names.includes("git") ? "cancel" : "background"
}

const isDuration = (word: string): boolean => /^(?:\d+\.?\d*|\.\d+)[smhd]?$/.test(word)

/** `sleep N` and nothing else: it would only block the conversation. */
export const isStandaloneSleep = (command: string): boolean => {
  const { segments, complete } = readCommand(command)
  const [only] = segments
  if (!complete || segments.length !== 1 || only === undefined || programName(only) !== "sleep") return false
  const durations = programWords(only).slice(1)
  return durations.length > 0 && durations.every(isDuration)
}
