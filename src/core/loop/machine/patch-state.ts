import type { AgentState, Turn } from "./state.ts"

/**
 * Copies of the two records that nearly every event copies, written out field by field: the engine spreads an object of
 * twenty fields some twenty times slower than it builds one. A field that is forgotten here does not compile.
 */
const copyOfState = (state: AgentState): AgentState => ({
  config: state.config,
  permission: state.permission,
  hosts: state.hosts,
  phase: state.phase,
  turn: state.turn,
  ids: state.ids,
  now: state.now,
  cwd: state.cwd,
  messages: state.messages,
  history: state.history,
  count: state.count,
  totals: state.totals,
  queue: state.queue,
  promptIds: state.promptIds,
  responseIds: state.responseIds,
  tip: state.tip,
  compaction: state.compaction,
  pins: state.pins,
  objections: state.objections,
  replacements: state.replacements,
  strippedMedia: state.strippedMedia,
  serial: state.serial
})

const copyOfTurn = (turn: Turn): Turn => ({
  startedAt: turn.startedAt,
  promptUuid: turn.promptUuid,
  responses: turn.responses,
  apiMs: turn.apiMs,
  requestStartedAt: turn.requestStartedAt,
  firstTokenMs: turn.firstTokenMs,
  usage: turn.usage,
  attempt: turn.attempt,
  recovery: turn.recovery,
  transition: turn.transition,
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
  textBefore: turn.textBefore
})

/** The state with some fields replaced; as `{ ...state, ...patch }`. */
export const patchState = (state: AgentState, patch: Partial<AgentState>): AgentState =>
  Object.assign(copyOfState(state), patch)

/** The turn with some fields replaced; as `{ ...turn, ...patch }`. */
export const patchTurn = (turn: Turn, patch: Partial<Turn>): Turn => Object.assign(copyOfTurn(turn), patch)
