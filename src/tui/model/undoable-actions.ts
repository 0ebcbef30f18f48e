import type { DiffHunk, FileDiff } from "../text/diff/diff-source.ts"
import { withCommands, notify, withoutCommands, type Update } from "./update-result.ts"
import type { Cmd, CmdOf } from "./cmd.ts"
import { type AppModel, currentSession, withSession } from "./app-model.ts"
import { hunkName } from "../text/diff/hunk-name.ts"
import { reviewed } from "./review-model.ts"
import type { SessionModel } from "./session-model.ts"

/** What the user did to a session besides talking, so that it can be undone and done again (UI-136). */
export type UndoableAction =
  | { readonly _tag: "Pinned"; readonly uuid: string; readonly pinned: boolean }
  | { readonly _tag: "Reverted"; readonly path: string; readonly hunk: DiffHunk; readonly change?: FileDiff["change"] }

export type RevertAction = UndoableAction & { readonly _tag: "Reverted" }

export interface UndoableActions {
  readonly done: ReadonlyArray<UndoableAction>
  readonly undone: ReadonlyArray<UndoableAction>
}

export const NO_DEEDS: UndoableActions = { done: [], undone: [] }

const MOST_DEEDS = 1_000

/** Who wants it: the user for the first time, or undo and redo. */
export type Intent = "do" | "undo" | "redo"

const withDeed = ({ done, undone }: UndoableActions, deed: UndoableAction, by: Intent): UndoableActions => {
  switch (by) {
    case "do":
      return { done: [...done, deed].slice(-MOST_DEEDS), undone: [] }
    case "undo":
      return { done: done.slice(0, -1), undone: [...undone, deed] }
    case "redo":
      return { done: [...done, deed], undone: undone.slice(0, -1) }
  }
}

export const recordAction = (session: SessionModel, deed: UndoableAction, by: Intent): SessionModel => ({
  ...session,
  deeds: withDeed(session.deeds, deed, by)
})

export const pin = (
  model: AppModel,
  session: SessionModel,
  at: { readonly deed: UndoableAction & { _tag: "Pinned" }; readonly by: Intent }
): Update => {
  const { uuid, pinned } = at.deed
  const cmd: Cmd = { _tag: "Pin", session: session.id, uuid, pinned: at.by === "undo" ? !pinned : pinned }
  return withCommands(
    withSession(model, session.id, (each) => recordAction(each, at.deed, at.by)),
    cmd
  )
}

/** The file is turned first; the deed counts when that went well. */
export const turnHunk = (session: string, deed: RevertAction, by: Intent): CmdOf<"TurnHunk"> => ({
  _tag: "TurnHunk",
  session,
  deed,
  by
})

/** A hunk of a file is on its other side now. */
export const hunkTurned = (
  model: AppModel,
  session: string,
  { deed, by }: Pick<CmdOf<"TurnHunk">, "deed" | "by">
): Update => {
  const isBack = by === "undo"
  const name = hunkName({ path: deed.path }, deed.hunk)
  const next = withSession(model, session, (each) => {
    const reverted = new Set(each.review.reverted)
    if (isBack) reverted.delete(name)
    else reverted.add(name)
    return recordAction(reviewed(each, { reverted }), deed, by)
  })
  const words = isBack ? `the hunk of ${deed.path} is back` : `reverted a hunk of ${deed.path}; u takes it back`
  return withCommands(notify(next, words), { _tag: "LoadDiff", session })
}

const again = (model: AppModel, session: SessionModel, at: { readonly deed: UndoableAction; readonly by: Intent }): Update =>
  at.deed._tag === "Pinned"
    ? pin(model, session, { deed: at.deed, by: at.by })
    : withCommands(model, turnHunk(session.id, at.deed, at.by))

export const undoAction = (model: AppModel): Update => {
  const session = currentSession(model)
  const deed = session?.deeds.done.at(-1)
  return session === undefined || deed === undefined
    ? withoutCommands(
        notify(model, "nothing to undo: going back makes a fork; on a compaction u brings the conversation back as it was")
      )
    : again(model, session, { deed, by: "undo" })
}

export const redoAction = (model: AppModel): Update => {
  const session = currentSession(model)
  const deed = session?.deeds.undone.at(-1)
  return session === undefined || deed === undefined
    ? withoutCommands(notify(model, "there is nothing to redo"))
    : again(model, session, { deed, by: "redo" })
}

/** Pins a message for every summary to come, or takes the pin away. */
export const togglePin = (model: AppModel, session: SessionModel, uuid: string | undefined): Update => {
  if (uuid === undefined) return withoutCommands(notify(model, "no message is under the cursor that could be pinned"))
  const pinned = session.state.conversation.pins.every((each) => each.uuid !== uuid)
  return pin(model, session, { deed: { _tag: "Pinned", uuid, pinned }, by: "do" })
}
