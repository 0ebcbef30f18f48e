import type { SandboxLook } from "../../../core/sandbox/report.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { pickerWith } from "../../model/overlay.ts"
import { type PickerItem } from "./picker.ts"
import { changesOf } from "./sandbox-list.ts"
import { doing, only, type Update } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { openOverlay, openPicker } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** The list of `/sandbox`: mode and overrides are chosen in it, `t` tries to break out. */

export const runSandbox = (model: AppModel, session: SessionModel): Update =>
  doing(model, { _tag: "LookAtSandbox", session: session.id, opens: true })

/** What the shell found; asked for with `/sandbox` it is shown, otherwise it only feeds the status row. */
export const sandboxSeen = (model: AppModel, look: SandboxLook, opens: boolean): Update => {
  const known = { ...model, sandbox: look }
  const { opened } = model.overlays
  // A choice is made in the list, which stays where it is.
  const isOpen = opened?._tag === "Picker" && opened.purpose === "sandbox"
  return only(opens && !isOpen ? openPicker(known, "sandbox", pickerWith(false)) : known)
}

export const onSandboxKey = (
  model: AppModel,
  session: SessionModel,
  at: { readonly stroke: Stroke; readonly item: PickerItem | undefined }
): Update => {
  if (at.stroke === "t") return doing(model, { _tag: "TestSandbox" })
  const isChoice = at.stroke === "<CR>" || at.stroke === " "
  if (!isChoice || model.sandbox === undefined || at.item === undefined) return only(model)
  const changes = changesOf(model.sandbox.settings, at.item.id)
  // A line that is cut off here can be read whole.
  if (changes.length === 0) {
    return only(openOverlay(model, { _tag: "Listing", title: at.item.label, lines: [at.item.detail], top: 0 }))
  }
  return doing(model, { _tag: "ChangeSandbox", session: session.id, changes })
}
