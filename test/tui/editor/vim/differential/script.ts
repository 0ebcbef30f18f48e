import { parseStrokes, type Stroke } from "../../../../../src/tui/keymap/stroke.ts"
import type { VimCase } from "../../../../support/vim-oracle.ts"

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
  /** Whether the editors are compared after every command, not only at the end. */
  readonly stepwise?: true
}

/** The options of both profiles, as vim spells them; ours are VIM_OPTIONS and PROMPT_OPTIONS of the engine. */
const SETTINGS: Record<Profile, string> = {
  vim: "backspace= shiftwidth=8 tabstop=8 noexpandtab textwidth=0 formatoptions=tcq noignorecase nosmartcase joinspaces",
  prompt:
    "backspace=indent,eol,start shiftwidth=2 tabstop=4 expandtab textwidth=80 formatoptions=q " +
    "ignorecase smartcase nojoinspaces"
}

export const keysOf = (script: Script): string =>
  script.commands
    .flat()
    .map(({ keys }) => keys)
    .join("")

export const strokesOf = (script: Script): ReadonlyArray<Stroke> => parseStrokes(keysOf(script))

/** Looking at vim is a command, too: it would end what a failed jump to a mark leaves to the command behind it. */
const isObservable = (command: Command): boolean => command.every(({ keys }) => !keys.includes("`"))

/** The commands between two comparisons. */
export const partsOf = (script: Script): ReadonlyArray<Command> => {
  if (script.stepwise !== true) return [script.commands.flat()]
  const parts: Array<Command> = []
  let open: Command = []
  for (const [index, command] of script.commands.entries()) {
    open = [...open, ...command]
    if (!isObservable(command) && index < script.commands.length - 1) continue
    parts.push(open)
    open = []
  }
  return parts.length === 0 ? [[]] : parts
}

const strokesIn = (script: Script, spell: (piece: Piece) => string): ReadonlyArray<ReadonlyArray<Stroke>> =>
  partsOf(script).map((pieces) => parseStrokes(pieces.map(spell).join("")))

/** The strokes between two comparisons. */
export const ourParts = (script: Script): ReadonlyArray<ReadonlyArray<Stroke>> => strokesIn(script, ({ keys }) => keys)

export const caseOf = (script: Script): VimCase => ({
  lines: script.lines,
  parts: strokesIn(script, ({ keys, vim }) => vim ?? keys),
  settings: SETTINGS[script.profile]
})
