import { nameOf } from "../app/session-model.ts"
import { secondsText } from "../transcript/figures.ts"
import type { Look } from "../text/row.ts"
import { sanitize } from "../text/sanitize.ts"
import type { Item } from "./list-state.ts"
import type { PaneScene } from "./scene.ts"
import { shortRow } from "./short-row.ts"

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
