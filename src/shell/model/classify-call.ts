import { Cause, Effect } from "effect"
import type { Env } from "../../core/domain/env.ts"
import type { Command } from "../../core/loop/machine/command.ts"
import { describeFailure } from "../../core/model/failure/describe-failure.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import { type CheckOutcome, readVerdict } from "../../core/permission/classifier/outcome.ts"
import { checkRequest, type CheckLook } from "../../core/permission/classifier/request.ts"
import type { Model } from "../../core/ports/Model.ts"
import { askModel, type SideAnswer } from "./call-model.ts"
import { workingTreeOf } from "../facts/working-tree.ts"

export interface CheckRun {
  readonly offer: (occurrence: Occurrence) => void
  readonly env: Env
}

type CheckCall = Extract<Command, { _tag: "CheckCall" }>

const refused: CheckOutcome = { _tag: "NoVerdict", why: "refused", detail: "" }

const outcomeOf = ({ text, stopReason }: SideAnswer): CheckOutcome =>
  stopReason === "refusal" ? refused : readVerdict(text)

/** Two looks at most: only a first one that has doubts is followed by one that gives its reasons. */
const look = Effect.fnUntraced(function* (
  { inquiry }: CheckCall,
  tree: Pick<CheckLook, "workingTree">,
  spent: Array<SideAnswer>
) {
  const ask = (stage: CheckLook["stage"]) =>
    askModel(checkRequest(inquiry, { stage, ...tree })).pipe(
      Effect.map((answer) => {
        spent.push(answer)
        return outcomeOf(answer)
      })
    )
  const first = yield* ask("fast")
  return first._tag === "Judged" && first.block ? yield* ask("reasoned") : first
})

/** Asks the classifier about a call. Whatever happens to it, one outcome is reported, unless nobody waits any more. */
export const checkCall = (run: CheckRun, command: CheckCall): Effect.Effect<void, never, Model> => {
  const { checkId, callId } = command
  const spent: Array<SideAnswer> = []
  const report = (outcome: CheckOutcome): void =>
    run.offer({
      _tag: "CallChecked",
      checkId,
      callId,
      outcome,
      spent: spent.map(({ model, usage }) => ({ model, usage }))
    })
  const unavailable = (detail: string): CheckOutcome => ({ _tag: "NoVerdict", why: "unavailable", detail })
  return Effect.gen(function* () {
    const workingTree = command.wantsWorkingTree ? yield* workingTreeOf(command.inquiry.action.cwd, run.env) : undefined
    return yield* look(command, workingTree === undefined ? {} : { workingTree }, spent)
  }).pipe(
    Effect.catch((failure) => Effect.succeed(unavailable(describeFailure(failure)))),
    Effect.map(report),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.sync(() => report(unavailable(Cause.pretty(cause))))
    )
  )
}
