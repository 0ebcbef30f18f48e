import { hintLine } from "../../keymap/hint.ts"
import type { AppModel } from "../../model/app-model.ts"
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

/** What stands to choose from, and what each is called by the settings. */
export const stepChoices = ({ steps: [step = "keys"] }: OnboardingDialog) =>
  STEPS[step].labels.map((label, index) => ({
    key: String(index + 1),
    label,
    value: STEPS[step].values[index] ?? ""
  }))

export const onboardingPanel = (model: AppModel, dialog: OnboardingDialog): Panel => {
  const [step = "keys"] = dialog.steps
  const { title, words } = STEPS[step]
  const head = (width: number) => [...textRows(words, width), EMPTY_ROW]
  const inner = Math.max(1, Math.min(WIDTH, model.size.columns) - 4)
  return {
    title,
    tone: "calm",
    width: WIDTH,
    body: (width) => [...head(width), ...choiceRows(stepChoices(dialog), dialog.selected, width)],
    top: 0,
    selected: head(inner).length + dialog.selected,
    foot: (width) => (step === "theme" && model.size.rows >= SAMPLE_ROWS ? themeSample(model, width) : []),
    hint: hintLine(
      model.keys.keymap,
      ["Confirmation"],
      [
        [["confirm:previous", "confirm:next"], "choose"],
        ["confirm:choose", "take it"],
        ["confirm:leave", "skip"],
        "typing begins"
      ]
    )
  }
}
