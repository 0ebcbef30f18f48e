import { Result } from "effect"
import { isOn, readVariable } from "../../../core/domain/env.ts"
import { isOfflineModel } from "../../../core/model/catalog/model.ts"
import { commandSetting } from "../../../core/settings/command-setting.ts"
import type { KeyName, KeyType } from "../../../core/settings/keys/keys.ts"
import { settingOf } from "../../../core/settings/snapshot.ts"
import { DEFAULT_UI_OPTIONS, MODEL_NAMES, type ModelChoice, type UiOptions } from "../../../tui/model/ui-options.ts"
import { defaultKeymap, type Keymap } from "../../../tui/keymap/keymap.ts"
import { THEME_NAMES } from "../../../tui/screen/style/palette.ts"
import { chooseModel } from "../../plan/choose-model.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"
import { startNotices } from "../../plan/resolve-settings-errors.ts"
import { loadKeymap } from "../../system/keybindings-file.ts"
import { spinnerTips, spinnerVerbs } from "./spinner-options.ts"
import { terminalChoices } from "../terminal/terminal-overrides.ts"

/** What the user's settings and the environment say about the interface. Small files, read once at the start. */
export interface LoadedUi {
  readonly options: UiOptions
  readonly keymap: Keymap
  /** One for each value that cannot be used. */
  readonly notices: ReadonlyArray<string>
}

type Read = <K extends KeyName>(key: K) => KeyType<K> | undefined

const readerOf =
  ({ settings }: SessionPlan): Read =>
  (key) =>
    settingOf(settings.current().snapshot, key)

const THEMES = ["auto" as const, ...THEME_NAMES]

/** Which themes there are, the interface knows; a name that is none of them counts as none. */
const themeOf = (read: Read): Pick<UiOptions, "theme"> & { readonly notices: ReadonlyArray<string> } => {
  const wanted = read("theme")
  const theme = THEMES.find((name) => name === wanted)
  const isUnknown = wanted !== undefined && theme === undefined
  return {
    theme: theme ?? DEFAULT_UI_OPTIONS.theme,
    notices: isUnknown ? [`theme in settings.json is ignored. Fix: set it to one of ${THEMES.join(", ")}`] : []
  }
}

const viewOf = ({ start }: SessionPlan, read: Read): UiOptions["view"] =>
  start.output.verbose ? "verbose" : (read("viewMode") ?? (read("verbose") === true ? "verbose" : DEFAULT_UI_OPTIONS.view))

const mouseOf = ({ env }: SessionPlan, read: Read): boolean =>
  isOn(readVariable(env, "DISABLE_MOUSE")) ? false : (read("nacre.tui.mouse") ?? DEFAULT_UI_OPTIONS.mouse)

const editorModeOf = (read: Read): UiOptions["editorMode"] => {
  const mode = read("editorMode")
  return mode === "vim" || mode === "normal" ? mode : DEFAULT_UI_OPTIONS.editorMode
}

/** Two printable keys that stand for Escape; anything else that could be written there means nothing. */
const remapsOf = (read: Read): ReadonlyArray<string> =>
  Object.entries(read("vimInsertModeRemaps") ?? {}).flatMap(([keys, means]) =>
    /^[^\s\p{C}]{2}$/u.test(keys) && /^(?:<esc>|esc|escape)$/i.test(String(means)) ? [keys] : []
  )

/** What each name stands for here, or why it cannot be used. */
const modelsOf = (plan: SessionPlan): ReadonlyArray<ModelChoice> =>
  MODEL_NAMES.map((name) => {
    const chosen = chooseModel(plan, { session: name })
    if (Result.isFailure(chosen)) return { name, id: name, unavailable: chosen.failure }
    const id = chosen.success.model
    const isUsable = plan.credential !== undefined || isOfflineModel(id)
    return isUsable ? { name, id } : { name, id, unavailable: "no credential; nacre login" }
  })

const MOST_PADDING = 20

const statusLineOf = (read: Read): UiOptions["statusLine"] => {
  const setting = commandSetting(read("statusLine"))
  if (setting === undefined) return undefined
  return { command: setting.command, padding: Math.max(0, Math.min(MOST_PADDING, Math.floor(setting.padding ?? 0))) }
}

const SLOWEST = 0.25
const FASTEST = 20

const scrollSpeedOf = ({ env }: SessionPlan): number => {
  const speed = Number(readVariable(env, "SCROLL_SPEED") ?? "")
  return Number.isFinite(speed) && speed > 0 ? Math.min(FASTEST, Math.max(SLOWEST, speed)) : DEFAULT_UI_OPTIONS.scrollSpeed
}

const QUESTION_TIMEOUTS = { "60s": 60_000, "5m": 300_000, "10m": 600_000, never: 0 } as const

const optionsOf = (plan: SessionPlan, read: Read, theme: UiOptions["theme"]): UiOptions => {
  const d = DEFAULT_UI_OPTIONS
  const isPlain = read("syntaxHighlightingDisabled")
  // Lines and marks are of the characters that such a terminal draws twice as wide.
  const isWide = read("nacre.tui.ambiguousWide") === true
  return {
    interface: d.interface,
    interfaceBecause: d.interfaceBecause,
    theme,
    editorMode: editorModeOf(read),
    keyFlavor: read("keybindingFlavor") === "readline" ? "readline" : d.keyFlavor,
    emojiCompletion: read("emojiCompletionEnabled") ?? d.emojiCompletion,
    showVimMode: read("hideVimModeIndicator") !== true && commandSetting(read("statusLine"))?.hideVimModeIndicator !== true,
    promptSlash: read("nacre.tui.promptSlash") ?? d.promptSlash,
    insertRemaps: remapsOf(read),
    clipboard: read("nacre.tui.clipboard") ?? d.clipboard,
    questionTimeoutMs: QUESTION_TIMEOUTS[read("askUserQuestionTimeout") ?? "never"],
    borders: read("nacre.tui.borders") ?? (isWide ? "ascii" : d.borders),
    glyphs: read("nacre.tui.glyphs") ?? (isWide ? "ascii" : d.glyphs),
    mouse: mouseOf(plan, read),
    mouseClicks: !isOn(readVariable(plan.env, "DISABLE_MOUSE_CLICKS")),
    scrollSpeed: scrollSpeedOf(plan),
    reducedMotion: read("prefersReducedMotion") ?? d.reducedMotion,
    view: viewOf(plan, read),
    thinking: read("nacre.tui.thinking") ?? d.thinking,
    meta: read("nacre.tui.meta") ?? d.meta,
    codeWrap: read("nacre.tui.codeWrap") ?? d.codeWrap,
    diff: read("nacre.tui.diff") ?? d.diff,
    highlight: isPlain === undefined ? d.highlight : !isPlain,
    tabWidth: read("nacre.tui.tabWidth") ?? d.tabWidth,
    followOnSubmit: read("nacre.tui.followOnSubmit") ?? d.followOnSubmit,
    typeThrough: read("nacre.tui.typeThrough") ?? d.typeThrough,
    copyOnSelect: read("nacre.tui.copyOnSelect") ?? d.copyOnSelect,
    showTurns: read("showTurnDuration") ?? d.showTurns,
    statusLine: statusLineOf(read),
    spinnerVerbs: spinnerVerbs(read("spinnerVerbs")),
    tips: spinnerTips(read("spinnerTipsEnabled"), read("spinnerTipsOverride")),
    autoScroll: read("autoScrollEnabled") ?? d.autoScroll,
    whichKeyMs: read("nacre.tui.whichKeyMs") ?? d.whichKeyMs,
    alwaysShowCursor:
      isOn(readVariable(plan.env, "ACCESSIBILITY")) || (read("nacre.tui.alwaysShowCursor") ?? d.alwaysShowCursor),
    fixedCaps: Object.keys(terminalChoices(plan).caps),
    models: modelsOf(plan),
    foldLimits: read("nacre.tui.fold") ?? d.foldLimits
  }
}

const platformOf = ({ env }: SessionPlan): "unix" | "windows" | "wsl" => {
  if (process.platform === "win32") return "windows"
  return env["WSL_DISTRO_NAME"] === undefined ? "unix" : "wsl"
}

/** Settings that a keymap depends on, for whoever reads keybindings.json again too. */
export const keymapOptions = (plan: SessionPlan) => {
  const read = readerOf(plan)
  const leader = read("nacre.tui.leader")
  const pagerKeys = read("nacre.tui.pagerKeys")
  return {
    platform: platformOf(plan),
    ...(leader === undefined ? {} : { leader }),
    ...(pagerKeys === undefined ? {} : { pagerKeys })
  }
}

export const loadUiOptions = (plan: SessionPlan): LoadedUi => {
  const read = readerOf(plan)
  const { theme, notices } = themeOf(read)
  const options = optionsOf(plan, read, theme)
  const keys = keymapOptions(plan)
  // What the terminal can send is not known yet, so nothing is said about it.
  const loaded = loadKeymap(plan.configHome, { keyboard: "extended", options: keys })
  return {
    options,
    keymap: loaded.keymap ?? defaultKeymap(keys),
    notices: [...startNotices(plan), ...notices, ...terminalChoices(plan).notices, ...loaded.notices]
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
  model: "model",
  effort: "effortLevel",
  tui: "tui"
}

export const settingKeys = (option: string): ReadonlyArray<string> => {
  const shared = SHARED[option]
  return shared === undefined ? ["nacre", "tui", ...option.replace(/^nacre\.tui\./, "").split(".")] : [shared]
}
