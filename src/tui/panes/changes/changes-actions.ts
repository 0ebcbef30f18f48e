import { isHunkHead, lineInFile } from "./change-items.ts"
import { changedPlace } from "./changes.ts"
import { LIST_ACTIONS } from "../list/list-actions.ts"
import { cursorIndex, type Item, movedTo, NEW_LIST } from "../../model/list-state.ts"
import { changedFiles, turnsOf } from "../../transcript/entries/select.ts"
import { hunkPatch, unifiedSource } from "../../text/diff/diff-source.ts"
import { absolutePath } from "../../text/absolute-path.ts"
import { doing, notify, only, type Update } from "../../model/update-result.ts"
import { redoDeed, undoDeed } from "../../model/undoable-actions.ts"
import { type FocusedList, withList } from "../list/focused-list.ts"
import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { acceptHunk, askForComment, askToRevert, hunkUnder } from "./review-actions.ts"
import type { ChangesSource, SessionModel } from "../../model/session-model.ts"
import { shortPath } from "../../text/short-path.ts"
import { typeInPrompt } from "../prompt/type-in-prompt.ts"
import { showPane } from "../../model/windows/window-actions.ts"
import { yank } from "../../model/prompt/shared-registers.ts"

/** The keys of the changes pane (UI-6). */

const isSame = (a: ChangesSource, b: ChangesSource): boolean =>
  a._tag === "Turn" && b._tag === "Turn" ? a.back === b.back : a._tag === b._tag

/** The sources in order: the working tree, the session, then each turn back in time. */
const cycledSource = (session: SessionModel, by: number): ChangesSource => {
  const turns = turnsOf(session.transcript).map((_, back): ChangesSource => ({ _tag: "Turn", back }))
  const all: ReadonlyArray<ChangesSource> = [{ _tag: "Tree" }, { _tag: "Session" }, ...turns]
  const at = all.findIndex((each) => isSame(each, session.changesOf))
  return all[(((at + by) % all.length) + all.length) % all.length] ?? { _tag: "Session" }
}

const cycleSource = (model: AppModel, by: number): Update => {
  const next = withCurrent(model, (session) => ({
    ...session,
    changesOf: cycledSource(session, by),
    lists: { ...session.lists, changes: NEW_LIST }
  }))
  return currentSession(next)?.changesOf._tag === "Tree"
    ? doing(next, { _tag: "LoadDiff", session: model.current })
    : only(next)
}

/** Hunks and files are items; going to one is going to an item. */
const step = (
  model: AppModel,
  { list, context }: FocusedList,
  to: { readonly isWanted: (item: Item) => boolean; readonly by: 1 | -1; readonly count: number }
): Update => {
  const here = cursorIndex(list, context.items)
  const places = context.items.flatMap((item, index) => (to.isWanted(item) ? [index] : []))
  const ahead = to.by === 1 ? places.filter((index) => index > here) : places.filter((index) => index < here).toReversed()
  const target = ahead[Math.min(to.count, ahead.length) - 1]
  return only(
    target === undefined
      ? notify(model, "no more in this direction")
      : withList(model, "changes", movedTo(list, target, context))
  )
}

const openInEditor = (model: AppModel, session: SessionModel, item: Item): Update => {
  const place = changedPlace(session, item.id)
  if (place === undefined) return only(model)
  const { path, hunks } = place.view.diff
  const hunk = place.hunk ?? hunks[0]
  return doing(model, {
    _tag: "OpenFile",
    path: absolutePath(path, session.cwd),
    line: hunk === undefined ? undefined : lineInFile(hunk, place.line)
  })
}

/** The call that made the last change of the file. */
const goToCall = (model: AppModel, session: SessionModel, item: Item): Update => {
  const path = changedPlace(session, item.id)?.view.diff.path
  const file = changedFiles(session.transcript).find((each) => shortPath(each.path, session.cwd) === path)
  const entry = file?.changes.at(-1)?.entryId
  return only(entry === undefined ? notify(model, "no call of this session changed that file") : goToEntry(model, entry))
}

const showPatch = (model: AppModel, session: SessionModel, item: Item): Update => {
  const view = changedPlace(session, item.id)?.view
  if (view === undefined) return only(model)
  const text = unifiedSource([view.diff]).source
  const shown = withCurrent(model, (each) => ({
    ...each,
    outputOf: { _tag: "Text", title: view.diff.path, text },
    lists: { ...each.lists, output: NEW_LIST }
  }))
  return only(showPane(shown, "output"))
}

/** The hunk under the cursor; on the head of a file its first one. */
const yankHunk = (model: AppModel, focused: FocusedList): Update => {
  const here = hunkUnder(focused)
  return here === undefined
    ? only(notify(model, "there is no hunk here"))
    : yank(model, hunkPatch(here.place.view.diff, here.hunk).replace(/\n$/, ""), { what: "the hunk", type: "line" })
}

const isFile = (item: Item): boolean => item.id === item.fold

const onItem = (model: AppModel, focused: FocusedList, action: string): Update | undefined => {
  const { item, session, list, context } = focused
  if (item === undefined) return undefined
  switch (action) {
    case "pane:open": {
      const toggle = LIST_ACTIONS["pane:foldToggle"]
      if (!isFile(item) || toggle === undefined) return openInEditor(model, session, item)
      return only(withList(model, "changes", toggle(list, { count: undefined, argument: "" }, context).list))
    }
    case "changes:openInEditor":
    case "list:edit":
      return openInEditor(model, session, item)
    case "list:openFull":
      return showPatch(model, session, item)
    case "pane:goToCall":
      return goToCall(model, session, item)
    case "list:mention":
      return typeInPrompt(insertIntoPrompt(model, `@${changedPlace(session, item.id)?.view.diff.path ?? ""} `), "here")
    default:
      return undefined
  }
}

export const onChangesKey = (
  model: AppModel,
  focused: FocusedList,
  at: { readonly action: string; readonly count: number }
): Update | undefined => {
  const { action, count } = at
  switch (action) {
    case "changes:nextHunk":
      return step(model, focused, { isWanted: isHunkHead, by: 1, count })
    case "changes:previousHunk":
      return step(model, focused, { isWanted: isHunkHead, by: -1, count })
    case "changes:nextFile":
      return step(model, focused, { isWanted: isFile, by: 1, count })
    case "changes:previousFile":
      return step(model, focused, { isWanted: isFile, by: -1, count })
    case "changes:nextSource":
      return cycleSource(model, count)
    case "changes:previousSource":
      return cycleSource(model, -count)
    case "changes:yankHunk":
      return yankHunk(model, focused)
    case "changes:acceptHunk":
      return acceptHunk(model, focused)
    case "changes:revertHunk":
      return askToRevert(model, focused)
    case "changes:comment":
      return askForComment(model, focused)
    case "transcript:undo":
      return undoDeed(model)
    case "transcript:redo":
      return redoDeed(model)
    default:
      return onItem(model, focused, action)
  }
}
