import type { AskedHost } from "../../../core/loop/machine/host-question.ts"
import type { Look } from "../../screen/style/row.ts"
import { textRows } from "../../text/line-rows.ts"
import { HOST_WHY, type HostDialog, hostChoices, hostName, wantedBy } from "../dialogs/host-state.ts"
import type { HintedPanel } from "./dock-panel.ts"

/** The question whether a sandboxed command may reach a host, as a panel. */

const COMMAND: Look = { role: "code" }
const WHY: Look = { role: "subtle", italic: true }

export const hostPanel = (host: AskedHost, { selected }: HostDialog): HintedPanel => ({
  title: { lead: "Reach ", path: hostName(host), tail: "" },
  aside: "",
  tone: "calm",
  body: (width) => ({
    rows: textRows(wantedBy(host), width, COMMAND, "command"),
    from: 0,
    beyond: 0,
    least: 3,
    why: textRows(HOST_WHY, width, WHY),
    weight: "half"
  }),
  choices: hostChoices(host).map(({ label, answer }, index) => ({
    key: String(index + 1),
    label,
    saves: answer.updates !== undefined
  })),
  selected,
  note: "",
  hints: [
    ["confirm:zoomDiff", "all"],
    ["confirm:yes", "yes"],
    ["confirm:no", "no"]
  ]
})
