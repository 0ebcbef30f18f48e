import { listChanged } from "../../transcript/list/update.ts"
import type { Transcript } from "../../transcript/state.ts"
import type { AppModel } from "../app-model.ts"
import type { SessionModel } from "../session-model.ts"
import { transcriptContextOf } from "./transcript-context.ts"

/** A session whose transcript changed: the list follows, and what is still loading hears of it later. */
export const withTranscript = (
  model: AppModel,
  before: SessionModel,
  change: (transcript: Transcript) => Transcript
): SessionModel => {
  const transcript = change(before.transcript)
  if (transcript === before.transcript) return before
  const { loading } = before
  const session =
    loading === undefined ? before : { ...before, loading: { ...loading, missed: [...loading.missed, change] } }
  const next = { ...session, transcript }
  return { ...next, list: listChanged(next.list, transcript.entries, transcriptContextOf(model, next)) }
}
