import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, withSession } from "../../model/app-model.ts"
import { type Ask, nameOf } from "../../model/session-model.ts"

/** Notifies a user who is elsewhere of a question: once, and not while the user types here. */

const AWAY_MS = 6_000

/** Many terminals do not tell whether they have the focus; then a pause in typing says it. */
export const isAway = ({ focused, keys, now }: AppModel): boolean =>
  focused === undefined ? now - (keys.held?.at ?? Number.NEGATIVE_INFINITY) >= AWAY_MS : !focused

const waits = ({ isSeen }: Ask): boolean => !isSeen

/** Whoever has the terminal in focus sees the question; others are called as soon as they seem to be away. */
export const callBack = (model: AppModel): Update => {
  const asking = [...model.sessions.values()].filter(({ asks }) => asks.some(waits))
  if (asking.length === 0 || (model.focused !== true && !isAway(model))) return withoutCommands(model)
  const seen = asking.reduce(
    (next, { id }) =>
      withSession(next, id, (session) => ({ ...session, asks: session.asks.map((ask) => ({ ...ask, isSeen: true })) })),
    model
  )
  if (model.focused === true) return withoutCommands(seen)
  return withCommands(
    seen,
    ...asking.map((session) => ({
      _tag: "Notify" as const,
      kind: "needs-you" as const,
      title: "nacre",
      body: `${nameOf(session)} needs your answer`
    }))
  )
}
