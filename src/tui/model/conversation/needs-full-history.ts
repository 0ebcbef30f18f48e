import type { PaneId } from "../../screen/layout/tree.ts"
import { planOf } from "../windows/layout-and-focus.ts"
import type { AppModel } from "../app-model.ts"
import type { SessionModel } from "../session-model.ts"

/** Panes and lists that gather from the whole session; while one of them is on screen, all of it has to be here. */

const gathersAll = ({ changesOf, outputOf }: SessionModel, pane: PaneId): boolean => {
  if (pane === "changes") return changesOf._tag === "Turn"
  return pane === "files" || (pane === "output" && outputOf?._tag === "Matches")
}

const choosesPrompt = ({ overlays: { opened } }: AppModel): boolean =>
  opened?._tag === "Picker" && (opened.purpose === "selector" || opened.purpose === "rewind")

export const showsAll = (model: AppModel, session: SessionModel): boolean =>
  choosesPrompt(model) || planOf(model).panes.some(({ leaf }) => gathersAll(session, leaf.pane))
