import { isBlank, isSameDraft, savedDraftOf } from "../prompt/model.ts"
import type { Update } from "./change.ts"
import type { Cmd } from "./cmd.ts"
import type { AppModel } from "./model.ts"
import { AWAITED, type SessionModel } from "./session-model.ts"

/** Whatever changed the text of a prompt, it is given to the shell to keep (UI-150). */

const isToSave = (before: SessionModel | undefined, { prompt }: SessionModel): boolean =>
  before === undefined ? !isBlank(prompt) || prompt.stash !== undefined : !isSameDraft(before.prompt, prompt)

export const saveDrafts = (before: AppModel, after: AppModel): Update => {
  if (before.sessions === after.sessions) return [after, []]
  const cmds = [...after.sessions].flatMap(([id, session]): ReadonlyArray<Cmd> =>
    id !== AWAITED && isToSave(before.sessions.get(id), session)
      ? [{ _tag: "SaveDraft", session: id, draft: savedDraftOf(session.prompt) }]
      : []
  )
  return [after, cmds]
}
