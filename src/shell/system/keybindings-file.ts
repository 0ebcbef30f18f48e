import { join } from "node:path"
import { defaultKeymap, type Keymap, type KeymapOptions, withUserBindings } from "../../tui/keymap/keymap.ts"
import type { KeyboardProtocol, KeyWarning } from "../../tui/keymap/key-warning.ts"
import { readKeybindings } from "../../tui/keymap/keybindings.ts"
import { keybindingsTemplate } from "../../tui/keymap/template.ts"
import { readIfThere, writeWhole } from "./private-file.ts"

/** The user's keybindings.json. */

export const keybindingsPath = (configHome: string): string => join(configHome, "keybindings.json")

const words = (path: string, { line, column, message }: KeyWarning): string => `${path}:${line}:${column}: ${message}`

export interface LoadedKeymap {
  /** Undefined when the file is broken as a whole: the table in force stays. */
  readonly keymap: Keymap | undefined
  readonly notices: ReadonlyArray<string>
}

export interface KeyFacts {
  readonly keyboard: KeyboardProtocol
  readonly options?: Partial<KeymapOptions>
}

export const loadKeymap = (configHome: string, { keyboard, options }: KeyFacts): LoadedKeymap => {
  const defaults = defaultKeymap(options)
  const path = keybindingsPath(configHome)
  try {
    const text = readIfThere(path)
    if (text === undefined) return { keymap: defaults, notices: [] }
    const { blocks, warnings } = readKeybindings(text, { defaults, keyboard })
    return {
      keymap: blocks === undefined ? undefined : withUserBindings(defaults, blocks),
      notices: warnings.map((warning) => words(path, warning))
    }
  } catch (error) {
    return { keymap: undefined, notices: [`${path} cannot be read (${String(error)}). Fix: make it readable`] }
  }
}

/** Writes every default into a new file; one that is there stays. */
export const ensureKeybindings = (configHome: string): string => {
  const path = keybindingsPath(configHome)
  if (readIfThere(path) === undefined) writeWhole(path, keybindingsTemplate(defaultKeymap()))
  return path
}
