import { row, table } from "./action.ts"

/** Scrolling the transcript from anywhere, and the mouse selection. */
export const SCROLL = table("Scroll", [
  row("scroll:pageUp", ["pageup"], "half a page up"),
  row("scroll:pageDown", ["pagedown"], "half a page down"),
  row("scroll:top", ["ctrl+home"], "to the beginning"),
  row("scroll:bottom", ["ctrl+end"], "to the end, and follow it"),
  row("scroll:lineUp", [], "a row up"),
  row("scroll:lineDown", [], "a row down"),
  row("scroll:halfPageUp", [], "half a page up"),
  row("scroll:halfPageDown", [], "half a page down"),
  row("scroll:fullPageUp", [], "a page up"),
  row("scroll:fullPageDown", [], "a page down"),
  row("selection:copy", ["ctrl+shift+c", "cmd+c"], "copy the selection"),
  row("selection:clear", [], "clear the selection"),
  row("selection:extendLeft", ["shift+left"], "extend the selection to the left"),
  row("selection:extendRight", ["shift+right"], "extend the selection to the right"),
  row("selection:extendUp", ["shift+up"], "extend the selection upwards"),
  row("selection:extendDown", ["shift+down"], "extend the selection downwards"),
  row("selection:extendLineStart", ["shift+home"], "extend the selection to the start of the line"),
  row("selection:extendLineEnd", ["shift+end"], "extend the selection to the end of the line")
])
