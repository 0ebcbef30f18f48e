import { type OverlayActionId, numberOf } from "../../keymap/actions/action-tables.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { describeUpdate } from "../../../core/permission/configuration/update.ts"
import { type AskedHost, rememberHost } from "../../../core/loop/machine/host-question.ts"
import { describeSaving } from "./save-destination.ts"

/** The question whether a sandboxed command may reach a host: its words, its answers, and what keys do to it. */
export interface HostDialog {
  readonly _tag: "Host"
  readonly selected: number
  /** The whole question was on screen, with everything that an answer would save. */
  readonly isRead: boolean
}

export interface HostChoice {
  readonly label: string
  readonly answer: PermissionAnswer
}

/** The plain answers among them. */
export const ALLOWED = 0
export const REFUSED = 2

export const openHost = (): HostDialog => ({ _tag: "Host", selected: ALLOWED, isRead: false })

export const hostName = ({ name, port }: AskedHost): string => `${name}:${port}`

/** What wants to connect; a command that went to the background is not known any more. */
export const wantedBy = ({ command }: AskedHost): string => command ?? "a command in the background"

export const HOST_WHY = "No rule says whether sandboxed commands may reach it. The command waits."

export const hostChoices = ({ name }: AskedHost): ReadonlyArray<HostChoice> => {
  const refusal = { behavior: "deny", message: `The user refused the connection to ${name}.` } as const
  const [allowing, denying] = [rememberHost(name, "allow"), rememberHost(name, "deny")]
  return [
    { label: "Yes, for this command", answer: { behavior: "allow" } },
    {
      label: describeSaving([allowing]),
      answer: { behavior: "allow", updates: [allowing] }
    },
    { label: "No", answer: refusal },
    {
      label: `No, never in this project: ${describeUpdate(denying).replace(/^deny /, "")}`,
      answer: { ...refusal, updates: [denying] }
    }
  ]
}

/** An action, and whether the panel has no room for all that a choice says: what would be saved must have been read. */
export interface DialogAct {
  readonly id: OverlayActionId
  readonly isCut: (choice: number) => boolean
}

export type HostOutcome =
  | { readonly _tag: "Open"; readonly dialog: HostDialog }
  | { readonly _tag: "Answered"; readonly answer: PermissionAnswer }
  /** The whole of what is asked is to be read. */
  | { readonly _tag: "Whole"; readonly dialog: HostDialog }

/** One action on the dialog; undefined where it has no meaning there. A refusal is for the connection; the turn goes on. */
export const updateHost = (dialog: HostDialog, host: AskedHost, { id, isCut }: DialogAct): HostOutcome | undefined => {
  const choices = hostChoices(host)
  const whole: HostOutcome = { _tag: "Whole", dialog: { ...dialog, isRead: true } }
  const select = (selected: number): HostOutcome => ({ _tag: "Open", dialog: { ...dialog, selected } })
  const choose = (index: number): HostOutcome | undefined => {
    const chosen = choices[index]
    if (chosen === undefined) return undefined
    if (chosen.answer.updates !== undefined && isCut(index) && !dialog.isRead) return whole
    return { _tag: "Answered", answer: chosen.answer }
  }
  const number = numberOf(id)
  if (number !== undefined) return choose(Number(number) - 1)
  switch (id) {
    case "confirm:yes":
      return choose(ALLOWED)
    case "confirm:no":
    case "confirm:leave":
      return choose(REFUSED)
    case "confirm:choose":
      return choose(dialog.selected)
    case "confirm:next":
      return select((dialog.selected + 1) % choices.length)
    case "confirm:previous":
      return select((dialog.selected + choices.length - 1) % choices.length)
    case "confirm:zoomDiff":
      return whole
    default:
      return undefined
  }
}
