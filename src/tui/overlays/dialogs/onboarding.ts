import type { AppModel } from "../../model/app-model.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { THEME_NAMES } from "../../screen/style/palette.ts"
import { choiceRows } from "../../text/choice-rows.ts"
import { EMPTY_ROW, textRows } from "../../text/line-rows.ts"
import type { OnboardingDialog, OnboardingStep } from "../../model/overlay.ts"
import type { Panel } from "../panel/panel.ts"
import { themeSample } from "../panel/theme-sample.ts"

/**
 * The first start asks for colours and for the keys of the prompt. It is never in the way: only the keys that move and
 * choose are its own, the numbers of the choices among them, and whoever begins to type has left it.
 */

const WIDTH = 74
/** Below this the choices have the room. */
const SAMPLE_ROWS = 28

const THEMES = ["auto", ...THEME_NAMES]

const KEYS = [
  { value: "vim", label: "vim: i inserts, Esc leaves, motions and operators as in vim" },
  { value: "normal", label: "standard: type right away, with the keys of a shell" }
] as const

interface StepTexts {
  readonly title: string
  readonly words: string
  readonly values: ReadonlyArray<string>
  readonly labels: ReadonlyArray<string>
}

const STEPS: Readonly<Record<OnboardingStep, StepTexts>> = {
  theme: {
    title: "First start: colours",
    words: "Which colours suit your terminal? /theme changes them later.",
    values: THEMES,
    labels: ["auto: dark or light, as the terminal is", ...THEME_NAMES]
  },
  keys: {
    title: "First start: keys of the prompt",
    words: "Which keys edit what you type? All other panes know the keys of vim either way. /vim changes it later.",
    values: KEYS.map(({ value }) => value),
    labels: KEYS.map(({ label }) => label)
  }
}

export const openOnboarding = (steps: ReadonlyArray<OnboardingStep>, theme: string): OnboardingDialog => ({
  _tag: "Onboarding",
  steps,
  selected: steps[0] === "theme" ? Math.max(0, THEMES.indexOf(theme)) : 0,
  theme
})

/** The value that is marked. */
export const markedValue = ({ steps: [step], selected }: OnboardingDialog): string =>
  step === undefined ? "" : (STEPS[step].values[selected] ?? "")

export type OnboardingOutcome =
  | { readonly _tag: "Open"; readonly dialog: OnboardingDialog }
  | { readonly _tag: "Chosen"; readonly value: string }
  | { readonly _tag: "Skipped" }

const MOVES: Readonly<Record<Stroke, 1 | -1>> = {
  "<Down>": 1,
  "<C-n>": 1,
  "<Tab>": 1,
  "<Up>": -1,
  "<C-p>": -1,
  "<S-Tab>": -1
}

/** The value at the number of its row: typed, or sent by a click. */
const numbered = ({ steps: [step] }: OnboardingDialog, stroke: Stroke): string | undefined =>
  step !== undefined && /^[1-9]\d?$/.test(stroke) ? STEPS[step].values[Number(stroke) - 1] : undefined

/** Every other key is for the prompt. */
export const isOnboardingKey = (dialog: OnboardingDialog, stroke: Stroke): boolean =>
  stroke === "<CR>" || stroke === "<Esc>" || MOVES[stroke] !== undefined || numbered(dialog, stroke) !== undefined

export const updateOnboarding = (dialog: OnboardingDialog, stroke: Stroke): OnboardingOutcome => {
  const [step] = dialog.steps
  const { values } = STEPS[step ?? "keys"]
  if (stroke === "<Esc>") return { _tag: "Skipped" }
  if (stroke === "<CR>") return { _tag: "Chosen", value: markedValue(dialog) }
  const value = numbered(dialog, stroke)
  if (value !== undefined) return { _tag: "Chosen", value }
  const move = MOVES[stroke] ?? 0
  return { _tag: "Open", dialog: { ...dialog, selected: (dialog.selected + move + values.length) % values.length } }
}

export const onboardingPanel = (model: AppModel, dialog: OnboardingDialog): Panel => {
  const [step = "keys"] = dialog.steps
  const { title, words, labels } = STEPS[step]
  const choices = labels.map((label, index) => ({ key: String(index + 1), label }))
  const head = (width: number) => [...textRows(words, width), EMPTY_ROW]
  const inner = Math.max(1, Math.min(WIDTH, model.size.columns) - 4)
  return {
    title,
    tone: "calm",
    width: WIDTH,
    body: (width) => [...head(width), ...choiceRows(choices, dialog.selected, width)],
    top: 0,
    selected: head(inner).length + dialog.selected,
    foot: (width) => (step === "theme" && model.size.rows >= SAMPLE_ROWS ? themeSample(model, width) : []),
    hint: "↑ ↓ choose · Enter take it · Esc skip · typing begins"
  }
}
