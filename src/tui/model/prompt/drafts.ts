import { unreadPastes } from "../../prompt/chip.ts"
import { isBlank, isSameDraft, type SavedDraft, savedDraftOf } from "../../prompt/model.ts"
import type { Update } from "../update-result.ts"
import type { Cmd } from "../cmd.ts"
import type { AppModel } from "../app-model.ts"
import { AWAITED, type SessionModel } from "../session-model.ts"
import { lineText } from "../waiting-line.ts"

/** Whatever changed the text of a prompt, it is given to the shell to keep; pastes that came with it are read. */

const isToSave = (before: SessionModel | undefined, { prompt, waiting }: SessionModel): boolean =>
  before === undefined
    ? !isBlank(prompt) || prompt.stash !== undefined || waiting.length > 0
    : !isSameDraft(before.prompt, prompt) || before.waiting !== waiting

const unsentOf = ({ prompt, waiting }: SessionModel): SavedDraft => ({
  ...savedDraftOf(prompt),
  ...(waiting.length === 0 ? {} : { waiting: waiting.map(lineText) })
})

const pastesToRead = ({ id, prompt }: SessionModel): ReadonlyArray<Cmd> => {
  const stored = unreadPastes(prompt.chips)
  return stored.length === 0 ? [] : [{ _tag: "ReadPastes", session: id, stored }]
}

export const saveDrafts = (before: AppModel, after: AppModel): Update => {
  if (before.sessions === after.sessions) return [after, []]
  const cmds = [...after.sessions].flatMap(([id, session]): ReadonlyArray<Cmd> => {
    if (id === AWAITED) return []
    const was = before.sessions.get(id)
    return [
      ...(isToSave(was, session) ? [{ _tag: "SaveDraft" as const, session: id, draft: unsentOf(session) }] : []),
      ...(was?.prompt.chips === session.prompt.chips ? [] : pastesToRead(session))
    ]
  })
  return [after, cmds]
}
