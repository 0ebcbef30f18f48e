import { Result } from "effect"
import { isOn } from "../../core/domain/env.ts"
import { isRaw, type Raw } from "../../core/session/raw.ts"
import { DEFAULT_UI_OPTIONS, type UiOptions } from "../../tui/app/options.ts"
import { defaultKeymap, type Keymap } from "../../tui/keymap/keymap.ts"
import { THEME_NAMES } from "../../tui/theme/palette.ts"
import type { SessionPlan } from "../session/plan.ts"
import { loadKeymap } from "./keybindings-file.ts"
import { readSettings, settingAt } from "./user-settings.ts"

/** What the person's settings and the environment say about the interface. Small files, read once at the start. */
export interface LoadedUi {
  readonly options: UiOptions
  readonly keymap: Keymap
  /** One for each value that cannot be used. */
  readonly notices: ReadonlyArray<string>
}

/** How a value is read: undefined when it cannot be used, with the words for what could be. */
interface Reader<A> {
  readonly read: (value: unknown) => A | undefined
  readonly expected: string
}

const flag: Reader<boolean> = {
  read: (value) => (typeof value === "boolean" ? value : undefined),
  expected: "true or false"
}

const not: Reader<boolean> = { ...flag, read: (value) => (typeof value === "boolean" ? !value : undefined) }

const oneOf = <const A extends string>(names: ReadonlyArray<A>): Reader<A> => ({
  read: (value) => names.find((name) => name === value),
  expected: `one of ${names.join(", ")}`
})

const whole = (least: number, most: number): Reader<number> => ({
  read: (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most ? value : undefined,
  expected: `a whole number from ${least} to ${most}`
})

const text: Reader<string> = {
  read: (value) => (typeof value === "string" && value !== "" ? value : undefined),
  expected: "a text"
}

const rowLimits: Reader<Readonly<Record<string, number>>> = {
  read: (value) => {
    if (!isRaw(value)) return undefined
    const limits = Object.entries(value).map(([tool, rows]) => [tool, whole(1, 100_000).read(rows)] as const)
    const isLimit = (limit: readonly [string, number | undefined]): limit is readonly [string, number] =>
      limit[1] !== undefined
    return limits.every(isLimit) ? Object.fromEntries(limits) : undefined
  },
  expected: "an object of tool names and numbers of rows"
}

class Settings {
  readonly notices: Array<string> = []

  constructor(private readonly values: Raw) {}

  /** The value of a setting; one that cannot be used is told and counts as none. */
  value<A>(key: string, { read, expected }: Reader<A>): A | undefined {
    const found = settingAt(this.values, key.split("."))
    if (found === undefined || found === null) return undefined
    const value = read(found)
    if (value === undefined) this.notices.push(`${key} in settings.json is ignored. Fix: set it to ${expected}`)
    return value
  }
}

const viewOf = ({ start }: SessionPlan, settings: Settings): UiOptions["view"] => {
  const chosen = settings.value("viewMode", oneOf(["default", "verbose", "focus"]))
  return start.output.verbose ? "verbose" : (chosen ?? DEFAULT_UI_OPTIONS.view)
}

const mouseOf = ({ env }: SessionPlan, settings: Settings): boolean => {
  const chosen = settings.value("nacre.tui.mouse", flag)
  return isOn(env["CLAUDE_CODE_DISABLE_MOUSE"]) ? false : (chosen ?? DEFAULT_UI_OPTIONS.mouse)
}

const optionsOf = (plan: SessionPlan, settings: Settings): UiOptions => {
  const d = DEFAULT_UI_OPTIONS
  const tui = <A>(key: string, reader: Reader<A>): A | undefined => settings.value(`nacre.tui.${key}`, reader)
  return {
    interface: d.interface,
    interfaceBecause: d.interfaceBecause,
    theme: settings.value("theme", oneOf(["auto", ...THEME_NAMES])) ?? d.theme,
    editorMode: settings.value("editorMode", oneOf(["vim", "normal"])) ?? d.editorMode,
    borders: tui("borders", oneOf(["line", "ascii", "none"])) ?? d.borders,
    glyphs: tui("glyphs", oneOf(["unicode", "ascii"])) ?? d.glyphs,
    mouse: mouseOf(plan, settings),
    reducedMotion: settings.value("prefersReducedMotion", flag) ?? d.reducedMotion,
    view: viewOf(plan, settings),
    thinking: tui("thinking", oneOf(["hide", "fold", "show"])) ?? d.thinking,
    meta: tui("meta", flag) ?? d.meta,
    codeWrap: tui("codeWrap", flag) ?? d.codeWrap,
    diff: tui("diff", oneOf(["unified", "split", "auto"])) ?? d.diff,
    highlight: settings.value("syntaxHighlightingDisabled", not) ?? d.highlight,
    tabWidth: tui("tabWidth", whole(1, 16)) ?? d.tabWidth,
    followOnSubmit: tui("followOnSubmit", flag) ?? d.followOnSubmit,
    typeThrough: tui("typeThrough", flag) ?? d.typeThrough,
    copyOnSelect: tui("copyOnSelect", flag) ?? d.copyOnSelect,
    showTurns: settings.value("showTurnDuration", flag) ?? d.showTurns,
    autoScroll: settings.value("autoScrollEnabled", flag) ?? d.autoScroll,
    whichKeyMs: tui("whichKeyMs", whole(0, 60_000)) ?? d.whichKeyMs,
    foldLimits: tui("fold", rowLimits) ?? d.foldLimits
  }
}

const platformOf = ({ env }: SessionPlan): "unix" | "windows" | "wsl" => {
  if (process.platform === "win32") return "windows"
  return env["WSL_DISTRO_NAME"] === undefined ? "unix" : "wsl"
}

const keyOptions = (plan: SessionPlan, settings: Settings) => {
  const leader = settings.value("nacre.tui.leader", text)
  const pagerKeys = settings.value("nacre.tui.pagerKeys", flag)
  return {
    platform: platformOf(plan),
    ...(leader === undefined ? {} : { leader }),
    ...(pagerKeys === undefined ? {} : { pagerKeys })
  }
}

/** Settings that a keymap depends on, for whoever reads keybindings.json again. */
export const keymapOptions = (plan: SessionPlan): ReturnType<typeof keyOptions> => {
  const settings = readSettings(plan.configHome)
  return keyOptions(plan, new Settings(Result.isSuccess(settings) ? settings.success : {}))
}

export const loadUiOptions = (plan: SessionPlan): LoadedUi => {
  const read = readSettings(plan.configHome)
  const settings = new Settings(Result.isSuccess(read) ? read.success : {})
  if (Result.isFailure(read)) settings.notices.push(read.failure)
  const options = optionsOf(plan, settings)
  const keys = keyOptions(plan, settings)
  // What the terminal can send is not known yet, so nothing is said about it.
  const loaded = loadKeymap(plan.configHome, { keyboard: "extended", options: keys })
  return {
    options,
    keymap: loaded.keymap ?? defaultKeymap(keys),
    notices: [...settings.notices, ...loaded.notices]
  }
}

/** Where `SaveOption` puts an option: shared ones at the top, our own under `nacre.tui`. */
const SHARED: Readonly<Record<string, string>> = {
  theme: "theme",
  editorMode: "editorMode",
  view: "viewMode",
  reducedMotion: "prefersReducedMotion",
  showTurns: "showTurnDuration",
  autoScroll: "autoScrollEnabled",
  tui: "tui"
}

export const settingKeys = (option: string): ReadonlyArray<string> => {
  const shared = SHARED[option]
  return shared === undefined ? ["nacre", "tui", ...option.replace(/^nacre\.tui\./, "").split(".")] : [shared]
}
