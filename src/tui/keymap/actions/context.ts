import type { PaneId } from "../../screen/layout/tree.ts"

/** The places where keys mean something. The names are those of keybindings.json. */
export interface ContextInfo {
  /** The pane whose own keys these are. */
  readonly pane?: PaneId
  readonly title: string
  /** How its keys are written on screen: like vim, or like `ctrl+x ctrl+w`. */
  readonly notation: "vim" | "chord"
}

const CONTEXT_TABLE = {
  Global: { title: "Everywhere", notation: "chord" },
  Chat: { title: "Prompt", notation: "chord" },
  Autocomplete: { title: "Completion menu", notation: "chord" },
  Confirmation: { title: "Permission and other questions", notation: "chord" },
  Tabs: { title: "Tabs in dialogs", notation: "chord" },
  Help: { title: "Help", notation: "chord" },
  Transcript: { title: "Transcript", notation: "vim", pane: "transcript" },
  HistorySearch: { title: "History search", notation: "chord" },
  Task: { title: "While a command runs", notation: "chord" },
  ThemePicker: { title: "Theme picker", notation: "chord" },
  MessageSelector: { title: "Message selector", notation: "chord" },
  ModelPicker: { title: "Model picker", notation: "chord" },
  Select: { title: "Lists in dialogs", notation: "chord" },
  Scroll: { title: "Scrolling and selection", notation: "chord" },
  Pane: { title: "Every pane", notation: "vim" },
  Window: { title: "After the window prefix", notation: "vim" },
  Diff: { title: "Changes", notation: "vim", pane: "changes" },
  List: { title: "List panes", notation: "vim" },
  "Prompt.normal": { title: "Prompt, vim NORMAL", notation: "vim" },
  "Prompt.visual": { title: "Prompt, vim VISUAL", notation: "vim" },
  CommandLine: { title: "Command and search line", notation: "chord" },
  Palette: { title: "Palette", notation: "chord" },
  Sessions: { title: "Session browser", notation: "vim" },
  Loop: { title: "Loop", notation: "vim", pane: "loop" },
  Approvals: { title: "Approvals", notation: "vim", pane: "approvals" },
  Permissions: { title: "List of rules", notation: "chord" },
  Sandbox: { title: "List of the sandbox", notation: "chord" },
  Memory: { title: "List of the memory", notation: "chord" },
  Queue: { title: "List of what waits", notation: "chord" },
  Message: { title: "Menu of a message", notation: "chord" },
  Rewind: { title: "Menu of an earlier prompt", notation: "chord" }
} as const satisfies Record<string, ContextInfo>

export type ContextName = keyof typeof CONTEXT_TABLE

export const CONTEXTS: Readonly<Record<ContextName, ContextInfo>> = CONTEXT_TABLE

export const isContextName = (name: string): name is ContextName => Object.hasOwn(CONTEXT_TABLE, name)

export const CONTEXT_NAMES: ReadonlyArray<ContextName> = Object.keys(CONTEXT_TABLE).filter(isContextName)

/** What other programs with this file have and this one has not: it is read, and bound to nothing. */
const ELSEWHERE: ReadonlySet<string> = new Set(["Attachments", "DiffDialog", "Footer", "Plugin", "Settings"])

export const isContextElsewhere = (name: string): boolean => ELSEWHERE.has(name)
