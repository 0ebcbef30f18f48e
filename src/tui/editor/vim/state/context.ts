/** What the engine gets to know of the world with every stroke. */

export interface VimOptions {
  readonly shiftwidth: number
  readonly tabstop: number
  readonly expandtab: boolean
  /** Column at which `gq` breaks lines; 0 means 79, as in vim. */
  readonly textwidth: number
  readonly ignorecase: boolean
  readonly smartcase: boolean
  readonly wrapscan: boolean
  /** Joining puts two blanks behind the end of a sentence. */
  readonly joinspaces: boolean
  /** Characters that backspace may take beyond what this insertion typed. */
  readonly backspace: "none" | "all"
  /** What `/` and `?` do in NORMAL: search the buffer, or hand over to the application. */
  readonly promptSlash: "auto" | "history" | "buffer"
  /** Pairs of keys that mean Escape in insert mode when typed within a second. */
  readonly insertRemaps: ReadonlyArray<string>
  /** `j` and `k` that leave the buffer recall history. */
  readonly recall: boolean
  /** `<CR>` submits; off only where a buffer has nothing to submit to. */
  readonly submit: boolean
  /** Every yank and deletion also goes to the clipboard. */
  readonly clipboard: "none" | "unnamed"
}

/** The values of `vim -Nu NONE`, which the differential suite compares with. */
export const VIM_OPTIONS: VimOptions = {
  shiftwidth: 8,
  tabstop: 8,
  expandtab: false,
  textwidth: 0,
  ignorecase: false,
  smartcase: false,
  wrapscan: true,
  joinspaces: true,
  backspace: "none",
  promptSlash: "buffer",
  insertRemaps: [],
  recall: false,
  submit: true,
  clipboard: "none"
}

/** The values of the prompt. */
export const PROMPT_OPTIONS: VimOptions = {
  shiftwidth: 2,
  tabstop: 4,
  expandtab: true,
  textwidth: 80,
  ignorecase: true,
  smartcase: true,
  wrapscan: true,
  joinspaces: false,
  backspace: "all",
  promptSlash: "auto",
  insertRemaps: [],
  recall: true,
  submit: true,
  clipboard: "unnamed"
}

export interface VimContext {
  /** Milliseconds; only differences matter. */
  readonly now: number
  /** Columns of a visual row, for `gj`, `gk`, `g0`, `g$`. */
  readonly width: number
  /** Offsets at which the visual rows of a line begin, where they do not simply break at `width`. */
  readonly rowStarts?: (text: string) => ReadonlyArray<number>
  /** First and last buffer line in view, for `H`, `M`, `L`. */
  readonly view: { readonly top: number; readonly bottom: number }
  readonly clipboard: string
  /** Name of the session, the register `%`. */
  readonly name: string
}

export const PLAIN_CONTEXT: VimContext = {
  now: 0,
  width: 80,
  view: { top: 0, bottom: 22 },
  clipboard: "",
  name: ""
}
