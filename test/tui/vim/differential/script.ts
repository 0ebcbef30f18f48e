import { parseStrokes, type Stroke } from "../../../../src/tui/keymap/stroke.ts"
import type { VimCase } from "../../../support/vim-oracle.ts"

/** Keys that are typed or left out together. Where the prompt spells a command in its own way, `vim` is vim's way. */
export interface Piece {
  readonly keys: string
  readonly vim?: string
  /** Without this piece the rest of its command would mean something else, so only the whole command may be dropped. */
  readonly keep?: true
}

export type Command = ReadonlyArray<Piece>

export type Profile = "vim" | "prompt"

export interface Script {
  readonly profile: Profile
  readonly lines: ReadonlyArray<string>
  readonly commands: ReadonlyArray<Command>
}

/** The options of both profiles, as vim spells them; ours are VIM_OPTIONS and PROMPT_OPTIONS of the engine. */
const SETTINGS: Record<Profile, string> = {
  vim:
    "backspace= shiftwidth=8 tabstop=8 noexpandtab textwidth=0 formatoptions=tcq " +
    "noignorecase nosmartcase joinspaces",
  prompt:
    "backspace=indent,eol,start shiftwidth=2 tabstop=4 expandtab textwidth=80 formatoptions=q " +
    "ignorecase smartcase nojoinspaces"
}

export const keysOf = (script: Script): string => script.commands.flat().map(({ keys }) => keys).join("")

export const strokesOf = (script: Script): ReadonlyArray<Stroke> => parseStrokes(keysOf(script))

export const caseOf = (script: Script): VimCase => ({
  lines: script.lines,
  strokes: parseStrokes(script.commands.flat().map(({ keys, vim }) => vim ?? keys).join("")),
  settings: SETTINGS[script.profile]
})
