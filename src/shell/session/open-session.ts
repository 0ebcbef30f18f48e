import { Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import { MAIN_AGENT } from "../../core/domain/id.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import type { LoopConfig } from "../../core/loop/machine/state.ts"
import type { InitialState } from "../../core/loop/turn/start-turn.ts"
import { ExitGuard } from "../../core/ports/ExitGuard.ts"
import { Files } from "../../core/ports/Files.ts"
import { recordedPrompt } from "../../core/context/sources/system-prompt.ts"
import { Git } from "../../core/ports/Git.ts"
import { type LiveHandle, Records } from "../../core/ports/Records.ts"
import { chooseModel } from "../plan/choose-model.ts"
import { type SessionPlan, sessionDirOf } from "../plan/session-plan.ts"
import { VERSION } from "../process/version.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import type { Asker, Hooks } from "../hooks/hooks.ts"
import { endSession, watchConfig } from "../hooks/session-moments.ts"
import type { Audience } from "../runtime/audience.ts"
import { AgentLoop } from "../runtime/driver.ts"
import { makeSideAtExit, type SideAtExit } from "../side/side-at-exit.ts"
import { Supervisor } from "../tools/services/supervisor.ts"
import { supervisorLayer } from "./supervisor-layer.ts"
import { Publications } from "../runtime/publications.ts"
import { Persist } from "../runtime/persist.ts"
import { compileJsonSchema } from "../tools/contract/json-schema.ts"
import { Toolbox } from "../tools/toolbox.ts"
import { BackgroundTasks } from "../tools/services/background-tasks.ts"
import { chooseSession, type ChosenSession, restoredFor } from "./choose-session.ts"
import { followSettings } from "./follow-settings.ts"
import { earlierParts, taskControl } from "./handle-parts.ts"
import { configEvents } from "../../core/loop/machine/config.ts"
import { type LiveConfig, makeLiveConfig } from "./live-config.ts"
import { openHooks } from "./open-hooks.ts"
import { memoryPlaceOf } from "../memory/memory-place.ts"
import type { LoadedSession } from "./load-session.ts"
import { type AgentServices, openAgent } from "./open-agent.ts"
import type { SessionFacts, SessionHandle } from "./session-handle.ts"
import { type ApplicationServices, memoryOf, sessionLayer, type SessionServices } from "./session-services.ts"
import { changeTools, openTools } from "./session-tools.ts"
import { locatedBy, permissionsFor } from "./start-permissions.ts"
import { startRepository } from "../context/looks.ts"
import { forwardNotices } from "./task-notices.ts"
import { makeWitnesses, type Witnesses } from "./witnesses.ts"

/** Names the session's process in the list of live ones; a home that cannot be written is no reason to stop. */
const announce = Effect.fnUntraced(function* (plan: SessionPlan, sessionId: string) {
  const announced = (yield* Records)
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
  const live = yield* Effect.acquireRelease(announced, (handle) => Effect.sync(() => handle?.removeNow()))
  if (live !== undefined) yield* (yield* ExitGuard).onExit(live.removeNow)
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

/** Whether somebody can answer a permission question. */
const canAskOf = ({ start }: SessionPlan, audience: Audience): boolean => {
  const { askHost, neverAsk } = start.permissions
  return audience.ask !== undefined && !neverAsk && (start.printBecause === undefined || askHost)
}

interface Beginning {
  readonly witnesses: Witnesses
  readonly hooks: Hooks
  readonly plan: SessionPlan
  readonly audience: Audience
}

/** The conversation as it begins: its options, its rules, and what it remembers. */
export const beginWith = Effect.fnUntraced(function* (
  { plan, audience, hooks }: Pick<Beginning, "audience" | "plan"> & { readonly hooks: Pick<Hooks, "events" | "setHost"> },
  session: ChosenSession
) {
  const { sessionId, path, loaded } = session
  const chosen = yield* Effect.fromResult(chooseModel(plan, { restored: restorableModel(plan, session) }))
  const canAsk = canAskOf(plan, audience)
  const sessionDir = sessionDirOf(path)
  const git = yield* Git
  const memory = memoryPlaceOf(plan, git)
  if (memory._tag === "Off" && memory.problem !== undefined) plan.complain(memory.problem)
  const memoryDir = memory._tag === "On" ? memory.path : undefined
  const { context: permission, problems } = yield* permissionsFor({
    plan,
    memoryDir,
    recordedMode: loaded?.recordedPermissionMode,
    sessionDir,
    canPrompt: canAsk
  })
  for (const problem of problems) plan.complain(problem)
  const tools = yield* openTools(plan, { canAsk, model: chosen.model })
  const config = makeLiveConfig(
    {
      plan,
      chosen,
      sessionId,
      sessionDir,
      canAsk,
      memoryDir,
      shows: audience.shows ?? [],
      recordedPrompt: recordedPrompt(loaded?.messages ?? [])
    },
    tools,
    hooks
  )
  const initial: InitialState = {
    config: config.under(permission),
    permission,
    tools: tools.under(permission),
    cwd: plan.cwd,
    seed: crypto.randomUUID(),
    ...(loaded === undefined ? {} : { restored: restoredFor(loaded, plan.start.printBecause === undefined) })
  }
  return { config, initial, memory }
})

/** What is known of a session for as long as it is open. What was read of it is held by the conversation alone. */
interface Opened {
  readonly atExit: SideAtExit
  readonly facts: SessionFacts
  readonly config: LiveConfig
  readonly earlier: LoadedSession["earlier"]
  readonly agent: Context.Context<AgentServices>
}

/** What holds for the whole session goes to all of its agents, everything else to the first. */
const sessionWide = Effect.gen(function* () {
  const { offer } = yield* AgentLoop
  const { tellAll } = yield* Supervisor
  return (occurrence: Occurrence): void =>
    occurrence._tag === "PermissionsUpdated" || occurrence._tag === "SettingsApplied"
      ? tellAll(occurrence)
      : offer(occurrence)
})

/** What the session's first agent hears beside its audience: changed settings, and commands that ended. */
const listen = Effect.fnUntraced(function* ({ plan, hooks }: Beginning, config: LiveConfig) {
  const loop = yield* AgentLoop
  const driver = { ...loop, offer: yield* sessionWide }
  const { notices } = yield* BackgroundTasks
  const locate = locatedBy(yield* Files)
  const configure = (): LoopConfig => config.under(driver.state().permission)
  const { publish } = yield* Publications
  const say = (level: "info" | "warning", text: string): void =>
    publish(MAIN_AGENT, { _tag: "Emitted", emission: { _tag: "Notice", level, text } })
  const asker: Asker = {
    agent: MAIN_AGENT,
    state: loop.state,
    offer: loop.offer,
    emit: (emission) => publish(MAIN_AGENT, { _tag: "Emitted", emission })
  }
  const changed = watchConfig(hooks, asker, () => plan.settings.current().snapshot)
  yield* Effect.acquireRelease(
    Effect.sync(() => followSettings({ plan, driver, locate, configure, hooks, tools: config.tools, say, changed })),
    (ignore) => Effect.sync(ignore)
  )
  yield* Effect.forkScoped(forwardNotices(notices, loop))
  const { changes } = yield* Toolbox
  yield* Effect.forkScoped(Stream.runForEach(changes, () => Effect.sync(() => changeTools(loop, config.tools))))
})

/** A prompt that is there already waits for the repository, so that is read at once; nobody else is held up by it. */
const firstLook = (plan: SessionPlan, { prompt }: LoopConfig) =>
  plan.start.printBecause === undefined || !prompt.sources.includes("git")
    ? Effect.succeed({})
    : Effect.map(startRepository(plan), (repository) => ({ repository }))

/** Chooses the session and sets its conversation going. */
const openFirstAgent = Effect.fnUntraced(function* (
  beginning: Beginning
): Effect.fn.Return<Opened, string, Scope.Scope | SessionServices | Supervisor> {
  const { plan, audience, hooks } = beginning
  const session = yield* chooseSession(plan)
  const { sessionId, path, loaded } = session
  for (const notice of loaded?.notices ?? []) plan.complain(notice.text)
  const { config, initial, memory: kept } = yield* beginWith(beginning, session)
  const { branch } = (yield* Git).facts(plan.cwd)
  const atExit = makeSideAtExit()
  const witnesses = [...(yield* beginning.witnesses.of(MAIN_AGENT, initial)), atExit.witness]
  const memory = memoryOf(plan, session, branch)
  const sessionDir = sessionDirOf(path)
  const agent = yield* openAgent({
    id: MAIN_AGENT,
    parent: null,
    plan,
    sessionId,
    sessionDir,
    initial,
    witnesses,
    answers: audience,
    agents: yield* Supervisor,
    hooks,
    onDefect: plan.complain,
    context: { plan, memory: kept, ...(yield* firstLook(plan, initial.config)) },
    memory
  })
  yield* Effect.provideContext(listen(beginning, config), agent)
  const facts: SessionFacts = {
    sessionId,
    cwd: plan.cwd,
    transcriptPath: path,
    branch,
    title: loaded?.title ?? undefined,
    memory: kept,
    apiKeySource: plan.credential?.source ?? "none",
    version: VERSION
  }
  return { facts, config, earlier: loaded?.earlier ?? [], agent, atExit }
})

/** The session as its audience sees it. */
const handleOf = Effect.fnUntraced(function* (
  { facts, config, earlier }: Opened,
  close: SessionHandle["close"]
): Effect.fn.Return<SessionHandle, never, AgentServices | Scope.Scope | SessionServices | Supervisor> {
  const { sessionId } = facts
  const services = yield* Effect.context<Records>()
  const loop = yield* AgentLoop
  const { state } = loop
  const offer = yield* sessionWide
  const agents = yield* Supervisor
  const toolbox = yield* Toolbox
  const scope = yield* Effect.scope
  const persist = yield* Persist
  const tasks = yield* BackgroundTasks
  const { view, attach, member } = yield* Publications
  const refreshTools = (): void => void changeTools(loop, config.tools)
  const reconfigure = (): void => {
    refreshTools()
    configEvents(state().config, config.under(state().permission)).forEach(offer)
  }
  const rename = (customTitle: string): void => persist.note({ type: "custom-title", customTitle, sessionId })
  return {
    facts,
    state,
    view,
    attach,
    agents,
    offer,
    answer: (callId, answer) => {
      const asking = view().agents.find(({ questions }) => questions.some((question) => question.callId === callId))
      if (asking !== undefined) member(asking.agent)?.loop.offer({ _tag: "PermissionAnswered", callId, answer })
    },
    submit: (content, options) =>
      offer({
        _tag: "PromptSubmitted",
        uuid: options?.uuid ?? crypto.randomUUID(),
        content,
        priority: options?.priority ?? "next",
        origin: "human",
        appendOnly: options?.appendOnly ?? false,
        ...(options?.answer === undefined ? {} : { answer: options.answer })
      }),
    interrupt: (options) => offer({ _tag: "Interrupted", ...options }),
    setUp: (setup) => {
      config.setUp(setup)
      reconfigure()
    },
    setModel: (model) => {
      config.chooseModel(model)
      reconfigure()
    },
    rename,
    tag: (tag) => persist.note({ type: "tag", tag, sessionId }),
    tasks: taskControl(tasks),
    addTools: (provider) => Scope.provide(toolbox.add(provider), scope),
    refreshTools,
    earlier: earlierParts({ path: facts.transcriptPath, pages: earlier, persist, services }),
    unsaved: () => {
      const status = persist.status()
      return status._tag === "Ok" ? undefined : status.code
    },
    close
  }
})

/** The conversation ends in a scope of its own, before the commands that it left in the background do. */
const openIn = Effect.fnUntraced(function* (
  scope: Scope.Closeable,
  { plan, audience }: Pick<Beginning, "audience" | "plan">
): Effect.fn.Return<SessionHandle, string, Scope.Scope | SessionServices> {
  const tasks = yield* BackgroundTasks
  yield* (yield* Publications).attach(audience)
  const talk = yield* Scope.fork(scope)
  const witnesses = yield* Scope.provide(makeWitnesses(plan), talk)
  const hooks = yield* Scope.provide(openHooks(plan, audience), talk)
  const agents = yield* Layer.buildWithScope(supervisorLayer({ plan, answers: audience, hooks, witnesses }), talk)
  const opened = yield* openFirstAgent({ plan, audience, hooks, witnesses }).pipe(
    Scope.provide(talk),
    Effect.provideContext(agents)
  )
  yield* announce(plan, opened.facts.sessionId)
  const { offer, state } = Context.get(opened.agent, AgentLoop)
  const { publish } = yield* Publications
  const emit = (emission: Emission): void => publish(MAIN_AGENT, { _tag: "Emitted", emission })
  const asker: Asker = { agent: MAIN_AGENT, state, offer, emit }
  yield* hooks.begin(asker, state().conversation.messages.length === 0 ? "startup" : "resume")
  const endReason = plan.start.printBecause === undefined ? "prompt_input_exit" : "other"
  const close = (graceMs: number): Effect.Effect<void> =>
    opened.atExit
      .wait(state)
      .pipe(
        Effect.andThen(endSession(hooks, asker, endReason)),
        Effect.andThen(Scope.close(talk, Exit.void)),
        Effect.andThen(tasks.shutdown(graceMs)),
        Effect.andThen(Scope.close(scope, Exit.void))
      )
  const handle = yield* handleOf(opened, close).pipe(
    Effect.provideContext(opened.agent),
    Effect.provideContext(agents),
    Scope.provide(talk)
  )
  if (plan.start.session.name !== undefined) handle.rename(plan.start.session.name)
  return handle
})

/** Opens the session the plan asks for. A text says why it cannot be opened. */
export const openSession = Effect.fnUntraced(function* (
  plan: SessionPlan,
  audience: Audience
): Effect.fn.Return<SessionHandle, string, ApplicationServices> {
  yield* checkSchema(plan)
  const scope = yield* Scope.make()
  return yield* Layer.build(sessionLayer).pipe(
    Effect.flatMap((services) => Effect.provideContext(openIn(scope, { plan, audience }), services)),
    Scope.provide(scope),
    Effect.onError(() => Scope.close(scope, Exit.void))
  )
})
