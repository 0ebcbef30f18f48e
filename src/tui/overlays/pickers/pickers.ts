import type { PickerPurpose } from "../../model/overlay.ts"
import { REWIND_PICKER, SELECTOR_PICKER } from "./earlier-prompts.ts"
import { HELP_PICKER } from "./help.ts"
import { NOTE_PICKER } from "./note-place.ts"
import { MESSAGE_PICKER } from "./message-menu.ts"
import { MODEL_PICKER } from "./models.ts"
import { SESSIONS_PICKER } from "./on-browser.ts"
import { MEMORIES_PICKER } from "./on-memory.ts"
import { PERMISSIONS_PICKER } from "./on-permissions.ts"
import { QUEUE_PICKER } from "./on-queue.ts"
import { SANDBOX_PICKER } from "./on-sandbox.ts"
import { PALETTE_PICKER } from "./palette.ts"
import type { PickerSpec } from "./picker-spec.ts"
import { THEME_PICKER } from "./themes.ts"

export const PICKERS: Readonly<Record<PickerPurpose, PickerSpec>> = {
  palette: PALETTE_PICKER,
  help: HELP_PICKER,
  model: MODEL_PICKER,
  theme: THEME_PICKER,
  sessions: SESSIONS_PICKER,
  selector: SELECTOR_PICKER,
  rewind: REWIND_PICKER,
  message: MESSAGE_PICKER,
  memory: NOTE_PICKER,
  memories: MEMORIES_PICKER,
  permissions: PERMISSIONS_PICKER,
  sandbox: SANDBOX_PICKER,
  queue: QUEUE_PICKER
}
