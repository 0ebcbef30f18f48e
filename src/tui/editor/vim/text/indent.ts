/** Indents: blanks and tabs by the options. */
import { displayWidth, indentEnd } from "../../clusters.ts"
import type { VimOptions } from "../state/context.ts"

export const makeIndent = (width: number, { expandtab, tabstop }: VimOptions): string =>
  expandtab ? " ".repeat(width) : "\t".repeat(Math.floor(width / tabstop)) + " ".repeat(width % tabstop)

export const indentWidth = (text: string, tabstop: number): number => displayWidth(text.slice(0, indentEnd(text)), tabstop)

export const withIndent = (text: string, width: number, options: VimOptions): string =>
  makeIndent(Math.max(0, width), options) + text.slice(indentEnd(text))
