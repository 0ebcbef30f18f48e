import { placeOf } from "../../transcript/state.ts"
import * as Vector from "../../transcript/vector.ts"
import type { Entry } from "../../transcript/block.ts"
import { NEW_LIST } from "../list-state.ts"
import type { TranscriptList } from "../../transcript/list/state/transcript-list.ts"
import { listOpenedAt, listWentTo } from "../../transcript/list/update.ts"
import { notify } from "../update-result.ts"
import { type AppModel, currentSession, withCurrent } from "../app-model.ts"
import type { SessionModel } from "../session-model.ts"
import { transcriptContextOf } from "./transcript-context.ts"
import { showTranscript } from "../windows/window-actions.ts"

/** The way to an entry that has to be read again first. */
const seeking = (session: SessionModel, entry: string, model: AppModel): TranscriptList =>
  listWentTo(session.list, { key: Number.NaN, entry, block: "", offset: 0 }, transcriptContextOf(model, session))

/** Shows the place in the conversation that something in another pane came from: a message, a block or a call. */
export const goToEntry = (model: AppModel, id: string): AppModel => {
  const session = currentSession(model)
  const entry = session === undefined ? undefined : entryOf(session, id)
  const isReleased = entry === undefined && session?.earlier.released !== undefined
  if (entry === undefined && !isReleased) return notify(model, "it is not in the transcript any more")
  const shown = showTranscript(model)
  if (entry === undefined) return withCurrent(shown, (each) => ({ ...each, list: seeking(each, id, shown) }))
  return withCurrent(shown, (each) => ({
    ...each,
    list: listOpenedAt(each.list, { entry: entry.id }, transcriptContextOf(shown, each))
  }))
}

/** Fills the output pane with a message or a call. */
export const withOutput = (model: AppModel, id: string): AppModel =>
  withCurrent(model, (session) => ({
    ...session,
    outputOf: { _tag: "Entry", id },
    lists: { ...session.lists, output: NEW_LIST }
  }))

/** The entry of a call or of a message. */
export const entryOf = ({ transcript }: SessionModel, id: string): Entry | undefined =>
  Vector.get(
    transcript.entries,
    placeOf(
      transcript,
      (entry) =>
        entry.id === id || entry.blocks.some((block) => block.id === id || (block.kind === "tool" && block.callId === id))
    )
  )
