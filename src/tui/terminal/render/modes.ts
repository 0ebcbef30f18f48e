import type { KeyboardProtocol } from "./capabilities.ts"
import { CSI, CURSOR_HIDE, CURSOR_SHOW, REGION_RESET, resetMode, setMode, STYLE_RESET } from "./sequence.ts"

/**
 * The switches of the terminal that the view wants on, and how each is turned on and off. Entering is turning them on
 * in the order of the table; leaving is the same list backwards, whatever part of it was reached.
 */
export interface TerminalModes {
  readonly altScreen: boolean
  /** Mode 2027: the terminal measures whole clusters. */
  readonly clusterWidths: boolean
  readonly paste: boolean
  readonly focus: boolean
  readonly mouse: MouseReports
  /** Mode 2031: the terminal reports when it changes between dark and light. */
  readonly colourScheme: boolean
  readonly keyboard: KeyboardProtocol
  /** The title before ours is put back at the end. */
  readonly title: boolean
}

/** Wheel and clicks; those and dragging; every movement. */
export type MouseReports = "off" | "buttons" | "drag" | "hover"

export const NO_MODES: TerminalModes = {
  altScreen: false,
  clusterWidths: false,
  paste: false,
  focus: false,
  mouse: "off",
  colourScheme: false,
  keyboard: "legacy",
  title: false
}

/** One switch, and what turns it on and off. */
export interface ModeStep {
  readonly mode: ModeSwitch
  readonly enter: string
  readonly leave: string
}

export type ModeSwitch =
  | "altScreen"
  | "clusterWidths"
  | "paste"
  | "focus"
  | "mouse:buttons"
  | "mouse:drag"
  | "mouse:hover"
  | "colourScheme"
  | "keyboard:modifyOtherKeys"
  | "keyboard:kitty"
  | "title"
  | "hiddenCursor"

type Switch = ModeStep & { readonly isOn: (modes: TerminalModes) => boolean }

const mouseSwitch = (reports: Exclude<MouseReports, "off">, ...modes: ReadonlyArray<number>): Switch => ({
  mode: `mouse:${reports}`,
  isOn: ({ mouse }) => mouse === reports,
  enter: setMode(...modes, 1006),
  leave: resetMode(1006, ...modes.toReversed())
})

/** In the order of entry. */
const SWITCHES: ReadonlyArray<Switch> = [
  // The inner screen has its own keyboard stack, so it comes first and goes last. A scroll region would outlive it.
  {
    mode: "altScreen",
    isOn: ({ altScreen }) => altScreen,
    enter: setMode(1049),
    leave: REGION_RESET + resetMode(1049)
  },
  { mode: "clusterWidths", isOn: ({ clusterWidths }) => clusterWidths, enter: setMode(2027), leave: resetMode(2027) },
  { mode: "paste", isOn: ({ paste }) => paste, enter: setMode(2004), leave: resetMode(2004) },
  { mode: "focus", isOn: ({ focus }) => focus, enter: setMode(1004), leave: resetMode(1004) },
  mouseSwitch("buttons", 1000),
  mouseSwitch("drag", 1000, 1002),
  mouseSwitch("hover", 1000, 1002, 1003),
  { mode: "colourScheme", isOn: ({ colourScheme }) => colourScheme, enter: setMode(2031), leave: resetMode(2031) },
  // Old terminals read these two as styles, which must not stay.
  {
    mode: "keyboard:modifyOtherKeys",
    isOn: ({ keyboard }) => keyboard === "modifyOtherKeys",
    enter: `${CSI}>4;2m${STYLE_RESET}`,
    leave: `${CSI}>4;0m${STYLE_RESET}`
  },
  // Not with event types: kitty, foot and others then send Enter, Tab and Backspace a second time at their release.
  { mode: "keyboard:kitty", isOn: ({ keyboard }) => keyboard === "kitty", enter: `${CSI}>1u`, leave: `${CSI}<u` },
  { mode: "title", isOn: ({ title }) => title, enter: `${CSI}22;0t`, leave: `${CSI}23;0t` }
]

/** The cursor belongs to frames; at the end it is shown again, in the shape that the user has chosen. */
const HIDDEN_CURSOR: ModeStep = { mode: "hiddenCursor", enter: CURSOR_HIDE, leave: `${CSI}0 q${CURSOR_SHOW}` }

const stepsOf = (modes: TerminalModes): ReadonlyArray<ModeStep> =>
  SWITCHES.filter(({ isOn }) => isOn(modes)).map(({ mode, enter, leave }) => ({ mode, enter, leave }))

/** How to enter, step by step; the cursor is hidden last, until a frame shows it. */
export const enterSteps = (modes: TerminalModes): ReadonlyArray<ModeStep> => [...stepsOf(modes), HIDDEN_CURSOR]

/** What undoes the steps that were taken, all of them or only the first few. */
export const leaveSequence = (taken: ReadonlyArray<ModeStep>): string =>
  taken
    .toReversed()
    .map(({ leave }) => leave)
    .join("")

/** The switches to leave, last entered first, and to enter. */
export interface ModeChange {
  readonly reset: ReadonlyArray<ModeStep>
  readonly set: ReadonlyArray<ModeStep>
}

export const modeChange = (from: TerminalModes, to: TerminalModes): ModeChange => {
  const before = stepsOf(from)
  const after = stepsOf(to)
  const has = (steps: ReadonlyArray<ModeStep>, mode: ModeSwitch) => steps.some((step) => step.mode === mode)
  // Another screen has other switches: everything is left there and entered here.
  const whole = from.altScreen !== to.altScreen
  return {
    reset: before.filter(({ mode }) => whole || !has(after, mode)).toReversed(),
    set: after.filter(({ mode }) => whole || !has(before, mode))
  }
}
