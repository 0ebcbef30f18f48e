import { withoutCommands } from "../../model/update-result.ts"
import { showSession, splitSession } from "../../model/windows/show-session.ts"
import { typeInPrompt } from "../prompt/type-in-prompt.ts"
import { type ListHandlers, onItem } from "../list/focused-list.ts"
import { currentModel } from "../../../core/loop/turn/send-request.ts"
import { runStatusOf } from "../../model/run-status.ts"
import { nameOf, type SessionModel } from "../../model/session-model.ts"
import type { Look } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { Item } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"

/** The live sessions of this process (UI-234): what each does, and which of them need the user. */

const NAME: Look = { role: "text" }
const CURRENT: Look = { role: "claude", bold: true }
const ALERT: Look = { role: "warning", bold: true }
const QUIET: Look = { role: "subtle" }

const markOf = (session: SessionModel, isCurrent: boolean): { readonly text: string; readonly look: Look } => {
  if (session.asks.length > 0) return { text: "! ", look: ALERT }
  if (session.unread > 0 && !isCurrent) return { text: "+ ", look: ALERT }
  return isCurrent ? { text: "▸ ", look: CURRENT } : { text: "  ", look: QUIET }
}

export const sessionItems = ({ model, now, width }: PaneScene): ReadonlyArray<Item> =>
  [...model.sessions.values()].map((session) => {
    const isCurrent = session.id === model.current
    const status = session.ended ?? runStatusOf(session, now)?.words ?? "idle"
    const unread = session.unread > 0 && !isCurrent ? ` · ${session.unread} new` : ""
    return {
      id: session.id,
      source: `${nameOf(session)} ${session.id}`,
      rows: [
        lineRow(
          [
            markOf(session, isCurrent),
            ...sanitize(nameOf(session), "command", { look: isCurrent ? CURRENT : NAME }),
            { text: `  ${status}${unread}  `, look: QUIET },
            ...sanitize(currentModel(session.state), "command", { look: QUIET })
          ],
          width
        )
      ]
    }
  })

export const SESSION_HANDLERS: ListHandlers = {
  "pane:open": onItem(({ model, item }) => typeInPrompt(showSession(model, item.id), "here")),
  "list:openFull": onItem(({ model, item }) => withoutCommands(splitSession(model, item.id, "row")))
}
