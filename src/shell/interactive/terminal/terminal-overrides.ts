import { isOn, readVariable } from "../../../core/domain/env.ts"
import { settingOf } from "../../../core/settings/snapshot.ts"
import { CONSERVATIVE_PROFILE } from "../../../tui/screen/cell/width-profile.ts"
import type { Capabilities } from "../../../tui/terminal/render/capabilities.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"

/** What the user says about the terminal itself; it wins over what is found out. */
export interface TerminalChoices {
  readonly caps: Partial<Capabilities>
  readonly notices: ReadonlyArray<string>
}

const YES_OR_NO = [true, false] as const

/** Values of the fields that a setting may overrule. */
const VALUES = {
  colourDepth: ["none", "16", "256", "24bit"],
  syncOutput: YES_OR_NO,
  hyperlinks: YES_OR_NO,
  erasesWithBackground: YES_OR_NO,
  scrollRegions: YES_OR_NO,
  underlineStyles: YES_OR_NO,
  underlineColour: YES_OR_NO,
  strike: YES_OR_NO,
  cursorShape: YES_OR_NO,
  title: YES_OR_NO,
  progress: YES_OR_NO,
  clipboard: YES_OR_NO,
  notifications: ["none", "bell", "osc9", "osc99", "osc777"],
  keyboard: ["legacy", "modifyOtherKeys", "kitty"],
  multiplexer: ["none", "tmux", "screen"],
  reflow: ["none", "follows", "spares"]
} as const satisfies Partial<{ readonly [Field in keyof Capabilities]: ReadonlyArray<Capabilities[Field]> }>

const FIELDS: ReadonlyMap<string, ReadonlyArray<string | boolean>> = new Map(Object.entries(VALUES))

const noticeOf = (field: string, values: ReadonlyArray<string | boolean> | undefined): string =>
  values === undefined
    ? `nacre.tui.caps.${field} in settings.json is ignored. Fix: use a name that :caps lists`
    : `nacre.tui.caps.${field} in settings.json is ignored. Fix: set it to one of ${values.join(", ")}`

export const terminalChoices = ({ settings, env }: SessionPlan): TerminalChoices => {
  const { snapshot } = settings.current()
  const given = Object.entries(settingOf(snapshot, "nacre.tui.caps") ?? {})
  const isGood = ([field, value]: readonly [string, unknown]): boolean =>
    FIELDS.get(field)?.some((each) => each === value) === true
  const scrollRegions = settingOf(snapshot, "nacre.tui.scrollRegions")
  const ambiguousWide = settingOf(snapshot, "nacre.tui.ambiguousWide")
  return {
    caps: {
      ...(isOn(readVariable(env, "FORCE_STRIKETHROUGH")) ? { strike: true } : {}),
      ...(settingOf(snapshot, "terminalProgressBarEnabled") === false ? { progress: false } : {}),
      ...(scrollRegions === undefined ? {} : { scrollRegions }),
      ...(ambiguousWide === true ? { widthProfile: { ...CONSERVATIVE_PROFILE, ambiguousWide } } : {}),
      ...Object.fromEntries(given.filter(isGood))
    },
    notices: given.filter((entry) => !isGood(entry)).map(([field]) => noticeOf(field, FIELDS.get(field)))
  }
}
