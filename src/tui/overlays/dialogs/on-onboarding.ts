import { choosing } from "./choices.ts"
import { overlayOf } from "../panel/overlay-spec.ts"
import type { InputEvent } from "../../terminal/input/event.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { markedValue, openOnboarding, stepChoices, onboardingPanel } from "./onboarding.ts"
import type { OnboardingDialog, OnboardingStep } from "../../model/overlay.ts"
import { isBlank } from "../../prompt/model.ts"
import { THEME_NAMES } from "../../screen/style/palette.ts"
import { ANSWER_GUARD_MS, chooseAttention, OPENED } from "../../model/questions/attention.ts"
import { andThen, withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import type { Cmd } from "../../model/cmd.ts"
import { type AppModel, currentSession, sizeClass } from "../../model/app-model.ts"
import { closeOverlay, openOverlay } from "../../model/open-overlay.ts"
import type { UiOptions } from "../../model/ui-options.ts"
import { withOptions } from "../../model/prompt/switch-editor.ts"

/** The steps of the first start: each is taken or skipped, and what is marked is shown at once. */

const withTheme = (model: AppModel, name: string): AppModel => {
  const theme = (["auto", ...THEME_NAMES] as const).find((each) => each === name)
  return theme === undefined ? model : { ...model, options: { ...model.options, theme } }
}

/** Overlays take the whole of a small screen, and the prompt must stay in sight. */
const isRoomy = (model: AppModel): boolean => !["narrow", "tiny", "below"].includes(sizeClass(model))

/** Nobody who has begun to work is asked. */
export const openFirstRun = (model: AppModel, steps: ReadonlyArray<OnboardingStep>): AppModel => {
  const session = currentSession(model)
  const isUntouched = session !== undefined && isBlank(session.prompt) && model.keys.held === undefined
  const isFree = model.overlays.opened === undefined && session?.asks.length === 0
  if (!isUntouched || !isFree || !isRoomy(model) || steps.length === 0) return model
  return openOverlay(model, openOnboarding(steps, model.options.theme))
}

const next = (model: AppModel, { steps: [, ...rest], theme }: OnboardingDialog): Update =>
  rest.length > 0
    ? withoutCommands(openOverlay(model, openOnboarding(rest, theme)))
    : withCommands(closeOverlay(model), { _tag: "FinishOnboarding" })

const chosen = (model: AppModel, dialog: OnboardingDialog, value: string): Update => {
  if (dialog.steps[0] === "theme") {
    const saved: Cmd = { _tag: "SaveOption", name: "theme", value }
    return andThen(withCommands(withTheme(model, value), saved), (after) => next(after, { ...dialog, theme: value }))
  }
  const editorMode: UiOptions["editorMode"] = value === "vim" ? "vim" : "normal"
  const saved: Cmd = { _tag: "SaveOption", name: "editorMode", value: editorMode }
  return andThen(withCommands(withOptions(model, { editorMode }), saved), (after) => next(after, dialog))
}

export const ONBOARDING_OVERLAY = overlayOf("Onboarding", {
  ...choosing<OnboardingDialog>({
    choices: (dialog) =>
      stepChoices(dialog).map(({ key, label, value }) => ({
        key,
        label,
        pick: ({ model, overlay }) => chosen(model, overlay, value)
      })),
    leave: ({ model, overlay }) => next(withTheme(model, overlay.theme), overlay),
    marked: ({ model, overlay }, selected) => {
      const moved = { ...overlay, selected }
      const opened = openOverlay(model, moved)
      return withoutCommands(overlay.steps[0] === "theme" ? withTheme(opened, markedValue(moved)) : opened)
    }
  }),
  panel: onboardingPanel
})

const isOwn = (model: AppModel, event: InputEvent, isOwnKey: (stroke: Stroke) => boolean): boolean => {
  if (event._tag !== "Key") return event._tag !== "Paste"
  const isSettled = model.now - model.overlays.shownSince >= ANSWER_GUARD_MS
  return event.kind === "release" || (isOwnKey(event.stroke) && isSettled)
}

/** Before an input: whoever types, or pressed a key before it could be read, leaves it for good. */
export const passOnboarding = (model: AppModel, event: InputEvent, isOwnKey: (stroke: Stroke) => boolean): Update => {
  const { opened: overlay, shown } = model.overlays
  if (overlay?._tag !== "Onboarding" || shown !== OPENED || isOwn(model, event, isOwnKey)) return withoutCommands(model)
  return withCommands(chooseAttention(closeOverlay(withTheme(model, overlay.theme))), { _tag: "FinishOnboarding" })
}
