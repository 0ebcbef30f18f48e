import type { ThemeName } from "../screen/style/palette.ts"
import type { Flavor } from "../editor/standard/keys.ts"
import { PROMPT_OPTIONS, type VimOptions } from "../editor/vim/state/context.ts"
import type { View } from "../transcript/block.ts"

/** What the user chose about the interface; a setting, a flag or `:set` changes it. */
export interface UiOptions {
  /** Panes over the whole screen, or the terminal's own scrollback with a live region under it. */
  readonly interface: "fullscreen" | "inline"
  /** Completes the sentence "the interface is … because". */
  readonly interfaceBecause: string
  readonly theme: ThemeName | "auto"
  readonly editorMode: "vim" | "normal"
  /** Which of the standard keys are those of readline. */
  readonly keyFlavor: Flavor
  readonly emojiCompletion: boolean
  readonly showVimMode: boolean
  /** What `/` and `?` do in NORMAL of the prompt. */
  readonly promptSlash: VimOptions["promptSlash"]
  readonly insertRemaps: VimOptions["insertRemaps"]
  readonly clipboard: VimOptions["clipboard"]
  /** How long questions of the model wait for somebody; 0 for ever. */
  readonly questionTimeoutMs: number
  readonly borders: "line" | "ascii" | "none"
  readonly glyphs: "unicode" | "ascii"
  readonly mouse: boolean
  /** Off: the wheel scrolls, and buttons mean nothing. */
  readonly mouseClicks: boolean
  /** A factor for the rows of the wheel. */
  readonly scrollSpeed: number
  readonly reducedMotion: boolean
  readonly view: View
  readonly thinking: "hide" | "fold" | "show"
  readonly meta: boolean
  readonly codeWrap: boolean
  readonly diff: "unified" | "split" | "auto"
  readonly highlight: boolean
  readonly tabWidth: number
  readonly followOnSubmit: boolean
  readonly typeThrough: boolean
  readonly copyOnSelect: boolean
  readonly showTurns: boolean
  /** The user's command for rows over the status, and the blanks before them. */
  readonly statusLine: { readonly command: string; readonly padding: number } | undefined
  /** Words of the user for the row of a running turn; one of them for each turn. */
  readonly spinnerVerbs: ReadonlyArray<string>
  /** What a running turn may teach: tips of the user, and whether ours are among them. */
  readonly tips: { readonly own: ReadonlyArray<string>; readonly showsOurs: boolean }
  /** The end of the conversation is followed while it is in view. */
  readonly autoScroll: boolean
  /** How long a prefix waits before it shows what may follow; 0 never. */
  readonly whichKeyMs: number
  /** The cursor is shown at the chosen row of lists and menus too, for magnifiers and readers. */
  readonly alwaysShowCursor: boolean
  /** Names of capabilities that the user set: no answer of the terminal changes them. */
  readonly fixedCaps: ReadonlyArray<string>
  /** Models to choose from, and why one cannot be used. */
  readonly models: ReadonlyArray<ModelChoice>
  /** The user's own row limits of folded results, by tool. */
  readonly foldLimits: Readonly<Record<string, number>>
}

export interface ModelChoice {
  /** What a user calls it. */
  readonly name: string
  readonly id: string
  readonly unavailable?: string
}

export const MODEL_NAMES: ReadonlyArray<string> = ["offline", "fable", "opus", "sonnet", "haiku"]

export const DEFAULT_UI_OPTIONS: UiOptions = {
  interface: "fullscreen",
  interfaceBecause: "it is the default",
  theme: "auto",
  editorMode: "normal",
  keyFlavor: "standard",
  emojiCompletion: true,
  showVimMode: true,
  promptSlash: "auto",
  insertRemaps: [],
  clipboard: "unnamed",
  questionTimeoutMs: 0,
  borders: "line",
  glyphs: "unicode",
  mouse: true,
  mouseClicks: true,
  scrollSpeed: 1,
  reducedMotion: false,
  view: "default",
  thinking: "fold",
  meta: false,
  codeWrap: false,
  diff: "unified",
  highlight: true,
  tabWidth: 4,
  followOnSubmit: true,
  typeThrough: false,
  copyOnSelect: true,
  showTurns: true,
  statusLine: undefined,
  spinnerVerbs: [],
  tips: { own: [], showsOurs: true },
  autoScroll: true,
  whichKeyMs: 600,
  alwaysShowCursor: false,
  fixedCaps: [],
  models: MODEL_NAMES.map((name) => ({ name, id: name })),
  foldLimits: {}
}

/** What the user chose about vim in the prompt. */
export const vimOptionsOf = ({ promptSlash, insertRemaps, clipboard }: UiOptions): VimOptions => ({
  ...PROMPT_OPTIONS,
  promptSlash,
  insertRemaps,
  clipboard
})
