/** What Escape does (UI-199): the first thing that can be left is left. Total: there is always an answer. */

export interface EscapeSituation {
  readonly pendingKeys: boolean
  readonly commandLine: boolean
  readonly overlay: boolean
  readonly completion: boolean
  readonly historySearch: boolean
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
  | "resetPending"
  | "cancelCommandLine"
  | "leaveOverlay"
  | "dismissCompletion"
  | "cancelHistorySearch"
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
  if (at.pendingKeys) return "resetPending"
  if (at.commandLine) return "cancelCommandLine"
  if (at.overlay) return "leaveOverlay"
  if (at.completion) return "dismissCompletion"
  if (at.historySearch) return "cancelHistorySearch"
  if (at.editing) return "leaveInsert"
  if (at.selection && at.outsidePrompt) return "clearSelection"
  if (at.zoomed) return "unzoom"
  if (at.inputModeOnEmpty) return "leaveInputMode"
  if (at.outsidePrompt) return "focusPrompt"
  if (at.running) return "interrupt"
  if (at.secondPress) return at.promptEmpty ? "openSelector" : "clearPrompt"
  return "nothing"
}
