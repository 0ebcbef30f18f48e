import { row, table, type ActionRow } from "./action.ts"

/** Keys after the window prefix. */
const ROWS = [
  // A terminal without a keyboard protocol sends Ctrl+H as Backspace and Ctrl+I as Tab.
  row("window:left", ["h", "<Left>", "<BS>"], "go to the pane on the left"),
  row("window:down", ["j", "<Down>"], "go to the pane below"),
  row("window:up", ["k", "<Up>"], "go to the pane above"),
  row("window:right", ["l", "<Right>"], "go to the pane on the right"),
  row("window:next", ["w"], "go to the next pane"),
  row("window:previous", ["W"], "go to the previous pane"),
  row("window:last", ["p"], "go to the pane that had the focus before"),
  row("window:topLeft", ["T"], "go to the top left pane"),
  row("window:bottomRight", ["B"], "go to the bottom right pane"),
  row("window:split", ["s"], "split: a new pane below"),
  row("window:splitVertical", ["v"], "split: a new pane beside"),
  row("window:newSession", ["n"], "new session in a new pane"),
  row("window:close", ["c", "q"], "close the pane; work goes on"),
  row("window:only", ["o"], "hide the other panes; again: show them"),
  row("window:zoom", ["z"], "zoom the pane; again: restore"),
  row("window:taller", ["+"], "make the pane taller"),
  row("window:shorter", ["-"], "make the pane shorter"),
  row("window:narrower", ["<lt>"], "make the pane narrower"),
  row("window:wider", [">"], "make the pane wider"),
  row("window:fullHeight", ["_"], "as tall as possible, or count rows"),
  row("window:fullWidth", ["|"], "as wide as possible, or count columns"),
  row("window:equalise", ["="], "give siblings the same size"),
  row("window:moveLeft", ["H"], "move the pane to the far left"),
  row("window:moveDown", ["J"], "move the pane to the bottom"),
  row("window:moveUp", ["K"], "move the pane to the top"),
  row("window:moveRight", ["L"], "move the pane to the far right"),
  row("window:exchange", ["x"], "exchange with the next sibling"),
  row("window:rotate", ["r"], "rotate the siblings"),
  row("window:transcript", ["t"], "go to the transcript"),
  row("window:prompt", ["i", "<Tab>"], "go to the prompt and insert"),
  row("window:activity", ["a"], "go to the running calls"),
  row("window:changes", ["d"], "go to the changes"),
  row("window:files", ["f"], "go to the files"),
  row("window:tasks", ["g"], "go to the tasks"),
  row("window:context", ["b"], "go to the context window"),
  row("window:loop", ["e"], "go to the loop: phase, retries, limits, requests"),
  row("window:sessions", ["S"], "go to the live sessions"),
  row("window:approvals", ["Q"], "go to what waits for you"),
  row("window:attention", ["]"], "go to the next session that needs attention"),
  row("window:toggleMouse", ["m"], "switch the mouse on or off"),
  row("app:palette", [":"], "open the palette")
]

/** Ctrl+C keeps its meaning, and Ctrl+M is Enter on many terminals. */
const WITHOUT_CTRL = new Set(["c", "m"])

/** A second key with Ctrl still held means the same. */
const withCtrlHeld = <Id extends string>(action: ActionRow<Id>): ActionRow<Id> => ({
  ...action,
  keys: action.keys.flatMap((key) => (/^[a-z\]]$/.test(key) && !WITHOUT_CTRL.has(key) ? [key, `<C-${key}>`] : [key]))
})

export const WINDOW = table("Window", ROWS.map(withCtrlHeld))
