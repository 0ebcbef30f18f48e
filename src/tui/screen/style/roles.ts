/**
 * What a piece of text means. Panes name roles and never colours; a theme gives every role its colours, so that a
 * change of theme is a repaint and nothing else.
 */
export const ROLES = [
  // Text.
  "text",
  "claude",
  "inverseText",
  "inactive",
  "subtle",
  "suggestion",
  "permission",
  "remember",
  // Status.
  "success",
  "error",
  "warning",
  "merged",
  // Input.
  "promptBorder",
  "planMode",
  "autoAccept",
  "bashBorder",
  "ide",
  "fastMode",
  // Diffs.
  "diffAdded",
  "diffRemoved",
  "diffAddedDimmed",
  "diffRemovedDimmed",
  "diffAddedWord",
  "diffRemovedWord",
  // Grounds of the full-screen view.
  "userMessageBackground",
  "userMessageBackgroundHover",
  "bashMessageBackgroundColor",
  "memoryBackgroundColor",
  "selectionBg",
  // Meters.
  "rate_limit_fill",
  "rate_limit_empty",
  "briefLabelYou",
  "briefLabelClaude",
  // Agents.
  "red_FOR_SUBAGENTS_ONLY",
  "blue_FOR_SUBAGENTS_ONLY",
  "green_FOR_SUBAGENTS_ONLY",
  "yellow_FOR_SUBAGENTS_ONLY",
  "purple_FOR_SUBAGENTS_ONLY",
  "orange_FOR_SUBAGENTS_ONLY",
  "pink_FOR_SUBAGENTS_ONLY",
  "cyan_FOR_SUBAGENTS_ONLY",
  // Chrome and syntax.
  "paneBorder",
  "paneBorderFocused",
  "paneTitle",
  "cursorLine",
  "searchMatch",
  "searchCurrent",
  "mark",
  "control",
  "badge",
  "fold",
  "lineNumber",
  "gutter",
  "dialogBorder",
  "destructive",
  "code",
  "codeSpan",
  "string",
  "keyword",
  "number",
  "comment",
  "function",
  "type",
  "heading",
  "link",
  "quote",
  "tableBorder"
] as const

export type Role = (typeof ROLES)[number]
