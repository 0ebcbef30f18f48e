import type { ColourDepth } from "../../screen/style/theme.ts"
import { CONSERVATIVE_PROFILE, type WidthProfile } from "../../screen/cell/width-profile.ts"

/**
 * What the terminal can do, as one value. The terminal room finds it out, settings may overrule any field, and the
 * renderer only reads it. It is a constant between two answers of the terminal: caches are kept by its identity.
 */
export interface Capabilities {
  readonly colourDepth: ColourDepth
  /** Mode 2026: the terminal shows a frame whole. */
  readonly syncOutput: boolean
  readonly hyperlinks: boolean
  /** Erasing and scrolling fill with the current background. */
  readonly erasesWithBackground: boolean
  readonly scrollRegions: boolean
  readonly underlineStyles: boolean
  readonly underlineColour: boolean
  readonly strike: boolean
  readonly cursorShape: boolean
  readonly title: boolean
  readonly progress: boolean
  /** OSC 52 is understood. */
  readonly clipboard: boolean
  readonly notifications: NotificationChannel
  readonly keyboard: KeyboardProtocol
  readonly multiplexer: Multiplexer
  readonly widthProfile: WidthProfile
  readonly reflow: Reflow
}
export type KeyboardProtocol = "legacy" | "modifyOtherKeys" | "kitty"
/** Which wrapping a sequence needs to reach the terminal outside. */
export type Multiplexer = "none" | "tmux" | "screen"
/**
 * What becomes of long rows when the terminal gets narrower. none: they are cut. follows: they are broken, and the
 * cursor stays on its text. spares: they are broken, but for the row with the cursor.
 */
export type Reflow = "none" | "follows" | "spares"
export type NotificationChannel = "none" | "bell" | "osc9" | "osc99" | "osc777"

/** What can be relied on when nothing is known. */
export const BASIC_CAPABILITIES: Capabilities = {
  colourDepth: "16",
  syncOutput: false,
  hyperlinks: false,
  erasesWithBackground: false,
  scrollRegions: false,
  underlineStyles: false,
  underlineColour: false,
  strike: false,
  cursorShape: false,
  title: false,
  progress: false,
  clipboard: false,
  notifications: "none",
  keyboard: "legacy",
  multiplexer: "none",
  widthProfile: CONSERVATIVE_PROFILE,
  reflow: "none"
}
