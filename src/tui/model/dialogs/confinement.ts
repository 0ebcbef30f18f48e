import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import { leavingReason } from "../../../core/permission/decide/sandbox-placement.ts"
import type { AgentState } from "../../../core/loop/machine/state.ts"
import { fieldsOf, textField } from "../../transcript/fields.ts"

/** Whether a command that asks would run in the sandbox, and how the dialogs say it. */
interface Held {
  readonly state: AgentState
}

/** A command that would run in the sandbox. */
export const isConfined = ({ tool, input }: PermissionQuestion, { state: { permission: context } }: Held): boolean =>
  tool === "Bash" &&
  context.sandbox.enabled &&
  leavingReason({ context, input }, textField(fieldsOf(input), "command")) === undefined

/** How far a command would be held back; other calls touch nothing but what the dialog shows. */
export const confinement = (question: PermissionQuestion, session: Held): string => {
  if (question.tool !== "Bash") return ""
  if (!session.state.permission.sandbox.enabled) return "no sandbox"
  return isConfined(question, session) ? "in the sandbox" : "outside the sandbox"
}

/** Where a call would run: the directory that the shell of the conversation is in now, and how far it is held back. */
export const runsIn = (question: PermissionQuestion, session: Held): string =>
  [session.state.cwd, confinement(question, session)].filter((words) => words !== "").join(" · ")
