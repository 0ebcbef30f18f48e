/** Every action by its keys, for normal and for visual mode. */
import type { Action } from "./action.ts"
import { editActions } from "./editing.ts"
import { insertActions } from "./inserting.ts"
import { macroActions, memoryActions } from "./memory.ts"
import { modeActions, visualModeActions } from "./modes.ts"

export const actions: ReadonlyMap<string, Action> = new Map(
  Object.entries({ ...insertActions, ...editActions, ...memoryActions, ...macroActions, ...modeActions })
)

export const visualActions: ReadonlyMap<string, Action> = new Map(Object.entries({ ...macroActions, ...visualModeActions }))
