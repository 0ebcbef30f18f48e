import type { Keymap } from "../keymap/keymap.ts"
import type { Size } from "../screen/layout/size-class.ts"
import type { Capabilities } from "../terminal/render/capabilities.ts"
import { NOTHING_KEPT } from "./persisted-registers.ts"
import { type AppModel, NEW_LAYOUT } from "./app-model.ts"
import { NO_STATUS_LINE } from "./status-line.ts"
import { NO_NOTICES } from "./notices.ts"
import type { UiOptions } from "./ui-options.ts"

/** The interface before anything happened. */
export interface InitialFacts {
  readonly size: Size
  readonly caps: Capabilities
  readonly options: UiOptions
  readonly keymap: Keymap
  readonly now: number
}

export const initialModel = ({ size, caps, options, keymap, now }: InitialFacts): AppModel => ({
  now,
  size,
  caps,
  answered: [],
  unknownInput: 0,
  focused: undefined,
  scheme: "dark",
  options,
  optionsSet: new Map(),
  keys: {
    keymap,
    pending: [],
    pendingSince: 0,
    count: "",
    waiting: undefined,
    mappings: [],
    typed: [],
    typedSince: 0,
    lastTypedAt: Number.NEGATIVE_INFINITY,
    strayAt: Number.NEGATIVE_INFINITY,
    held: undefined,
    register: undefined
  },
  layout: NEW_LAYOUT,
  namedLayouts: new Map(),
  focus: "prompt",
  sessions: new Map(),
  current: "",
  overlays: {
    opened: undefined,
    dialogs: new Map(),
    shown: undefined,
    shownSince: 0,
    summoned: false,
    over: undefined,
    keyboard: "asked",
    heldEscape: false
  },
  notices: NO_NOTICES,
  banners: [],
  sandbox: undefined,
  memory: { look: undefined, changes: [] },
  line: undefined,
  userCommands: new Map(),
  exHistory: [],
  stored: [],
  cleared: undefined,
  findNext: undefined,
  presses: { escapeAt: Number.NEGATIVE_INFINITY, interrupts: [], exitAt: Number.NEGATIVE_INFINITY },
  early: [],
  spinner: 0,
  searches: [],
  yanked: "",
  globalMarks: new Map(),
  kept: NOTHING_KEPT,
  statusLine: NO_STATUS_LINE,
  visit: undefined,
  tabs: [{ layout: NEW_LAYOUT, focus: "prompt", current: "" }],
  tab: 0,
  drag: undefined
})
