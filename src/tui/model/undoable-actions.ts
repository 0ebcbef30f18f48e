import type { DiffHunk, FileDiff } from "../text/diff/diff-source.ts"
import { doing, notify, only, type Update } from "./update-result.ts"
import type { Cmd, CmdOf } from "./cmd.ts"
import { type AppModel, currentSession, withSession } from "./app-model.ts"
import { hunkName } from "../text/diff/hunk-name.ts"
import { reviewed } from "./review-model.ts"
import type { SessionModel } from "./session-model.ts"

/** What the person did to a session besides talking, so that it can be undone and done again (UI-136). */
export type Deed =
  | { readonly _tag: "Pinned"; readonly uuid: string; readonly pinned: boolean }
  | { readonly _tag: "Reverted"; readonly path: string; readonly hunk: DiffHunk; readonly change?: FileDiff["change"] }

export type RevertDeed = Deed & { readonly _tag: "Reverted" }

export interface Deeds {
  readonly done: ReadonlyArray<Deed>
  readonly undone: ReadonlyArray<Deed>
}

export const NO_DEEDS: Deeds = { done: [], undone: [] }

const MOST_DEEDS = 1_000

/** Who wants it: the person for the first time, or undo and redo. */
export type Wish = "do" | "undo" | "redo"

const withDeed = ({ done, undone }: Deeds, deed: Deed, by: Wish): Deeds => {
  switch (by) {
    case "do":
      return { done: [...done, deed].slice(-MOST_DEEDS), undone: [] }
    case "undo":
      return { done: done.slice(0, -1), undone: [...undone, deed] }
    case "redo":
      return { done: [...done, deed], undone: undone.slice(0, -1) }
  }
}

export const deedDone = (session: SessionModel, deed: Deed, by: Wish): SessionModel => ({
  ...session,
  deeds: withDeed(session.deeds, deed, by)
})

export const pin = (
  model: AppModel,
  session: SessionModel,
  at: { readonly deed: Deed & { _tag: "Pinned" }; readonly by: Wish }
): Update => {
  const { uuid, pinned } = at.deed
  const cmd: Cmd = { _tag: "Pin", session: session.id, uuid, pinned: at.by === "undo" ? !pinned : pinned }
  return doing(
    withSession(model, session.id, (each) => deedDone(each, at.deed, at.by)),
    cmd
  )
}

/** The file is turned first; the deed counts when that went well. */
export const turnHunk = (session: string, deed: RevertDeed, by: Wish): CmdOf<"TurnHunk"> => ({
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
    return deedDone(reviewed(each, { reverted }), deed, by)
  })
  const words = isBack ? `the hunk of ${deed.path} is back` : `reverted a hunk of ${deed.path}; u takes it back`
  return doing(notify(next, words), { _tag: "LoadDiff", session })
}

const again = (model: AppModel, session: SessionModel, at: { readonly deed: Deed; readonly by: Wish }): Update =>
  at.deed._tag === "Pinned"
    ? pin(model, session, { deed: at.deed, by: at.by })
    : doing(model, turnHunk(session.id, at.deed, at.by))

export const undoDeed = (model: AppModel): Update => {
  const session = currentSession(model)
  const deed = session?.deeds.done.at(-1)
  return session === undefined || deed === undefined
    ? only(notify(model, "nothing to undo: going back makes a fork; on a compaction u opens the session as it was"))
    : again(model, session, { deed, by: "undo" })
}

export const redoDeed = (model: AppModel): Update => {
  const session = currentSession(model)
  const deed = session?.deeds.undone.at(-1)
  return session === undefined || deed === undefined
    ? only(notify(model, "there is nothing to redo"))
    : again(model, session, { deed, by: "redo" })
}

/** Pins a message for every summary to come, or takes the pin away. */
export const togglePin = (model: AppModel, session: SessionModel, uuid: string | undefined): Update => {
  if (uuid === undefined) return only(notify(model, "no message is under the cursor that could be pinned"))
  const pinned = session.state.conversation.pins.every((each) => each.uuid !== uuid)
  return pin(model, session, { deed: { _tag: "Pinned", uuid, pinned }, by: "do" })
}
