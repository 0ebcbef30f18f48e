import { choiceRows } from "../../text/choice-rows.ts"
import { hintLine } from "../../keymap/hint.ts"
import { textRows } from "../../text/line-rows.ts"
import { isRunning, nameOf } from "../../model/session-model.ts"
import { type Choice, choosing } from "./choices.ts"
import { closeOverlay, openOverlay } from "../../model/open-overlay.ts"
import { type Update, withoutCommands, withCommands } from "../../model/update-result.ts"
import type { ExitDialog } from "../../model/overlay.ts"
import { type AtOverlay, overlayOf } from "../panel/overlay-spec.ts"

/** Leaving while work goes on: asked once, with the names of what would be stopped. */

const stay = ({ model }: AtOverlay<ExitDialog>): Update => withoutCommands(closeOverlay(model))

/** The dialog stays as a reminder; it goes with the program. */
const wait = ({ model, overlay }: AtOverlay<ExitDialog>): Update =>
  withoutCommands(openOverlay(model, { ...overlay, selected: 2, isWaiting: true }))

const CHOICES: ReadonlyArray<Choice<ExitDialog>> = [
  { key: "1", label: "Stay", means: "no", pick: stay },
  {
    key: "2",
    label: "Stop everything and leave",
    means: "yes",
    pick: ({ model }) => withCommands(model, { _tag: "Quit", code: 0 })
  },
  { key: "3", label: "Leave when it is done", pick: wait }
]

export const EXIT_OVERLAY = overlayOf("Exit", {
  ...choosing<ExitDialog>({
    choices: () => CHOICES,
    leave: stay,
    marked: ({ model, overlay }, selected) => withoutCommands(openOverlay(model, { ...overlay, selected, isWaiting: false }))
  }),
  panel: (model, { selected, isWaiting }) => {
    const running = [...model.sessions.values()].filter(isRunning).map(nameOf)
    const rest = isWaiting
      ? "Nacre leaves when it is done; until then everything goes on."
      : "What was done so far is saved and can be resumed."
    return {
      title: "Leave?",
      tone: "destructive",
      width: 60,
      body: (width) => textRows(`Still running: ${running.join(", ")}. ${rest}`, width),
      top: 0,
      foot: (width) => choiceRows(CHOICES, selected, width),
      hint: hintLine(model.keys.keymap, ["Confirmation"], [["confirm:leave", "stays"]])
    }
  }
})
