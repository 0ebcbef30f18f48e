/**
 * What Escape does in the prompt and in a pane: the first thing that can be left is left. Total: there is always an
 * answer. Chords, the command line, overlays and the completion menu have an Escape of their own, which comes first.
 */
export interface EscapeSituation {
  readonly operator: boolean
  readonly completion: boolean
  readonly editing: boolean
  readonly selection: boolean
  readonly zoomed: boolean
  readonly inputModeOnEmpty: boolean
  readonly outsidePrompt: boolean
  readonly running: boolean
  readonly secondPress: boolean
  readonly promptEmpty: boolean
}

export type EscapeAction =
  | "dropOperator"
  | "dismissCompletion"
  | "leaveInsert"
  | "clearSelection"
  | "unzoom"
  | "leaveInputMode"
  | "focusPrompt"
  | "interrupt"
  | "clearPrompt"
  | "openSelector"
  | "nothing"

export const onEscape = (at: EscapeSituation): EscapeAction => {
  if (at.operator) return "dropOperator"
  if (at.completion) return "dismissCompletion"
  if (at.editing) return "leaveInsert"
  if (at.selection && at.outsidePrompt) return "clearSelection"
  if (at.zoomed) return "unzoom"
  if (at.inputModeOnEmpty) return "leaveInputMode"
  if (at.outsidePrompt) return "focusPrompt"
  if (at.running) return "interrupt"
  if (at.secondPress) return at.promptEmpty ? "openSelector" : "clearPrompt"
  return "nothing"
}
