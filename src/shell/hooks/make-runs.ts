import { statSync } from "node:fs"
import { join } from "node:path"
import { type Context, Effect, Scope } from "effect"
import type { Env } from "../../core/domain/env.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import type { CommandHandler } from "../../core/hooks/handler.ts"
import { specOf } from "../../core/hooks/hook-event.ts"
import { readAnswer, type RawAnswer } from "../../core/hooks/read-answer.ts"
import type { Process } from "../../core/ports/Process.ts"
import { childEnv } from "../../core/tools/bash/invocation.ts"
import { spillBody, spilledContent, spillPath } from "../../core/tools/contract/result-size.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { writeWhole } from "../system/private-file.ts"
import { runCommand } from "./command-hook.ts"
import type { Asker, CallHost } from "./hooks.ts"
import { type HookRuns, makeHookRuns, type Started } from "./run-hooks.ts"
import { openVariablesFile, readVariablesFile } from "./variables-file.ts"

/** What runs the handlers of a session: their environment, and a way to speak to each type. */

export interface RunsOptions {
  readonly plan: SessionPlan
  readonly callHost: CallHost | undefined
  /** Variables that handlers left for later commands. */
  readonly setVariables: (variables: Readonly<Record<string, string>>) => void
  readonly note: (asker: Asker, text: string) => void
  readonly scope: Scope.Scope
  readonly services: Context.Context<Process>
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A directory that has gone is no reason not to run. */
const directoryOf = ({ plan }: RunsOptions, cwd: string): string => [cwd, plan.cwd].find(isDirectory) ?? plan.home

const environmentOf = ({ plan }: RunsOptions, { asker, event }: Started): Env => {
  const { children, scrub } = plan.settings.current().env
  const { place, choice } = asker.state().config
  return {
    ...childEnv({
      env: children,
      scrub,
      sessionId: place.sessionId,
      projectDir: place.projectDir,
      ...(choice.effort === undefined ? {} : { effort: choice.effort })
    }),
    NACRE_HOOK_EVENT: event
  }
}

/** What a handler in the background says when it ends reaches the model with a later request. */
const heardLater = (started: Started, raw: RawAnswer): void => {
  const { asker, handler, index } = started
  const isUrgent = handler.type === "command" && handler.rewakes && raw._tag === "Exited" && raw.code === 2
  const { message, effects } = readAnswer({ handler, by: index }, raw)
  if (message !== undefined) asker.emit({ _tag: "Notice", level: "warning", text: message, isForHosts: true })
  const urgent = isUrgent ? (raw.stderr.trim() === "" ? raw.stdout.trim() : raw.stderr.trim()) : ""
  const text = urgent === "" ? effects.additionalContext : urgent
  if (typeof text !== "string" || text === "") return
  asker.offer({
    _tag: "PromptSubmitted",
    uuid: crypto.randomUUID(),
    content: `<system-reminder>\n${started.event} hook in the background: ${text}\n</system-reminder>`,
    priority: "next",
    origin: "task",
    appendOnly: !isUrgent
  })
}

const startCommand = (options: RunsOptions, started: Started, handler: CommandHandler): Effect.Effect<RawAnswer> => {
  const { asker, event, input, index } = started
  const { plan, scope, services } = options
  const env = environmentOf(options, started)
  const directory = join(plan.configHome, "session-env", asker.state().config.place.sessionId)
  const file = specOf(event).getsEnvFile === true ? openVariablesFile(directory, event, index) : undefined
  const inBackground = (
    rest: Effect.Effect<RawAnswer, never, Process>,
    timeoutMs: number = LIMITS.hookBackgroundMs
  ): void => {
    const heard = rest.pipe(
      Effect.timeoutOption(timeoutMs),
      Effect.map((raw) => (raw._tag === "Some" ? heardLater(started, raw.value) : undefined))
    )
    Effect.runFork(Scope.provide(Effect.forkScoped(Effect.provideContext(heard, services)), scope))
  }
  const readVariables = Effect.sync(() => {
    if (file === undefined) return
    const { variables, problems } = readVariablesFile(file, handler.from, env)
    options.setVariables(variables)
    for (const text of problems)
      asker.emit({ _tag: "Notice", level: "warning", text: `${event} hook: ${text}`, isForHosts: true })
  })
  return runCommand({
    handler,
    input,
    cwd: directoryOf(options, asker.state().cwd),
    env: file === undefined ? env : { ...env, CLAUDE_ENV_FILE: file },
    inBackground
  }).pipe(Effect.ensuring(readVariables), Effect.provideContext(services))
}

const start = (options: RunsOptions, started: Started): Effect.Effect<RawAnswer> => {
  const { handler, whole } = started
  switch (handler.type) {
    case "command":
      return startCommand(options, started, handler)
    case "callback": {
      const called = options.callHost?.(handler, whole) ?? Effect.fail("the host has gone")
      return called.pipe(
        Effect.map((value): RawAnswer => ({ _tag: "Returned", value })),
        Effect.catch((why) => Effect.succeed<RawAnswer>({ _tag: "Failed", why }))
      )
    }
    case "http":
    case "prompt":
    case "agent":
    case "mcp_tool":
      return Effect.succeed({ _tag: "Failed", why: `handlers of the type ${handler.type} do not run in this version` })
  }
}

/** Too long a text goes to a file; what stays says where. */
const boundText = (sessionDir: string, text: string): Effect.Effect<string> =>
  Effect.sync(() => {
    if (text.length <= LIMITS.hookTextChars) return text
    const path = spillPath(sessionDir, `hook-${crypto.randomUUID()}`, "txt")
    try {
      writeWhole(path, spillBody(text))
    } catch {
      return text.slice(0, LIMITS.hookTextChars)
    }
    const shown = spilledContent({ kind: "spill", text, extension: "txt", media: [] }, path)
    return typeof shown === "string" ? shown : text.slice(0, LIMITS.hookTextChars)
  })

export const makeRuns = (options: RunsOptions): HookRuns =>
  makeHookRuns({
    start: (started) => start(options, started),
    bound: ({ asker }, text) => boundText(asker.state().config.place.sessionDir, text),
    note: options.note,
    newId: () => crypto.randomUUID()
  })
