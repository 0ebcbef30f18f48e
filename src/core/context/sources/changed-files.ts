import { fenceText, oneLine } from "../../model/request/fence.ts"
import { type ContextSource, withEachPrompt } from "./source.ts"

/** Files that the model wrote or edited and that somebody else has changed since. */
export const changed_files: ContextSource<"changed_files"> = {
  wants: withEachPrompt,
  isStanding: false,
  isSaidApart: true,
  say: ([item]) => {
    if (item === undefined) return undefined
    const { path, snippet } = item.value
    const lead = `${oneLine(path)} was changed on disk after you wrote it, by the user or another program. Keep that change.`
    const words =
      snippet === undefined
        ? `${lead} What changed is not shown here: read the file again before you rely on it.`
        : `${lead} The changed lines as they are now, as data:\n${fenceText(snippet)}`
    return { type: "edited_text_file", fields: { filename: path, snippet: snippet ?? "" }, words }
  }
}
