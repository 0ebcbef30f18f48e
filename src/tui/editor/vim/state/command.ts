/** What the engine asks of the application: it changes its own state itself and never does anything else. */
import type { Position } from "../../lines.ts"
import type { Stroke } from "../../../keymap/stroke.ts"

export type VimCommand =
  | { readonly _tag: "Submit" }
  /** A stroke that means nothing here; the application may have a use for it. */
  | { readonly _tag: "Unhandled"; readonly stroke: Stroke }
  | { readonly _tag: "SetClipboard"; readonly text: string }
  /** The lines from `first` to `last` go to a shell command; `replaceRange` puts its output in their place. */
  | { readonly _tag: "PipeThrough"; readonly first: number; readonly last: number; readonly command: string }
  /** An ex line the engine does not know. The range is in lines from 0. */
  | { readonly _tag: "ExCommand"; readonly text: string; readonly range: LineRange | undefined }
  | { readonly _tag: "HistoryOlder"; readonly count: number }
  | { readonly _tag: "HistoryNewer"; readonly count: number }
  | { readonly _tag: "OpenHistorySearch" }
  | { readonly _tag: "OpenHelp" }
  /** The command failed; vim would beep. */
  | { readonly _tag: "Bell" }
  | { readonly _tag: "Message"; readonly text: string }
  /** Several lines to show at rest, as `:reg`, `:marks` and `:undolist` give them. */
  | { readonly _tag: "Listing"; readonly title: string; readonly lines: ReadonlyArray<string> }
  /** The window should show this line: `zz`, `zt`, `zb`. */
  | { readonly _tag: "Scroll"; readonly to: "top" | "middle" | "bottom"; readonly at: Position }

export interface LineRange {
  readonly first: number
  readonly last: number
}
