import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import { describeUpdate } from "../../../core/permission/configuration/update.ts"
import { type AskedHost, rememberHost } from "../../../core/loop/machine/host-question.ts"

/** The answers to the question about a host; the full-screen dialog and the line mode offer the same ones. */
export interface HostChoice {
  readonly label: string
  readonly answer: PermissionAnswer
}

/** The plain answers among them. */
export const ALLOWED = 0
export const REFUSED = 2

export const hostChoices = ({ name }: AskedHost): ReadonlyArray<HostChoice> => {
  const refusal = { behavior: "deny", message: `The user refused the connection to ${name}.` } as const
  const [allowing, denying] = [rememberHost(name, "allow"), rememberHost(name, "deny")]
  return [
    { label: "Yes, for this command", answer: { behavior: "allow" } },
    {
      label: `Yes, and don't ask again in this project: ${describeUpdate(allowing)}`,
      answer: { behavior: "allow", updates: [allowing] }
    },
    { label: "No", answer: refusal },
    {
      label: `No, and don't ask again in this project: ${describeUpdate(denying)}`,
      answer: { ...refusal, updates: [denying] }
    }
  ]
}
