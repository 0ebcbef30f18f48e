/** Commands that change the mode or only the view. */
import { openCommandLine } from "../engine/command-line.ts"
import type { Invocation } from "../state/invocation.ts"
import { putSelection } from "../operators/put-visual.ts"
import { visualRegion } from "../engine/region.ts"
import { NORMAL } from "../state/state.ts"
import { clamp, emit, enterMode, moveTo, type Turn } from "../engine/running-command.ts"
import {
  escapeVisual,
  keepSelection,
  rememberSize,
  reselect,
  swapCorners,
  swapEnds,
  toggleVisual
} from "../engine/visual.ts"
import type { Action, ActionTable } from "./action.ts"

const openEx = (turn: Turn, { count }: Invocation): Turn => {
  const range = count === undefined ? "" : count === 1 ? "." : `.,.+${count - 1}`
  return openCommandLine(turn, { prompt: ":", text: range, waiting: [] })
}

/** Leaves the selection for an ex line: the caret goes to its start. */
const leaveForEx = (turn: Turn): Turn => {
  const { mode } = turn.vim
  const kept = enterMode(keepSelection(turn), NORMAL)
  if (mode.name !== "visual") return kept
  const region = visualRegion(turn.vim, mode.anchor, { ...mode, byLines: false })
  return clamp(moveTo(rememberSize(kept, turn.vim, { region, shape: mode.shape }), region.start))
}

const openExOnSelection = (turn: Turn): Turn =>
  openCommandLine(leaveForEx(turn), { prompt: ":", text: "'<,'>", waiting: [] })

const scroll = (to: "top" | "middle" | "bottom"): Action => ({
  run: (turn) => emit(turn, { _tag: "Scroll", to, at: turn.vim.cursor })
})

export const modeActions: ActionTable = {
  v: { run: toggleVisual("char") },
  V: { run: toggleVisual("line") },
  "<C-v>": { run: toggleVisual("block") },
  gb: { run: toggleVisual("block") },
  gv: { run: reselect },
  ":": { run: openEx },
  zz: scroll("middle"),
  "z.": scroll("middle"),
  zt: scroll("top"),
  "z<CR>": scroll("top"),
  zb: scroll("bottom"),
  "z-": scroll("bottom")
}

export const visualModeActions: ActionTable = {
  ...modeActions,
  "<Esc>": { run: escapeVisual },
  "<C-[>": { run: escapeVisual },
  "<C-c>": { run: escapeVisual },
  o: { run: swapEnds },
  O: { run: swapCorners },
  ":": { run: openExOnSelection },
  p: { run: putSelection(true) },
  P: { run: putSelection(false) },
  "]p": { run: putSelection(true) },
  "[p": { run: putSelection(false) },
  gp: { run: putSelection(true) },
  gP: { run: putSelection(false) }
}
