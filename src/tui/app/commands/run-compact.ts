import { readCompactWords, readRounds } from "../../../core/context/reduction/compact-words.ts"
import { compactionPreview, NO_SUMMARY, summaryText } from "../../../core/loop/reduction/preview.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { notify, type Update, withCommands, withoutCommands } from "../../model/update-result.ts"

/** What is done about compactions: before one, and after one. */

const list = (model: AppModel, title: string, lines: ReadonlyArray<string>): Update =>
  withoutCommands(openOverlay(model, { _tag: "Listing", title, lines, top: 0 }))

const withSummary = (model: AppModel, session: SessionModel, use: (text: string) => Update): Update => {
  const text = summaryText(session.state)
  return text === undefined ? withoutCommands(notify(model, NO_SUMMARY)) : use(text)
}

export const runCompact = (model: AppModel, session: SessionModel, argument: string): Update => {
  const words = readCompactWords(argument)
  switch (words._tag) {
    case "Compact":
      return withCommands(model, { _tag: "Compact", session: session.id, focus: words.focus })
    case "Preview":
      return list(model, "What a compaction would do now", compactionPreview(session.state))
    case "Show":
      return withSummary(model, session, (text) => list(model, "What stands in for the older part", text.split("\n")))
    case "Edit":
      return withSummary(model, session, (text) => withCommands(model, { _tag: "EditSummary", session: session.id, text }))
    case "Undo":
    case "Redo":
      return withCommands(model, { _tag: "AboutCompaction", session: session.id, wish: words })
  }
}

export const runSnip = (model: AppModel, session: SessionModel, argument: string): Update => {
  const rounds = readRounds(argument)
  return rounds === undefined
    ? withoutCommands(notify(model, "say how many rounds: /snip N", { style: "error" }))
    : withCommands(model, { _tag: "Snip", session: session.id, rounds })
}
