import { cursorBlock } from "../../transcript/list/state/cursor.ts"
import { blockLines, lineOfOffset, lineRange } from "../../transcript/list/index/line-starts.ts"
import { fileAt, objectAt } from "../../transcript/list/commands/objects.ts"
import { textOf } from "../../transcript/list/state/ranges.ts"
import { linkAround } from "../../transcript/list/commands/words.ts"
import { absolutePath } from "../../text/absolute-path.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { confirmOverlay } from "../../model/confirm.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"

/** The path or the link under the cursor of the transcript. */

const PATH_LINE = /^(.*?)(?::(\d+))?(?::\d+)?$/

/** The path under the cursor with the line behind it, or the file that the block is about. */
const pathHere = (
  model: AppModel,
  session: SessionModel
): { readonly path: string; readonly line: number | undefined } | undefined => {
  const context = transcriptContextOf(model, session)
  const range = objectAt(session.list, "if", { count: 1, context })
  const found = range === undefined ? fileAt(session.list, context) : textOf(session.list.entries, range)
  if (found === undefined) return undefined
  const [, path = found, line] = PATH_LINE.exec(found) ?? []
  return { path: absolutePath(path, session.cwd), line: line === undefined ? undefined : Number(line) }
}

export const openPath = (model: AppModel, session: SessionModel, where: "editor" | "output"): Update => {
  const found = pathHere(model, session)
  if (found === undefined) return withoutCommands(notify(model, "there is no path under the cursor"))
  return withCommands(
    model,
    where === "editor" ? { _tag: "OpenFile", ...found } : { _tag: "ShowFile", session: session.id, path: found.path }
  )
}

/** The link under the cursor is opened after its target was shown. */
export const openLink = (model: AppModel, session: SessionModel): Update => {
  const here = cursorBlock(session.list, transcriptContextOf(model, session))
  if (here === undefined) return withoutCommands(model)
  const line = lineOfOffset(here.at.block, here.place.offset)
  const found = linkAround(blockLines(here.at.block).at(line), here.place.offset - lineRange(here.at.block, line).start)
  if (found === undefined) return withoutCommands(notify(model, "there is no link under the cursor"))
  return withoutCommands(
    openOverlay(
      model,
      confirmOverlay(
        { _tag: "OpenLink", url: found.text },
        { question: `Open this link?\n\n${found.text}`, yes: "Open it", no: "Never mind" }
      )
    )
  )
}
