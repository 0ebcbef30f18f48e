import { nameOf } from "../../model/session-model.ts"
import { secondsText } from "../../transcript/number-format.ts"
import type { Look } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import type { Item } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"
import { shortRow } from "../list/short-row.ts"

/** Everything that waits for the person, over all sessions (UI-11). It is answered in its dialog only. */

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
