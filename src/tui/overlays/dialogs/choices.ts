import { keyName, hintLine } from "../../keymap/hint.ts"
import type { Panel } from "../panel/panel.ts"
import type { Keymap } from "../../keymap/keymap.ts"
import type { Handler, Handlers, Press } from "../../model/action.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import type { Overlay } from "../../model/overlay.ts"
import { withoutCommands, type Update } from "../../model/update-result.ts"
import { type OverlayActionId, numberOf } from "../../keymap/actions/action-tables.ts"
import type { AtOverlay } from "../panel/overlay-spec.ts"

/** A question of the interface itself: choices, one of which is marked, and what each of them does. */

export interface Choice<O extends Overlay> {
  /** The number or letter before it, which chooses it. */
  readonly key: string
  readonly label: string
  readonly means?: "yes" | "no"
  readonly pick: (at: AtOverlay<O>) => Update
}

type Choosable = Extract<Overlay, { readonly selected: number }>

export interface ChoiceDialog<O extends Choosable> {
  readonly choices: (overlay: O) => ReadonlyArray<Choice<O>>
  /** What Escape does. */
  readonly leave: (at: AtOverlay<O>) => Update
  /** The dialog with another choice marked. */
  readonly marked: (at: AtOverlay<O>, selected: number) => Update
  readonly scrolled?: (overlay: O, top: number) => O
}

type On<O extends Overlay> = Handler<AtOverlay<O>>

/** What the keys of all such dialogs do, but for the numbers. */
const handlersOf = <O extends Choosable>(dialog: ChoiceDialog<O>): Partial<Handlers<OverlayActionId, AtOverlay<O>>> => {
  const pick =
    (isChosen: (choice: Choice<O>, index: number, overlay: O) => boolean): On<O> =>
    (at) =>
      dialog
        .choices(at.overlay)
        .find((choice, index) => isChosen(choice, index, at.overlay))
        ?.pick(at)
  const move =
    (by: 1 | -1): On<O> =>
    (at) => {
      const { length } = dialog.choices(at.overlay)
      return dialog.marked(at, (at.overlay.selected + by + length) % length)
    }
  const scroll =
    (by: 1 | -1): On<O> =>
    (at) => {
      const { bodyHeight, top } = at.placed()
      const to = Math.max(0, top + by * Math.max(1, bodyHeight - 1))
      return dialog.scrolled === undefined
        ? undefined
        : withoutCommands(openOverlay(at.model, dialog.scrolled(at.overlay, to)))
    }
  return {
    "confirm:yes": pick(({ means }) => means === "yes"),
    "confirm:no": pick(({ means }) => means === "no"),
    "confirm:choose": pick((_choice, index, { selected }) => index === selected),
    "confirm:leave": dialog.leave,
    "confirm:next": move(1),
    "confirm:previous": move(-1),
    "confirm:nextField": move(1),
    "confirm:previousField": move(-1),
    "confirm:cycleMode": move(-1),
    "confirm:zoomDiff": scroll(1),
    "confirm:scrollDown": scroll(1),
    "confirm:scrollUp": scroll(-1)
  }
}

/** The part of an overlay's record that its choices make. */
export const choosing = <O extends Choosable>(dialog: ChoiceDialog<O>) => {
  const on = handlersOf(dialog)
  const choose = (at: AtOverlay<O>, key: string | undefined): Update | undefined => {
    const chosen = dialog.choices(at.overlay).find((choice) => choice.key === key)
    return chosen?.pick(at)
  }
  return {
    contexts: () => ["Confirmation"] as const,
    leave: "confirm:leave" as const,
    act: (at: AtOverlay<O>, id: OverlayActionId, press: Press) => on[id]?.(at, press) ?? choose(at, numberOf(id)),
    choose
  }
}

/** The keys of a question of the start, whose text scrolls. */
export const startHints = (keymap: Keymap, leaving: string): Pick<Panel, "hint" | "scrollKey"> => {
  const scrollKey = keyName(keymap, "confirm:zoomDiff", ["Confirmation"])
  return {
    hint: hintLine(
      keymap,
      ["Confirmation"],
      [
        [["confirm:next", "confirm:previous"], "choose"],
        ["confirm:choose", "answer"],
        ["confirm:leave", leaving],
        [["confirm:zoomDiff", "confirm:scrollUp"], "scroll"]
      ]
    ),
    ...(scrollKey === undefined ? {} : { scrollKey })
  }
}
