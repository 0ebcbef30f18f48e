import { phaseOf } from "../../core/loop/machine/transition.ts"
import type { AppModel } from "./app-model.ts"
import type { SessionModel } from "./session-model.ts"
import { type Update, withCommands } from "./update-result.ts"

/** Whether a failed request waits for its next try. */
export const isWaitingToRetry = ({ state }: SessionModel): boolean => phaseOf(state)._tag === "Waiting"

/** The wait is over; undefined where there is none. */
export const hastenRetry = (model: AppModel, session: SessionModel, by: "sameModel" | "nextModel"): Update | undefined =>
  isWaitingToRetry(session) ? withCommands(model, { _tag: "HastenRetry", session: session.id, by }) : undefined
