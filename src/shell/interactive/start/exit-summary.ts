import { transcriptMarkdown } from "../../../tui/panes/transcript/transcript-text.ts"
import type { SessionModel } from "../../../tui/model/session-model.ts"
import { visible } from "../../../tui/line/visible.ts"
import { lastAnswer } from "../commands/desktop/answer-for-editor.ts"

/** What stays on the main screen when the full screen goes: its own screen is gone with everything on it. */
export type ExitSummary = "last" | "none" | "all"

const MOST_LINES = 60

const shortened = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines`]

/** Lines with their control characters made visible; none where nothing was said. */
export const exitSummary = (session: SessionModel | undefined, wanted: ExitSummary): ReadonlyArray<string> => {
  if (session === undefined || wanted === "none" || session.state.conversation.messages.length === 0) return []
  if (wanted === "all") return [...visible(transcriptMarkdown(session)).trimEnd().split("\n"), ""]
  const answer = lastAnswer(session.state)
  return answer === "" ? [] : [...shortened(visible(answer).split("\n")), ""]
}
