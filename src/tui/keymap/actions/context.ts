/** The places where keys mean something. The names are those of keybindings.json. */
export interface ContextInfo {
  readonly title: string
  /** How its keys are written on screen: like vim, or like `ctrl+x ctrl+w`. */
  readonly notation: "vim" | "chord"
}

const CONTEXT_TABLE = {
  Global: { title: "Everywhere", notation: "chord" },
  Chat: { title: "Prompt", notation: "chord" },
  Autocomplete: { title: "Completion menu", notation: "chord" },
  Settings: { title: "Settings", notation: "chord" },
  Confirmation: { title: "Permission and other questions", notation: "chord" },
  Tabs: { title: "Tabs in dialogs", notation: "chord" },
  Help: { title: "Help", notation: "chord" },
  Transcript: { title: "Transcript", notation: "vim" },
  HistorySearch: { title: "History search", notation: "chord" },
  Task: { title: "While a command runs", notation: "chord" },
  ThemePicker: { title: "Theme picker", notation: "chord" },
  Attachments: { title: "Attachments of the prompt", notation: "chord" },
  Footer: { title: "Fields below the prompt", notation: "chord" },
  MessageSelector: { title: "Message selector", notation: "chord" },
  DiffDialog: { title: "Diff dialog", notation: "chord" },
  ModelPicker: { title: "Model picker", notation: "chord" },
  Select: { title: "Lists in dialogs", notation: "chord" },
  Plugin: { title: "Plugins", notation: "chord" },
  Scroll: { title: "Scrolling and selection", notation: "chord" },
  Pane: { title: "Every pane", notation: "vim" },
  Window: { title: "After the window prefix", notation: "vim" },
  Diff: { title: "Changes", notation: "vim" },
  List: { title: "List panes", notation: "vim" },
  "Prompt.normal": { title: "Prompt, vim NORMAL", notation: "vim" },
  "Prompt.visual": { title: "Prompt, vim VISUAL", notation: "vim" },
  CommandLine: { title: "Command and search line", notation: "chord" },
  Palette: { title: "Palette", notation: "chord" },
  Sessions: { title: "Session browser", notation: "vim" },
  Approvals: { title: "Approvals", notation: "vim" }
} as const satisfies Record<string, ContextInfo>

export type ContextName = keyof typeof CONTEXT_TABLE

export const CONTEXTS: Readonly<Record<ContextName, ContextInfo>> = CONTEXT_TABLE

export const isContextName = (name: string): name is ContextName => Object.hasOwn(CONTEXT_TABLE, name)

export const CONTEXT_NAMES: ReadonlyArray<ContextName> = Object.keys(CONTEXT_TABLE).filter(isContextName)
