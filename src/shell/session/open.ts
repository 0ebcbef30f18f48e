import { type Context, Effect, Exit, Layer, Result, Scope } from "effect"
import { initialState, type InitialState } from "../../core/loop/begin.ts"
import type { Emission } from "../../core/loop/emission.ts"
import type { LoopConfig } from "../../core/loop/state.ts"
import { makeContext } from "../../core/permission/context.ts"
import { Files } from "../../core/ports/Files.ts"
import { applySettings } from "../../core/settings/apply.ts"
import { Git } from "../../core/ports/Git.ts"
import { Process } from "../../core/ports/Process.ts"
import { type LiveHandle, Records, writeWarning } from "../../core/ports/Records.ts"
import { runsBash } from "../../core/tools/bash-shell.ts"
import { STRUCTURED_OUTPUT_TOOL } from "../../core/tools/pool.ts"
import { BackgroundTasks } from "../background-tasks.ts"
import { openDebugLog } from "../debug-log.ts"
import { type Driver, makeDriver, type Witness } from "../driver.ts"
import { FileState } from "../file-state.ts"
import { openRecorder, type Recorder } from "../flight/recorder.ts"
import { makeInterpreter } from "../interpret.ts"
import { compileJsonSchema } from "../json-schema.ts"
import { portsLayer } from "../layers.ts"
import { Persist } from "../persist.ts"
import { readEarlier } from "../load-session.ts"
import type { Audience, EarlierParts, HostSetup, SessionHandle, TaskControl } from "../session-handle.ts"
import { EXECUTORS, structuredOutputFor, type ToolServices } from "../tools/registry.ts"
import { VERSION } from "../version.ts"
import { followSettings } from "../settings/follow.ts"
import { type Locate, savePermissions, settingsFor } from "../settings/session-settings.ts"
import { makeConfig } from "./config.ts"
import { pathSystem } from "./environment.ts"
import { forwardNotices } from "./notices.ts"
import { type ChosenModel, chooseModel, debugPathOf, portOptions, type SessionPlan, sessionDirOf, startMode } from "./plan.ts"
import { chooseSession, type ChosenSession, restoredFor } from "./restore.ts"
import { buildServices, type Services } from "./services.ts"

const NO_SETUP: HostSetup = { hookEvents: [] }

const localDate = (now: Date): string =>
  `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`

const locatedBy =
  (files: Files["Service"]): Locate =>
  (path) =>
    files.resolve(path).pipe(
      Effect.map(({ realPath }) => ({ path, realPath })),
      Effect.orElseSucceed(() => ({ path, realPath: path }))
    )

const permissionsFor = Effect.fnUntraced(function* (plan: SessionPlan, sessionDir: string, canPrompt: boolean) {
  const located = locatedBy(yield* Files)
  const { permissions } = plan.start
  const { mode, wanted } = startMode(plan)
  if (mode !== wanted) plan.complain("bypassPermissions is turned off by settings; the session starts in default mode")
  const settings = yield* settingsFor(plan, located, [])
  const { context, problems } = makeContext({
    cwd: yield* located(plan.cwd),
    home: yield* located(plan.home),
    additionalDirs: yield* Effect.forEach(plan.additionalDirs, located),
    bypassAvailable: settings.bypassAvailable,
    canPrompt,
    configHome: plan.configHome,
    readableDirs: [sessionDir],
    ...pathSystem(plan.env),
    runsBash: runsBash({ env: plan.env }),
    allow: permissions.allow,
    deny: permissions.deny,
    ...(mode === undefined ? {} : { mode })
  })
  return { context: applySettings(context, settings), problems }
})

/** Names the session's process in the list of live ones; a home that cannot be written is no reason to stop. */
const announce = Effect.fnUntraced(function* (plan: SessionPlan, sessionId: string) {
  const records = yield* Records
  return yield* records
    .announce({
      pid: process.pid,
      sessionId,
      cwd: plan.cwd,
      startedAt: Date.now(),
      version: VERSION,
      kind: plan.start.printBecause === undefined ? "interactive" : "headless",
      status: "running"
    })
    .pipe(Effect.orElseSucceed((): LiveHandle | undefined => undefined))
})

const TASK_OUTPUT_BYTES = 64 * 1024

const taskControl = (tasks: BackgroundTasks["Service"]): TaskControl => ({
  list: tasks.list,
  moveToBackground: tasks.moveToBackground,
  stop: (taskId) =>
    tasks.stop(taskId).pipe(
      Effect.as(true),
      Effect.orElseSucceed(() => false)
    ),
  output: (taskId) =>
    tasks.output(taskId, TASK_OUTPUT_BYTES).pipe(
      Effect.map(({ tail, task }) => ({ text: tail, totalBytes: task.totalBytes })),
      Effect.orElseSucceed(() => undefined)
    )
})

const earlierParts = ({ loaded }: ChosenSession, services: Context.Context<Services>): EarlierParts => ({
  pages: loaded?.earlier.length ?? 0,
  read: (page) =>
    readEarlier(loaded?.path ?? "", loaded?.earlier[page] ?? []).pipe(
      Effect.mapError(({ message }) => message),
      Effect.provideContext(services)
    )
})

const openRecording = (plan: SessionPlan, initial: InitialState): Effect.Effect<Recorder | undefined, string> => {
  const path = plan.start.debug.record
  if (path === undefined) return Effect.succeed(undefined)
  const onFailure = (cause: string): void => plan.complain(`The recording ${path} ends here: ${cause}`)
  return Effect.try({
    try: () => openRecorder({ path, initial, version: VERSION, onFailure }),
    catch: (error) => {
      const cause = error instanceof Error ? error.message : String(error)
      return `--record ${path} cannot be written (${cause}). Fix: name a new file or a directory`
    }
  })
}

const witnessesOf = (plan: SessionPlan, sessionId: string, recorder: Recorder | undefined): ReadonlyArray<Witness> => {
  const { enabled, filter } = plan.start.debug
  const log = enabled ? [openDebugLog({ path: debugPathOf(plan, sessionId), filter, now: Date.now })] : []
  return recorder === undefined ? log : [...log, recorder.witness]
}

const isCompaction = (emission: Emission): boolean =>
  emission._tag === "MessageAdded" &&
  emission.message.type === "system" &&
  emission.message.subtype === "compact_boundary"

interface Opened {
  readonly plan: SessionPlan
  readonly session: ChosenSession
  readonly chosen: ChosenModel
  readonly scope: Scope.Closeable
  readonly audience: Audience
  readonly branch: string | undefined
  /** Where tools find the rules in force; set as soon as the conversation exists. */
  readonly current: { driver: Driver | undefined }
}

/** Builds the conversation on its services and starts it. */
const assemble = Effect.fnUntraced(function* (opened: Opened): Effect.fn.Return<SessionHandle, string, Services> {
  const { plan, session, audience } = opened
  const services = yield* Effect.context<Services>()
  const persist = yield* Persist
  const tasks = yield* BackgroundTasks
  const processes = yield* Process
  const git = yield* Git
  const sessionDir = sessionDirOf(session.path)
  const canAsk = audience.ask !== undefined && !plan.start.permissions.neverAsk
  const { context: permission, problems } = yield* permissionsFor(plan, sessionDir, canAsk)
  for (const problem of problems) plan.complain(problem)

  let chosen = opened.chosen
  let setup = NO_SETUP
  const date = localDate(new Date())
  const isGitRepo = git.facts(plan.cwd).isRepository
  const configure = (): LoopConfig =>
    makeConfig({
      plan,
      chosen,
      sessionId: session.sessionId,
      sessionDir,
      permission: opened.current.driver?.state().permission ?? permission,
      isGitRepo,
      date,
      setup,
      canAsk
    })

  const initial: InitialState = {
    config: configure(),
    permission,
    cwd: plan.cwd,
    seed: crypto.randomUUID(),
    ...(session.loaded === undefined
      ? {}
      : { restored: restoredFor(session.loaded, plan.start.printBecause === undefined) })
  }
  const recorder = yield* openRecording(plan, initial)
  const offer: Driver["offer"] = (occurrence) => opened.current.driver?.offer(occurrence)
  const files = yield* FileState
  const watched: Audience = {
    ...audience,
    onEmission: (emission) => {
      // What a summary replaced is no longer in front of the model, so it counts as not read.
      if (isCompaction(emission)) Effect.runSync(files.clear)
      audience.onEmission(emission)
    }
  }
  persist.watch((status) => {
    const warning = writeWarning(status, Date.now())
    if (warning !== null) audience.onEmission({ _tag: "Notice", level: "warning", text: warning })
  })
  const say = (level: "info" | "warning", text: string): void => audience.onEmission({ _tag: "Notice", level, text })
  const interpreter = makeInterpreter<ToolServices>({
    save: (updates) => savePermissions({ plan, offer, say }, updates),
    services,
    persist,
    audience: watched,
    offer,
    random: Math.random,
    tools: {
      executorOf: (tool) => {
        const schema = driver.state().config.jsonSchema
        return tool === STRUCTURED_OUTPUT_TOOL && schema !== undefined ? structuredOutputFor(schema) : EXECUTORS.get(tool)
      },
      offer,
      session: {
        sessionId: session.sessionId,
        projectDir: plan.cwd,
        get additionalDirs() {
          return driver.state().permission.workingDirs.slice(1).map(({ path }) => path)
        },
        sessionDir,
        nonInteractive: plan.start.printBecause !== undefined,
        get env() {
          return plan.settings.current().env.children
        },
        get scrub() {
          return plan.settings.current().env.scrub
        }
      }
    }
  })
  const driver = makeDriver({
    initial: initialState(initial),
    now: Date.now,
    interpret: interpreter.interpret,
    onDefect: (defect, event) => plan.complain(`internal error on ${event._tag}: ${String(defect)}`),
    witnesses: witnessesOf(plan, session.sessionId, recorder)
  })
  opened.current.driver = driver
  const ignoreSettings = followSettings({ plan, driver, locate: locatedBy(yield* Files), configure, say })
  const live = yield* announce(plan, session.sessionId)
  yield* Effect.forkIn(forwardNotices(tasks.notices, driver), opened.scope)
  const leaveNothingBehind = (): void => {
    processes.killAllNow()
    live?.removeNow()
  }
  process.once("exit", leaveNothingBehind)
  const rename = (customTitle: string): void =>
    persist.note({ type: "custom-title", customTitle, sessionId: session.sessionId })
  if (plan.start.session.name !== undefined) rename(plan.start.session.name)

  const close = (graceMs: number) =>
    Effect.gen(function* () {
      driver.offer({ _tag: "ShutDown" })
      opened.current.driver = undefined
      ignoreSettings()
      yield* interpreter.stop
      yield* tasks.shutdown(graceMs)
      yield* processes.shutdown
      yield* persist.close
      recorder?.close()
      leaveNothingBehind()
      process.off("exit", leaveNothingBehind)
      yield* Scope.close(opened.scope, Exit.void)
    })

  return {
    facts: {
      sessionId: session.sessionId,
      cwd: plan.cwd,
      transcriptPath: session.path,
      branch: opened.branch,
      title: session.loaded?.title ?? undefined,
      apiKeySource: plan.credential?.source ?? "none",
      version: VERSION
    },
    state: driver.state,
    offer,
    submit: (content, options) =>
      offer({
        _tag: "PromptSubmitted",
        uuid: options?.uuid ?? crypto.randomUUID(),
        content,
        priority: options?.priority ?? "next",
        origin: "human",
        appendOnly: options?.appendOnly ?? false
      }),
    interrupt: () => offer({ _tag: "Interrupted" }),
    setUp: (next) => {
      setup = next
      offer({ _tag: "ConfigChanged", config: configure() })
    },
    setModel: (model) => {
      const next = chooseModel(plan, { session: model ?? "default" })
      if (Result.isSuccess(next)) chosen = next.success
      else plan.complain(next.failure)
      offer({ _tag: "ConfigChanged", config: configure() })
    },
    rename,
    tag: (tag) => persist.note({ type: "tag", tag, sessionId: session.sessionId }),
    tasks: taskControl(tasks),
    earlier: earlierParts(session, services),
    close
  }
})

/** The model of the continued session, unless it was only the stand-in for a missing credential. */
const restorableModel = (plan: SessionPlan, session: ChosenSession): string | undefined => {
  const model = session.loaded?.model ?? undefined
  if (model === undefined) return undefined
  const offline = model.startsWith("offline")
  return offline === (plan.credential === undefined) ? model : undefined
}

const checkSchema = (plan: SessionPlan): Effect.Effect<void, string> => {
  const schema = plan.start.output.jsonSchema
  return schema === undefined
    ? Effect.void
    : compileJsonSchema(schema).pipe(
        Effect.mapError(({ message }) => `--json-schema is not a valid JSON Schema: ${message}`),
        Effect.asVoid
      )
}

/** Opens the session the plan asks for. A text says why it cannot be opened. */
export const openSession = (plan: SessionPlan, audience: Audience): Effect.Effect<SessionHandle, string> =>
  Effect.gen(function* () {
    yield* checkSchema(plan)
    const scope = yield* Scope.make()
    const ports = yield* Layer.buildWithScope(portsLayer(portOptions(plan)), scope)
    const session = yield* chooseSession(plan).pipe(Effect.provideContext(ports))
    for (const notice of session.loaded?.notices ?? []) plan.complain(notice.text)
    const chosen = yield* Effect.fromResult(chooseModel(plan, { restored: restorableModel(plan, session) }))
    const { branch } = (yield* Git.pipe(Effect.provideContext(ports))).facts(plan.cwd)
    const current: Opened["current"] = { driver: undefined }
    const permission = () => {
      if (current.driver === undefined) throw new Error("a tool asked for the rules before the session was open")
      return current.driver.state().permission
    }
    const services = yield* buildServices({ plan, session, ports, scope, branch, permission })
    return yield* assemble({ plan, session, chosen, scope, audience, branch, current }).pipe(Effect.provideContext(services))
  })
