import type { Overlay } from "../model/overlay.ts"
import { CONFIRM_OVERLAY } from "./dialogs/confirm.ts"
import { EXIT_OVERLAY } from "./dialogs/exit.ts"
import { ONBOARDING_OVERLAY } from "./dialogs/on-onboarding.ts"
import { SETTINGS_OVERLAY } from "./dialogs/settings-error.ts"
import { TRUST_OVERLAY } from "./dialogs/trust.ts"
import { DOCKED_OVERLAY } from "./dock/on-docked-key.ts"
import { HISTORY_OVERLAY } from "./history.ts"
import { LISTING_OVERLAY } from "./listing.ts"
import type { AnyOverlay } from "./panel/overlay-spec.ts"
import { PICKER_OVERLAY } from "./pickers/picker-overlay.ts"

/** Everything that can lie above the panes, or above the prompt. */
export const OVERLAYS: Readonly<Record<Overlay["_tag"], AnyOverlay>> = {
  Confirm: CONFIRM_OVERLAY,
  Exit: EXIT_OVERLAY,
  Host: DOCKED_OVERLAY,
  Permission: DOCKED_OVERLAY,
  Question: DOCKED_OVERLAY,
  History: HISTORY_OVERLAY,
  Listing: LISTING_OVERLAY,
  Onboarding: ONBOARDING_OVERLAY,
  Picker: PICKER_OVERLAY,
  Settings: SETTINGS_OVERLAY,
  Trust: TRUST_OVERLAY
}
