import { toggleFold, yankItem } from "../list/list-actions.ts"
import type { IdsOf } from "../../keymap/actions/action-tables.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import { isHunkHead, lineInFile } from "./change-items.ts"
import { changedPlace } from "./changes.ts"
import { cursorIndex, type Item, movedTo, NEW_LIST } from "../../model/list-state.ts"
import { changedFiles, turnsOf } from "../../transcript/entries/select.ts"
import { hunkPatch, unifiedSource } from "../../text/diff/diff-source.ts"
import { absolutePath } from "../../text/absolute-path.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { redoAction, undoAction } from "../../model/undoable-actions.ts"
import { type FocusedList, withList, onItem, type ListHandlers } from "../list/focused-list.ts"
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
    ? withCommands(next, { _tag: "LoadDiff", session: model.current })
    : withoutCommands(next)
}

/** Hunks and files are items; going to one is going to an item. */
const step =
  (isWanted: (item: Item) => boolean, by: 1 | -1): Handler<FocusedList> =>
  ({ model, list, context }, { count }) => {
    const here = cursorIndex(list, context.items)
    const places = context.items.flatMap((item, index) => (isWanted(item) ? [index] : []))
    const ahead = by === 1 ? places.filter((index) => index > here) : places.filter((index) => index < here).toReversed()
    const target = ahead[Math.min(count ?? 1, ahead.length) - 1]
    return withoutCommands(
      target === undefined
        ? notify(model, "no more in this direction")
        : withList(model, "changes", movedTo(list, target, context))
    )
  }

const openInEditor = (model: AppModel, session: SessionModel, item: Item): Update => {
  const place = changedPlace(session, item.id)
  if (place === undefined) return withoutCommands(model)
  const { path, hunks } = place.view.diff
  const hunk = place.hunk ?? hunks[0]
  return withCommands(model, {
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
  return withoutCommands(
    entry === undefined ? notify(model, "no call of this session changed that file") : goToEntry(model, entry)
  )
}

const showPatch = (model: AppModel, session: SessionModel, item: Item): Update => {
  const view = changedPlace(session, item.id)?.view
  if (view === undefined) return withoutCommands(model)
  const text = unifiedSource([view.diff]).source
  const shown = withCurrent(model, (each) => ({
    ...each,
    outputOf: { _tag: "Text", title: view.diff.path, text },
    lists: { ...each.lists, output: NEW_LIST }
  }))
  return withoutCommands(showPane(shown, "output"))
}

/** The hunk under the cursor; on the head of a file its first one. */
const yankHunk = (focused: FocusedList): Update => {
  const { model } = focused
  const here = hunkUnder(focused)
  return here === undefined
    ? withoutCommands(notify(model, "there is no hunk here"))
    : yank(model, hunkPatch(here.place.view.diff, here.hunk).replace(/\n$/, ""), { what: "the hunk", type: "line" })
}

const isFile = (item: Item): boolean => item.id === item.fold

const edit = onItem(({ model, session, item }) => openInEditor(model, session, item))

export const CHANGES_HANDLERS: Handlers<IdsOf<"Diff">, FocusedList> & ListHandlers = {
  "changes:nextHunk": step(isHunkHead, 1),
  "changes:previousHunk": step(isHunkHead, -1),
  "changes:nextFile": step(isFile, 1),
  "changes:previousFile": step(isFile, -1),
  "changes:nextSource": ({ model }, { count = 1 }) => cycleSource(model, count),
  "changes:previousSource": ({ model }, { count = 1 }) => cycleSource(model, -count),
  "changes:yankHunk": yankHunk,
  "changes:acceptHunk": acceptHunk,
  "changes:revertHunk": askToRevert,
  "changes:comment": askForComment,
  "changes:openInEditor": edit,
  "list:edit": edit,
  "pane:open": (at, press) => (at.item !== undefined && isFile(at.item) ? toggleFold : edit)(at, press),
  "pane:yank": yankItem,
  "list:openFull": onItem(({ model, session, item }) => showPatch(model, session, item)),
  "pane:goToCall": onItem(({ model, session, item }) => goToCall(model, session, item)),
  "list:mention": onItem(({ model, session, item }) =>
    typeInPrompt(insertIntoPrompt(model, `@${changedPlace(session, item.id)?.view.diff.path ?? ""} `), "here")
  ),
  "transcript:undo": ({ model }) => undoAction(model),
  "transcript:redo": ({ model }) => redoAction(model)
}
