import type { Accept, PickerSpec } from "./picker-spec.ts"
import type { SandboxLook } from "../../../core/sandbox/report.ts"
import { changesOf, sandboxItems } from "./sandbox-list.ts"
import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import { openOverlay, openPicker } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** The list of `/sandbox`: mode and overrides are chosen in it, `t` tries to break out. */

export const runSandbox = (model: AppModel, session: SessionModel): Update =>
  withCommands(model, { _tag: "LookAtSandbox", session: session.id, opens: true })

/** What the shell found; asked for with `/sandbox` it is shown, otherwise it only feeds the status row. */
export const sandboxSeen = (model: AppModel, look: SandboxLook, opens: boolean): Update => {
  const known = { ...model, sandbox: look }
  const { opened } = model.overlays
  // A choice is made in the list, which stays where it is.
  const isOpen = opened?._tag === "Picker" && opened.purpose === "sandbox"
  return withoutCommands(opens && !isOpen ? openPicker(known, "sandbox") : known)
}

const choose: Accept = (model, _overlay, { id, label, detail }) => {
  const session = currentSession(model)
  if (session === undefined || model.sandbox === undefined) return withoutCommands(model)
  const changes = changesOf(model.sandbox.settings, id)
  // A line that is cut off here can be read whole.
  return changes.length === 0
    ? withoutCommands(openOverlay(model, { _tag: "Listing", title: label, lines: [detail], top: 0 }))
    : withCommands(model, { _tag: "ChangeSandbox", session: session.id, changes })
}

export const SANDBOX_PICKER: PickerSpec = {
  title: "Sandbox",
  width: 110,
  context: "Sandbox",
  hint: () => [
    ["select:accept", "choose (for all your projects)"],
    ["sandbox:test", "try to break out"],
    ["select:cancel", "close"]
  ],
  items: ({ sandbox }) => sandboxItems(sandbox),
  accept: choose,
  on: {
    "sandbox:choose": ({ model, overlay, item }) => (item === undefined ? undefined : choose(model, overlay, item)),
    "sandbox:test": ({ model }) => withCommands(model, { _tag: "TestSandbox" })
  }
}
