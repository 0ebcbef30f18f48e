import { goToEntry } from "../../model/conversation/go-to-entry.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { typeInPrompt } from "../prompt/type-in-prompt.ts"
import { absolutePath } from "../../text/absolute-path.ts"
import { withCommands, withoutCommands } from "../../model/update-result.ts"
import { onItem, type ListHandlers } from "../list/focused-list.ts"
import { plural } from "../../transcript/number-format.ts"
import { type TouchedFile, touchedFiles } from "../../transcript/entries/select.ts"
import { shortPath } from "../../text/short-path.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { lineRow } from "../../text/line-rows.ts"
import { type Item, rowItem } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"
import { shortRow } from "../list/short-row.ts"

/** Files that were read, written or named, the latest first. */

const PATH: Look = { role: "text" }
const MARK: Look = { role: "subtle" }
const WRITTEN: Look = { role: "warning", bold: true }

/** Narrower rows need their room for the path. */
const WORDS_FROM = 36

const fileRow = (file: TouchedFile, { session, width }: PaneScene): Row => {
  const { path, reads, writes, mentions, turnsAgo } = file
  const counts = [
    reads > 0 ? `r${reads}` : "",
    writes > 0 ? `w${writes}` : "",
    mentions > 0 ? `@${mentions}` : "",
    turnsAgo > 0 && width >= WORDS_FROM ? `${plural(turnsAgo, "turn")} ago` : ""
  ]
    .filter((part) => part !== "")
    .join(" ")
  const name = shortRow(
    [
      { text: writes > 0 ? "± " : "  ", look: writes > 0 ? WRITTEN : MARK },
      ...sanitize(shortPath(path, session.cwd), "command", { look: PATH })
    ],
    Math.max(1, width - counts.length - 1)
  )
  const gap = " ".repeat(Math.max(1, width - name.width - counts.length))
  return lineRow([...name.spans, { text: gap + counts, look: MARK }], width)
}

export const fileItems = (scene: PaneScene): ReadonlyArray<Item> =>
  touchedFiles(scene.session.transcript)
    .toReversed()
    .map((file) => rowItem({ id: file.path, text: file.path }, { row: () => fileRow(file, scene), source: () => file.path }))

const show = onItem(({ model, session, item }) =>
  withCommands(model, { _tag: "ShowFile", session: session.id, path: absolutePath(item.source, session.cwd) })
)

export const FILE_HANDLERS: ListHandlers = {
  "pane:open": show,
  "list:openFull": show,
  "list:edit": onItem(({ model, session, item }) =>
    withCommands(model, { _tag: "OpenFile", path: absolutePath(item.source, session.cwd), line: undefined })
  ),
  "list:mention": onItem(({ model, item }) => typeInPrompt(insertIntoPrompt(model, `@${item.source} `), "here")),
  "pane:goToCall": onItem(({ model, session, item }) => {
    const entry = touchedFiles(session.transcript).find(({ path }) => path === item.source)?.entryId
    return withoutCommands(entry === undefined ? model : goToEntry(model, entry))
  })
}
