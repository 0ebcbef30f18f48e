import type { AgentState, Conversation, Phase, Run, Running, RunningState, Turn } from "./state.ts"

/**
 * Copies of the two records that nearly every event copies, written out field by field: the engine spreads an object of
 * many fields some twenty times slower than it builds one. A field that is forgotten here does not compile.
 */
const withRun = <R extends Run>(state: AgentState, run: R, now = state.now): AgentState<R> => ({
  config: state.config,
  permission: state.permission,
  toolbox: state.toolbox,
  run,
  pending: state.pending,
  conversation: state.conversation,
  queue: state.queue,
  totals: state.totals,
  objections: state.objections,
  side: state.side,
  cwd: state.cwd,
  ids: state.ids,
  serial: state.serial,
  now
})

const copyOfTurn = (turn: Turn): Turn => ({
  startedAt: turn.startedAt,
  promptUuid: turn.promptUuid,
  isCommand: turn.isCommand,
  responses: turn.responses,
  apiMs: turn.apiMs,
  requestStartedAt: turn.requestStartedAt,
  firstTokenMs: turn.firstTokenMs,
  usage: turn.usage,
  attempt: turn.attempt,
  recovery: turn.recovery,
  transition: turn.transition,
  wishes: turn.wishes,
  target: turn.target,
  repeated: turn.repeated,
  sent: turn.sent,
  modelIndex: turn.modelIndex,
  outputTokens: turn.outputTokens,
  assistant: turn.assistant,
  calls: turn.calls,
  results: turn.results,
  failedCall: turn.failedCall,
  stopAfterTools: turn.stopAfterTools,
  stopText: turn.stopText,
  structuredOutput: turn.structuredOutput,
  denials: turn.denials,
  lastText: turn.lastText,
  lastStopReason: turn.lastStopReason,
  apiError: turn.apiError,
  notes: turn.notes,
  tipBefore: turn.tipBefore,
  textBefore: turn.textBefore,
  before: turn.before
})

/** The state with some fields replaced; as `{ ...state, ...patch }`. Whether a turn runs stays as it is. */
export const patchState = <R extends Run>(state: AgentState<R>, patch: Partial<Omit<AgentState, "run">>): AgentState<R> =>
  Object.assign(withRun(state, state.run), patch)

export const patchConversation = <R extends Run>(state: AgentState<R>, patch: Partial<Conversation>): AgentState<R> =>
  patchState(state, { conversation: { ...state.conversation, ...patch } })

/** A turn begins, ends, or stands elsewhere. */
export const setRun: <R extends Run>(state: AgentState, run: R, now?: number) => AgentState<R> = withRun

export const setTurn = <P extends Phase>(state: RunningState<P>, patch: Partial<Turn>): RunningState<P> =>
  withRun(state, {
    _tag: "Running",
    turn: Object.assign(copyOfTurn(state.run.turn), patch),
    phase: state.run.phase
  })

export const setPhase = <P extends Phase>(state: RunningState, phase: P): AgentState<Running<P>> =>
  withRun(state, { _tag: "Running", turn: state.run.turn, phase })
