import type { CallId } from "../../domain/id.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { Call, CallAt, CallStage, Phase, PreparedCall, RunningState } from "../machine/state.ts"

/** The call with this id, whatever its stage. */
export const findCall = ({ run: { turn } }: RunningState, id: CallId): Call | undefined =>
  turn.calls.find((call) => call.id === id)

/** The call if it is at the given stage; events for any other stage are late and ignored. */
export const callAt = <Stage extends CallStage>(
  { run: { turn } }: RunningState,
  id: CallId,
  stage: Stage
): CallAt<Stage> | undefined => turn.calls.find((call): call is CallAt<Stage> => call.id === id && call.stage === stage)

/** The call takes the place of what was known of it. */
export const setCall = <P extends Phase>(state: RunningState<P>, call: Call): RunningState<P> =>
  setTurn(state, { calls: state.run.turn.calls.map((one) => (one.id === call.id ? call : one)) })

/** A call goes on; what only its last stage knew stays behind. */
export const enter = <Stage extends CallStage>(
  call: PreparedCall,
  stage: Stage
): PreparedCall & { readonly stage: Stage } => ({
  id: call.id,
  name: call.name,
  assistantUuid: call.assistantUuid,
  tool: call.tool,
  reading: call.reading,
  facts: call.facts,
  hook: call.hook,
  hookContext: call.hookContext,
  isRewritten: call.isRewritten,
  grant: call.grant,
  redecided: call.redecided,
  check: call.check,
  onlyReads: call.onlyReads,
  stage
})
