import { Effect, Exit, Layer, Result, Scope } from "effect"
import { initialState, type InitialState } from "../../core/loop/turn/start-turn.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import type { LoopConfig } from "../../core/loop/machine/state.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { Process } from "../../core/ports/Process.ts"
import { type LiveHandle, Records, writeWarning } from "../../core/ports/Records.ts"
import { BackgroundTasks } from "../tools/services/background-tasks.ts"
import { type Driver, makeDriver } from "../runtime/driver.ts"
import { FileState } from "../tools/services/file-state.ts"
import { boundHeapGrowth } from "../process/heap-growth.ts"
import { makeInterpreter } from "../runtime/interpret.ts"
import { compileJsonSchema } from "../tools/contract/json-schema.ts"
import { portsLayer } from "../layers/ports.ts"
import type { LoadedSession } from "./load-session.ts"
import { Persist } from "../runtime/persist.ts"
import type { HostSetup, SessionHandle } from "./session-handle.ts"
import type { Audience } from "../runtime/audience.ts"
import type { ToolServices } from "../tools/built-in-tools.ts"
import { type HostRequests, makeHostRequests } from "../sandbox/host-requests.ts"
import { VERSION } from "../process/version.ts"
import { followSettings } from "./follow-settings.ts"
import { savePermissions } from "./session-settings.ts"
import { makeConfig } from "./loop-config.ts"
import { earlierParts, taskControl } from "./handle-parts.ts"
import { forwardNotices } from "./task-notices.ts"
import { type ChosenModel, chooseModel } from "../plan/choose-model.ts"
import { type SessionPlan, sessionDirOf } from "../plan/session-plan.ts"
import { portOptions } from "../plan/port-options.ts"
import { chooseSession, type ChosenSession, restoredFor } from "./choose-session.ts"
import { buildServices, type Services } from "./session-services.ts"
import { locatedBy, permissionsFor } from "./start-permissions.ts"
import { toolRun } from "./tool-run.ts"
import { openRecording, witnessesOf } from "./witnesses.ts"

const NO_SETUP: HostSetup = { hookEvents: [], hooksAnswerQuestions: false }

const localDate = (now: Date): string =>
  `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}-${String(now.getDate()).padStart(2, "0")}`

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

const isCompaction = (emission: Emission): boolean =>
  emission._tag === "MessageAdded" && emission.message.type === "system" && emission.message.subtype === "compact_boundary"

interface Opened {
  readonly plan: SessionPlan
  readonly session: SessionNames
  readonly chosen: ChosenModel
  readonly scope: Scope.Closeable
  readonly audience: Audience
  readonly branch: string | undefined
  /** Where tools find the rules in force; set as soon as the conversation exists. */
  readonly current: { driver: Driver | undefined }
  readonly hosts: HostRequests
}

/** What is known of a session for as long as it is open. What was read of it is held by the conversation alone. */
type SessionNames = Omit<ChosenSession, "loaded">

/** Builds the conversation on its services and starts it. */
const assemble = Effect.fnUntraced(function* (
  opened: Opened,
  loaded: LoadedSession | undefined
): Effect.fn.Return<SessionHandle, string, Services> {
  const { plan, session, audience } = opened
  const services = yield* Effect.context<Services>()
  const persist = yield* Persist
  const tasks = yield* BackgroundTasks
  const processes = yield* Process
  const git = yield* Git
  const sessionDir = sessionDirOf(session.path)
  const { askHost, neverAsk } = plan.start.permissions
  const canAsk = audience.ask !== undefined && !neverAsk && (plan.start.printBecause === undefined || askHost)
  const { context: permission, problems } = yield* permissionsFor({
    plan,
    recordedMode: loaded?.recordedPermissionMode,
    sessionDir,
    canPrompt: canAsk
  })
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
    ...(loaded === undefined ? {} : { restored: restoredFor(loaded, plan.start.printBecause === undefined) })
  }
  const recorder = yield* openRecording(plan, initial)
  const offer: Driver["offer"] = (occurrence) => opened.current.driver?.offer(occurrence)
  const files = yield* FileState
  const watched: Audience = {
    ...audience,
    onEmission: (emission) => {
      if (isCompaction(emission)) {
        // What a summary replaced is no longer in front of the model, so it counts as not read.
        Effect.runSync(files.clear)
        void boundHeapGrowth()
      }
      audience.onEmission(emission)
    }
  }
  const say = (level: "info" | "warning", text: string): void => audience.onEmission({ _tag: "Notice", level, text })
  // Every further line fails for the same reason, which need not be told again.
  let toldOf: string | undefined
  persist.watch((status) => {
    const warning = writeWarning(status, Date.now())
    const cause = status._tag === "Ok" ? undefined : `${status.code} ${status.lostLines > 0}`
    if (warning !== null && cause !== toldOf) say("warning", warning)
    if (warning !== null || cause === undefined) toldOf = cause
  })
  const interpreter = makeInterpreter<ToolServices>({
    answerHosts: opened.hosts.settle,
    save: (updates) => savePermissions({ plan, offer, say }, updates),
    services,
    persist,
    audience: watched,
    offer,
    random: Math.random,
    tools: toolRun({ plan, sessionId: session.sessionId, sessionDir, offer, state: () => driver.state() })
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
      title: loaded?.title ?? undefined,
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
    earlier: earlierParts({ path: session.path, pages: loaded?.earlier ?? [], persist, services }),
    unsaved: () => {
      const status = persist.status()
      return status._tag === "Ok" ? undefined : status.code
    },
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
    const hosts = makeHostRequests(
      (occurrence) => current.driver?.offer(occurrence),
      () => performance.now()
    )
    const services = yield* buildServices({ plan, session, ports, scope, branch, permission, hosts })
    const { loaded, ...names } = session
    const opened = { plan, session: names, chosen, scope, audience, branch, current, hosts }
    return yield* assemble(opened, loaded).pipe(Effect.provideContext(services))
  })
