import type { Handler } from "../../model/action.ts"
import {
  type KnownFile,
  knownFileText,
  type UndoableChange,
  type MemoryLook,
  placeText
} from "../../../core/context/memory/look.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import { closeOverlay, openPicker } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { notify, type Update, withCommands, withoutCommands } from "../../model/update-result.ts"
import { textRows } from "../../text/line-rows.ts"
import { type Accept, type AtPicker, item, type PickerSpec } from "./picker-spec.ts"
import type { PickerItem } from "./picker.ts"

/** The screen of `/memory`: what the model knows between conversations, to edit, delete and bring back. */

const MOST_CHANGES = 50

const undoLast = (model: AppModel, session: SessionModel): Update => {
  const { changes } = model.memory
  const change = changes.at(-1)
  if (change === undefined) return withoutCommands(notify(model, "there is nothing to undo in memory"))
  const left: AppModel = { ...model, memory: { ...model.memory, changes: changes.slice(0, -1) } }
  return withCommands(left, { _tag: "UndoMemory", session: session.id, change })
}

export const runMemory = (model: AppModel, session: SessionModel, argument: string): Update => {
  switch (argument) {
    case "":
      return withCommands(model, { _tag: "LookAtMemory", session: session.id, opens: true })
    case "undo":
      return undoLast(model, session)
    case "reload":
      return withCommands(notify(model, "instructions are read again with the next prompt"), {
        _tag: "ReloadInstructions",
        session: session.id
      })
    case "on":
    case "off":
      return withCommands(model, { _tag: "SwitchMemory", isOn: argument === "on" })
    default:
      return withoutCommands(
        notify(model, "say /memory, /memory undo, /memory reload, /memory on or /memory off", { style: "error" })
      )
  }
}

/** What the shell found. Asked for, it is shown; otherwise a list that is open follows it. */
export const memorySeen = (model: AppModel, look: MemoryLook, opens: boolean): Update => {
  const known: AppModel = { ...model, memory: { ...model.memory, look } }
  const { opened } = model.overlays
  const isOpen = opened?._tag === "Picker" && opened.purpose === "memories"
  return withoutCommands(opens && !isOpen ? openPicker(known, "memories") : known)
}

export const memoryChanged = (model: AppModel, change: UndoableChange): Update =>
  withoutCommands({ ...model, memory: { ...model.memory, changes: [...model.memory.changes, change].slice(-MOST_CHANGES) } })

const NOT_YET = "it comes with the first memory"

const itemOf = (file: KnownFile): PickerItem =>
  item(file.path, file.label, {
    detail: file.detail,
    right: knownFileText(file),
    group: file.group,
    also: () => file.path,
    ...(file.group === "memory" && file.tokens === undefined ? { disabled: NOT_YET } : {})
  })

const chosenFile = ({ memory }: AppModel, chosen: PickerItem | undefined): KnownFile | undefined =>
  memory.look?.files.find(({ path }) => path === chosen?.id)

const open: Accept = (model, _overlay, chosen) => {
  const file = chosenFile(model, chosen)
  return file === undefined
    ? withoutCommands(model)
    : withCommands(closeOverlay(model), { _tag: "OpenFile", path: file.path, line: 1 })
}

const remove: Handler<AtPicker> = ({ model, item: chosen }) => {
  const session = currentSession(model)
  const file = chosenFile(model, chosen)
  if (session === undefined || file === undefined) return undefined
  return file.name === undefined
    ? withoutCommands(notify(model, "only files of the memory are deleted here; Enter edits this one", { style: "warning" }))
    : withCommands(model, { _tag: "DeleteMemory", session: session.id, name: file.name })
}

const undo: Handler<AtPicker> = ({ model }) => {
  const session = currentSession(model)
  return session === undefined ? undefined : undoLast(model, session)
}

const isOn = ({ memory }: AppModel): boolean => memory.look?.place._tag === "On"

export const MEMORIES_PICKER: PickerSpec = {
  title: "Memory",
  width: 110,
  context: "Memory",
  hint: () => [
    ["select:accept", "edit"],
    ["memory:delete", "delete"],
    ["memory:undo", "undo"],
    ["memory:switch", "on or off"],
    ["select:cancel", "close"]
  ],
  items: ({ memory }) => memory.look?.files.map(itemOf) ?? [],
  accept: open,
  on: {
    "memory:delete": remove,
    "memory:undo": undo,
    "memory:switch": ({ model }) => withCommands(model, { _tag: "SwitchMemory", isOn: !isOn(model) })
  },
  below: ({ memory }, _overlay, width) => (memory.look === undefined ? [] : textRows(placeText(memory.look.place), width))
}
