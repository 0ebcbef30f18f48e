import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { type AgentId, MAIN_AGENT, type Uuid } from "../../core/domain/id.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import { initialState, type InitialState } from "../../core/loop/turn/start-turn.ts"
import { Records, writeWarning } from "../../core/ports/Records.ts"
import type { Asker, Hooks } from "../hooks/hooks.ts"
import { heedingTitle, watchInstructions } from "../hooks/session-moments.ts"
import { recallFiles } from "../../core/tools/files/restore-file-state.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { boundHeapGrowth } from "../process/heap-growth.ts"
import type { Audience } from "../runtime/audience.ts"
import { Publications } from "../runtime/publications.ts"
import { watchQuestions } from "../runtime/watch-questions.ts"
import { AgentLoop, type Driver, makeDriver, type Witness } from "../runtime/driver.ts"
import { type AskHooks, type PutQuestions, startInterpreter, withdraw } from "../runtime/interpret.ts"
import { Persist } from "../runtime/persist.ts"
import { type CommandPolicy, layer as commandPolicyLayer } from "../sandbox/command-policy.ts"
import { type HostRequests, makeHostRequests } from "../sandbox/host-requests.ts"
import type { Supervisor } from "../tools/services/supervisor.ts"
import type { ToolServices } from "../tools/built-in-tools.ts"
import { Toolbox } from "../tools/toolbox.ts"
import { FileState } from "../tools/services/file-state.ts"
import type { SearchVisibility } from "../tools/services/search-visibility.ts"
import { searchVisibilityLayer } from "../tools/services/search-visibility-layer.ts"
import { layer as todosLayer, type Todos } from "../tools/services/todos.ts"
import type { SessionServices } from "./session-services.ts"
import { readWindow } from "./read-window.ts"
import { sandboxOf, savePermissions } from "./session-settings.ts"
import { collectContext, type ContextPlace } from "../context/collect-context.ts"
import { makeInstructionReader } from "../instructions/instruction-reader.ts"
import { toolRun } from "./tool-run.ts"

export interface AgentSpec {
  readonly id: AgentId
  readonly parent: AgentId | null
  readonly plan: SessionPlan
  readonly sessionId: string
  readonly sessionDir: string
  readonly initial: InitialState
  readonly witnesses: ReadonlyArray<Witness>
  readonly onDefect: (text: string) => void
  readonly answers: Pick<Audience, "ask">
  readonly hooks: Hooks
  /** Where it looks for what the model should know. */
  readonly context: Pick<ContextPlace, "plan" | "memory">
  /** Starts agents for side tasks; only the first one has some. */
  readonly agents?: Supervisor["Service"]
  /** Where the conversation is written, and what is known of files from before. */
  readonly memory: Layer.Layer<FileState | Persist, string, Records>
}

/** What belongs to one agent alone. */
export type AgentServices = AgentLoop | CommandPolicy | FileState | Persist | SearchVisibility | Todos

/** What its tools do follows the rules in force when they do it. */
const agentLayer = ({ plan, memory }: AgentSpec, loop: Driver, hosts: HostRequests) => {
  const permission = () => loop.state().permission
  return Layer.mergeAll(
    Layer.succeed(AgentLoop, loop),
    memory,
    searchVisibilityLayer(permission),
    commandPolicyLayer({ settings: () => sandboxOf(plan), permission, configHome: plan.configHome, hosts }),
    todosLayer
  )
}

/** Every further line fails for the same reason, so once is enough. */
const watchPersist = (persist: Persist["Service"], warn: (text: string) => void): void => {
  let toldOf: string | undefined
  persist.watch((status) => {
    const warning = writeWarning(status, Date.now())
    const cause = status._tag === "Ok" ? undefined : `${status.code} ${status.lostLines > 0}`
    if (warning !== null && cause !== toldOf) warn(warning)
    if (warning !== null || cause === undefined) toldOf = cause
  })
}

const isCompaction = (emission: Emission): boolean =>
  emission._tag === "MessageAdded" && emission.message.type === "system" && emission.message.subtype === "compact_boundary"

/** What a summary replaced is no longer in front of the model, so it counts as not read. */
const forget = (files: FileState["Service"]): void => {
  Effect.runSync(files.clear)
  void boundHeapGrowth()
}

const hooksOf = (hooks: Hooks, asker: Asker, setTitle: (title: string) => void): AskHooks => ({
  listensTo: (event) => hooks.events().includes(event),
  ask: (occasion) => Effect.tap(hooks.ask(asker, occasion), heedingTitle(setTitle))
})

/** An earlier window of the conversation; what it shows of files is known again. */
const rereadWindow = (own: Context.Context<FileState | Persist>, at: Uuid) =>
  Effect.tap(readWindow(Context.get(own, Persist).path(), at), (window) =>
    "cause" in window ? Effect.void : Context.get(own, FileState).merge(recallFiles(window.messages))
  )

/** A conversation at work on services of its own until the scope closes, which ends all of its work. */
export const openAgent = Effect.fnUntraced(function* (
  spec: AgentSpec
): Effect.fn.Return<Context.Context<AgentServices>, string, Scope.Scope | SessionServices> {
  // Nothing below may hold the spec: with it comes the whole conversation that it begins with.
  const { id, plan, parent, sessionId, sessionDir, witnesses, answers, hooks, agents, context, onDefect } = spec
  const clock = yield* Clock.Clock
  const publications = yield* Publications
  const questions: PutQuestions = new Map()
  const watched = watchQuestions({
    answered: (callId) => withdraw(questions, callId),
    publish: (item) => {
      try {
        publications.publish(id, item)
      } catch (defect) {
        onDefect(`internal error on ${item._tag}: ${String(defect)}`)
      }
    }
  })
  const loop = makeDriver({
    initial: initialState(spec.initial),
    now: () => clock.currentTimeMillisUnsafe(),
    onDefect: (defect, event) => onDefect(`internal error on ${event._tag}: ${String(defect)}`),
    witnesses: [...witnesses, watched],
    ...(id === MAIN_AGENT ? {} : { agent: id })
  })
  const hosts = makeHostRequests(loop.offer, () => performance.now())
  const own = yield* Layer.build(agentLayer(spec, loop, hosts))
  const files = Context.get(own, FileState)
  const records = yield* Records
  const emit = (emission: Emission): void => {
    if (isCompaction(emission)) forget(files)
    publications.publish(id, { _tag: "Emitted", emission })
  }
  const say = (level: "info" | "warning", text: string): void => emit({ _tag: "Notice", level, text })
  watchPersist(Context.get(own, Persist), (text) => say("warning", text))
  yield* publications.join(id, { parent, loop })
  const ports = Context.merge(yield* Effect.context<SessionServices>(), own)
  const { variables } = hooks
  const tools = toolRun({ plan, sessionId, sessionDir, loop, toolbox: yield* Toolbox, variables })
  // Other agents find what the first one was told already.
  const instructions = makeInstructionReader(plan, { say: id === MAIN_AGENT ? say : () => {} })
  const tell = (remark: string): void => say("info", remark)
  const place = { ...context, instructions, state: loop.state, session: tools.session, tell }
  const asker: Asker = { agent: id, state: loop.state, emit, offer: loop.offer }
  const heardOf = watchInstructions(hooks, asker)
  yield* startInterpreter<ToolServices>({
    agent: id,
    agents,
    emit,
    answers,
    questions,
    collect: (command, report) =>
      Effect.provideContext(
        collectContext(place, command, (seen) => {
          heardOf(seen.look)
          report(seen)
        }),
        ports
      ),
    hooks: hooksOf(hooks, asker, (title) => {
      Context.get(own, Persist).note({ type: "custom-title", customTitle: title, sessionId })
      emit({ _tag: "SessionTitled", title })
    }),
    answerHosts: hosts.settle,
    readWindow: (at) => Effect.provideService(rereadWindow(own, at), Records, records),
    save: (updates) => savePermissions({ plan, offer: loop.offer, say }, updates),
    tools
  }).pipe(Effect.provideContext(own))
  return own
})
