import { cursorPlace } from "../../transcript/list/state/cursor.ts"
import { type Place } from "../../transcript/list/index/entries.ts"
import { listWentTo } from "../../transcript/list/update.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { showSession } from "../../model/windows/show-session.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { showTranscript } from "../../model/windows/window-actions.ts"
import { entryOf } from "../../model/conversation/go-to-entry.ts"

/** Marks with a capital letter know their session and bring it back; and what `:marks` and `:jumps` say. */

export const isGlobalMark = (letter: string): boolean => /^[A-Z]$/.test(letter)

export const setGlobalMark = (model: AppModel, letter: string): AppModel => {
  const session = currentSession(model)
  const place = session === undefined ? undefined : cursorPlace(session.list, transcriptContextOf(model, session))
  if (session === undefined || place === undefined) return model
  return { ...model, globalMarks: new Map(model.globalMarks).set(letter, { session: session.id, place }) }
}

export const goToGlobalMark = (model: AppModel, letter: string): Update => {
  const mark = model.globalMarks.get(letter)
  if (mark === undefined) return withoutCommands(notify(model, `mark ${letter} is not set`))
  if (!model.sessions.has(mark.session)) {
    return withCommands(notify(model, `opening the session of mark ${letter}; press the key again there`), {
      _tag: "OpenSession",
      which: { _tag: "Resume", sessionId: mark.session },
      replaces: undefined
    })
  }
  const shown = showTranscript(showSession(model, mark.session))
  // The session may have been opened anew since: only the ids still hold.
  const place = { ...mark.place, key: Number.NaN }
  return withoutCommands(
    withCurrent(shown, (session) => ({
      ...session,
      list: listWentTo(session.list, place, transcriptContextOf(shown, session))
    }))
  )
}

const LINE_CHARS = 80

/** A place in words: who spoke there, and the line of it. */
const placeText = (session: SessionModel | undefined, { entry, block, offset }: Place): string => {
  const found = session === undefined ? undefined : entryOf(session, entry)
  const source = found?.blocks.find(({ id }) => id === block)?.source ?? ""
  const line = source.slice(source.lastIndexOf("\n", offset - 1) + 1).split("\n", 1)[0] ?? ""
  return found === undefined ? "(gone)" : `${found.kind}: ${line.trim().slice(0, LINE_CHARS)}`
}

export const markLines = (model: AppModel): ReadonlyArray<string> => {
  const session = currentSession(model)
  return [
    ...[...(session?.list.marks ?? [])].map(([letter, place]) => `${letter}  ${placeText(session, place)}`),
    ...[...model.globalMarks].map(
      ([letter, mark]) => `${letter}  ${placeText(model.sessions.get(mark.session), mark.place)}`
    )
  ]
}

/** Newest first; the arrow stands where the next step back begins. */
export const jumpLines = (model: AppModel): ReadonlyArray<string> => {
  const session = currentSession(model)
  const jumps = session?.list.jumps
  return (jumps?.places ?? [])
    .map((place, at) => `${at === jumps?.at ? ">" : " "} ${placeText(session, place)}`)
    .toReversed()
}
