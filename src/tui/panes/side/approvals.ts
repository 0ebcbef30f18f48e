import type { IdsOf } from "../../keymap/actions/action-tables.ts"
import type { Handlers } from "../../model/action.ts"
import { askId } from "../../model/asks.ts"
import { withoutCommands } from "../../model/update-result.ts"
import { onItem, type FocusedList, type ListHandlers } from "../list/focused-list.ts"
import { nameOf } from "../../model/session-model.ts"
import { secondsText } from "../../transcript/number-format.ts"
import type { Look } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import type { Item } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"
import { shortRow } from "../list/short-row.ts"

/** Everything that waits for the user, over all sessions. It is answered in its dialog only. */

const TOOL: Look = { role: "warning", bold: true }
const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }

export const approvalId = (session: string, callId: string): string => `${session}/${callId}`

export const approvalItems = ({ model, now, width }: PaneScene): ReadonlyArray<Item> =>
  [...model.sessions.values()].flatMap((session) =>
    session.asks.map(({ question, askedAt }) => ({
      id: approvalId(session.id, question.callId),
      source: question.summary,
      rows: [
        shortRow(
          [
            { text: `? ${question.host === undefined ? question.tool : "network"} `, look: TOOL },
            ...sanitize(question.summary, "command", { look: TEXT }),
            { text: `  ${secondsText(now - askedAt)} · `, look: QUIET },
            ...sanitize(nameOf(session), "command", { look: QUIET })
          ],
          width
        )
      ]
    }))
  )

/** The dialog opens; nothing is ever answered from the list. */
const openQuestion = onItem(({ model, item }) => {
  const [session = "", callId = ""] = item.id.split("/")
  return withoutCommands({
    ...model,
    overlays: { ...model.overlays, summoned: true, shown: askId(session, callId), shownSince: model.now, keyboard: "asked" }
  })
})

export const APPROVAL_HANDLERS: Handlers<IdsOf<"Approvals">, FocusedList> & ListHandlers = {
  "approvals:open": openQuestion,
  "pane:open": openQuestion,
  "list:openFull": openQuestion
}
