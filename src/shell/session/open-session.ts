import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { initialState, type InitialState } from "../../core/loop/turn/start-turn.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import type { LoopConfig } from "../../core/loop/machine/state.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { Process } from "../../core/ports/Process.ts"
import { type LiveHandle, Records, writeWarning } from "../../core/ports/Records.ts"
import { BackgroundTasks } from "../tools/services/background-tasks.ts"
import { AgentLoop, makeDriver } from "../runtime/driver.ts"
import { FileState } from "../tools/services/file-state.ts"
import { boundHeapGrowth } from "../process/heap-growth.ts"
import { startInterpreter } from "../runtime/interpret.ts"
import { compileJsonSchema } from "../tools/contract/json-schema.ts"
import { type Ports, portsLayer } from "../layers/ports.ts"
import type { LoadedSession } from "./load-session.ts"
import { Persist } from "../runtime/persist.ts"
import type { SessionHandle } from "./session-handle.ts"
import type { Audience } from "../runtime/audience.ts"
import type { ToolServices } from "../tools/built-in-tools.ts"
import { type HostRequests, makeHostRequests } from "../sandbox/host-requests.ts"
import { VERSION } from "../process/version.ts"
import { followSettings } from "./follow-settings.ts"
import { savePermissions } from "./session-settings.ts"
import { type LiveConfig, makeLiveConfig } from "./live-config.ts"
import { earlierParts, taskControl } from "./handle-parts.ts"
import { forwardNotices } from "./task-notices.ts"
import { chooseModel } from "../plan/choose-model.ts"
import { type SessionPlan, sessionDirOf } from "../plan/session-plan.ts"
import { portOptions } from "../plan/port-options.ts"
import { chooseSession, type ChosenSession, restoredFor } from "./choose-session.ts"
import { buildServices, type Services } from "./session-services.ts"
import { locatedBy, permissionsFor } from "./start-permissions.ts"
import { toolRun } from "./tool-run.ts"
import type { Recorder } from "../trace/flight-recorder.ts"
import { openRecording, witnessesOf } from "./witnesses.ts"

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

/** What is known of a session for as long as it is open. What was read of it is held by the conversation alone. */
interface Opened {
  readonly plan: SessionPlan
  readonly session: Omit<ChosenSession, "loaded">
  readonly branch: string | undefined
  readonly title: string | undefined
  readonly earlier: LoadedSession["earlier"]
  readonly config: LiveConfig
  readonly audience: Audience
  readonly hosts: HostRequests
  readonly recorder: Recorder | undefined
}

/** Whether somebody can answer a permission question. */
const canAskOf = ({ start }: SessionPlan, audience: Audience): boolean => {
  const { askHost, neverAsk } = start.permissions
  return audience.ask !== undefined && !neverAsk && (start.printBecause === undefined || askHost)
}

interface Beginning {
  readonly plan: SessionPlan
  readonly session: ChosenSession
  readonly audience: Audience
}

/** The conversation as it begins: its options, its rules, and what it remembers. */
const beginWith = Effect.fnUntraced(function* ({ plan, session, audience }: Beginning) {
  const { sessionId, path, loaded } = session
  const chosen = yield* Effect.fromResult(chooseModel(plan, { restored: restorableModel(plan, session) }))
  const canAsk = canAskOf(plan, audience)
  const sessionDir = sessionDirOf(path)
  const { context: permission, problems } = yield* permissionsFor({
    plan,
    recordedMode: loaded?.recordedPermissionMode,
    sessionDir,
    canPrompt: canAsk
  })
  for (const problem of problems) plan.complain(problem)
  const isGitRepo = (yield* Git).facts(plan.cwd).isRepository
  const date = localDate(new Date())
  const config = makeLiveConfig({ plan, chosen, sessionId, sessionDir, isGitRepo, date, canAsk })
  const initial: InitialState = {
    config: config.under(permission),
    permission,
    cwd: plan.cwd,
    seed: crypto.randomUUID(),
    ...(loaded === undefined ? {} : { restored: restoredFor(loaded, plan.start.printBecause === undefined) })
  }
  return { config, initial }
})

/** Tells when the transcript cannot be written; every further line fails for the same reason, which is told once. */
const watchPersist = (persist: Persist["Service"], warn: (text: string) => void): void => {
  let toldOf: string | undefined
  persist.watch((status) => {
    const warning = writeWarning(status, Date.now())
    const cause = status._tag === "Ok" ? undefined : `${status.code} ${status.lostLines > 0}`
    if (warning !== null && cause !== toldOf) warn(warning)
    if (warning !== null || cause === undefined) toldOf = cause
  })
}

/** What a summary replaced is no longer in front of the model, so it counts as not read. */
const forgetting = (audience: Audience, files: FileState["Service"]): Audience => ({
  ...audience,
  onEmission: (emission) => {
    if (isCompaction(emission)) {
      Effect.runSync(files.clear)
      void boundHeapGrowth()
    }
    audience.onEmission(emission)
  }
})

/** Starts the conversation on its services. */
const run = Effect.fnUntraced(function* (
  opened: Opened,
  scope: Scope.Closeable
): Effect.fn.Return<SessionHandle, never, Services> {
  const { plan, session, audience, config, hosts } = opened
  const services = yield* Effect.context<Services>()
  const loop = yield* AgentLoop
  const persist = yield* Persist
  const tasks = yield* BackgroundTasks
  const processes = yield* Process
  const { offer, state } = loop
  const { sessionId, path } = session
  const configure = (): LoopConfig => config.under(state().permission)
  const say = (level: "info" | "warning", text: string): void => audience.onEmission({ _tag: "Notice", level, text })
  watchPersist(persist, (text) => say("warning", text))
  const work = yield* Scope.fork(scope)
  yield* startInterpreter<ToolServices>({
    answerHosts: hosts.settle,
    save: (updates) => savePermissions({ plan, offer, say }, updates),
    audience: forgetting(audience, yield* FileState),
    tools: toolRun({ plan, sessionId, sessionDir: sessionDirOf(path), loop })
  }).pipe(Scope.provide(work))
  const ignoreSettings = followSettings({ plan, driver: loop, locate: locatedBy(yield* Files), configure, say })
  const live = yield* announce(plan, sessionId)
  yield* Effect.forkIn(forwardNotices(tasks.notices, loop), work)
  const leaveNothingBehind = (): void => {
    processes.killAllNow()
    live?.removeNow()
  }
  process.once("exit", leaveNothingBehind)
  const rename = (customTitle: string): void => persist.note({ type: "custom-title", customTitle, sessionId })
  if (plan.start.session.name !== undefined) rename(plan.start.session.name)

  const close = (graceMs: number) =>
    Effect.gen(function* () {
      ignoreSettings()
      yield* Scope.close(work, Exit.void)
      yield* tasks.shutdown(graceMs)
      yield* processes.shutdown
      yield* persist.close
      opened.recorder?.close()
      leaveNothingBehind()
      process.off("exit", leaveNothingBehind)
      yield* Scope.close(scope, Exit.void)
    })

  return {
    facts: {
      sessionId,
      cwd: plan.cwd,
      transcriptPath: path,
      branch: opened.branch,
      title: opened.title,
      apiKeySource: plan.credential?.source ?? "none",
      version: VERSION
    },
    state,
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
    setUp: (setup) => {
      config.setUp(setup)
      offer({ _tag: "ConfigChanged", config: configure() })
    },
    setModel: (model) => {
      config.chooseModel(model)
      offer({ _tag: "ConfigChanged", config: configure() })
    },
    rename,
    tag: (tag) => persist.note({ type: "tag", tag, sessionId: sessionId }),
    tasks: taskControl(tasks),
    earlier: earlierParts({ path: path, pages: opened.earlier, persist, services }),
    unsaved: () => {
      const status = persist.status()
      return status._tag === "Ok" ? undefined : status.code
    },
    close
  }
})

const openIn = Effect.fnUntraced(function* (
  scope: Scope.Closeable,
  plan: SessionPlan,
  audience: Audience
): Effect.fn.Return<SessionHandle, string, Ports | Scope.Scope> {
  const chosen = yield* chooseSession(plan)
  const { loaded, ...session } = chosen
  for (const notice of loaded?.notices ?? []) plan.complain(notice.text)
  const { config, initial } = yield* beginWith({ plan, session: chosen, audience })
  const recorder = yield* openRecording(plan, initial)
  const clock = yield* Clock.Clock
  const loop = makeDriver({
    initial: initialState(initial),
    now: () => clock.currentTimeMillisUnsafe(),
    onDefect: (defect, event) => plan.complain(`internal error on ${event._tag}: ${String(defect)}`),
    witnesses: witnessesOf(plan, session.sessionId, recorder)
  })
  const hosts = makeHostRequests(loop.offer, () => performance.now())
  const { branch } = (yield* Git).facts(plan.cwd)
  const services = yield* buildServices({ plan, session: chosen, branch, loop, hosts })
  const title = loaded?.title ?? undefined
  const opened = { plan, session, branch, title, earlier: loaded?.earlier ?? [], config, audience, hosts, recorder }
  return yield* run(opened, scope).pipe(Effect.provideContext(services))
})

/** Opens the session the plan asks for. A text says why it cannot be opened. */
export const openSession = (plan: SessionPlan, audience: Audience): Effect.Effect<SessionHandle, string> =>
  Effect.gen(function* () {
    yield* checkSchema(plan)
    const scope = yield* Scope.make()
    const ports = yield* Layer.buildWithScope(portsLayer(portOptions(plan)), scope)
    return yield* openIn(scope, plan, audience).pipe(Scope.provide(scope), Effect.provideContext(ports))
  })
