import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import type { AskedHost } from "../../../core/loop/machine/host-question.ts"
import { nameOf } from "../../model/session-model.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { ALLOWED, hostChoices, REFUSED } from "../../model/dialogs/host-choices.ts"
import { choiceRows, EMPTY_ROW, lineRow, textRows, tightChoiceRows } from "../../text/line-rows.ts"
import type { HostDialog } from "../../model/overlay.ts"
import type { Panel } from "../panel/panel.ts"
import type { PermissionScene } from "./permission.ts"

/** The question whether a sandboxed command may reach a host: what it wants, which command it is, the answers. */

const HOST: Look = { role: "warning", bold: true }
const QUIET: Look = { role: "subtle" }

export const openHost = (): HostDialog => ({ _tag: "Host", selected: ALLOWED, top: 0 })

const commandRows = ({ command }: AskedHost, width: number): ReadonlyArray<Row> =>
  command === undefined
    ? textRows("A command in the background wants to connect to it.", width)
    : [...textRows("The command that wants to connect to it:", width), ...textRows(command, width, QUIET, "command")]

const bodyRows = (host: AskedHost, scene: PermissionScene, width: number): ReadonlyArray<Row> => [
  ...textRows(`${host.name}:${host.port}`, width, HOST, "command"),
  EMPTY_ROW,
  ...commandRows(host, width),
  ...(scene.isOneOfMany ? [lineRow(sanitize(nameOf(scene.session), "command", { look: QUIET }), width)] : []),
  EMPTY_ROW,
  ...textRows("No rule says whether sandboxed commands may reach it. The command waits.", width, QUIET)
]

export const hostPanel = (host: AskedHost, { selected, top }: HostDialog, scene: PermissionScene): Panel => {
  const choices = hostChoices(host).map(({ label }, index) => ({ key: String(index + 1), label }))
  return {
    title: "Network request",
    tone: "calm",
    width: 100,
    body: (width) => bodyRows(host, scene, width),
    top,
    foot: (width) => choiceRows(choices, selected, width),
    // The name of the host is in the body in full.
    tightFoot: (width) => tightChoiceRows(choices, selected, width),
    hint: "y yes · n no · 1-4 or Enter answer",
    scrollKey: "d"
  }
}

export type HostOutcome =
  | { readonly _tag: "Open"; readonly dialog: HostDialog }
  | { readonly _tag: "Answered"; readonly answer: PermissionAnswer }

/** One stroke for the dialog. A refusal is for the connection; the turn goes on. */
export const updateHost = (
  dialog: HostDialog,
  host: AskedHost,
  at: { readonly stroke: Stroke; readonly bodyHeight: number }
): HostOutcome => {
  const choices = hostChoices(host)
  const stay = (change: Partial<HostDialog>): HostOutcome => ({ _tag: "Open", dialog: { ...dialog, ...change } })
  const choose = (index: number): HostOutcome => {
    const chosen = choices[index]
    return chosen === undefined ? stay({}) : { _tag: "Answered", answer: chosen.answer }
  }
  const { stroke } = at
  if (/^[1-9]$/.test(stroke)) return choose(Number(stroke) - 1)
  const page = Math.max(1, at.bodyHeight - 1)
  switch (stroke) {
    case "y":
      return choose(ALLOWED)
    case "n":
    case "<Esc>":
      return choose(REFUSED)
    case "<CR>":
      return choose(dialog.selected)
    case "j":
    case "<Down>":
    case "<C-n>":
      return stay({ selected: (dialog.selected + 1) % choices.length })
    case "k":
    case "<Up>":
    case "<C-p>":
      return stay({ selected: (dialog.selected + choices.length - 1) % choices.length })
    case "d":
    case "<C-d>":
    case "<PageDown>":
      return stay({ top: dialog.top + page })
    case "u":
    case "<C-u>":
    case "<PageUp>":
      return stay({ top: Math.max(0, dialog.top - page) })
    default:
      return stay({})
  }
}
