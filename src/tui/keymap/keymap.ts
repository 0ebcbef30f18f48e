import type { ActionRow } from "./actions/action.ts"
import { ACTION_TABLES, type ActionId } from "./actions/action-tables.ts"
import { parseChord } from "./chord.ts"
import { CONTEXTS, type ContextName } from "./actions/context.ts"
import { parseStrokes, type Stroke } from "./stroke.ts"

/** One key sequence of one context. `null` takes the key away there, also from wider contexts. */
export interface Binding {
  readonly context: ContextName
  readonly strokes: ReadonlyArray<Stroke>
  readonly action: ActionId | null
  readonly source: "default" | "user"
}

/** All bindings; within a context a later one wins. */
export interface Keymap {
  readonly bindings: ReadonlyArray<Binding>
}

export interface KeymapOptions {
  readonly platform: "unix" | "windows" | "wsl"
  readonly screen: "fullscreen" | "inline"
  /** `nacre.tui.leader`, in vim notation. */
  readonly leader: string
  /** `nacre.tui.pagerKeys`. */
  readonly pagerKeys: boolean
}

export const KEYMAP_DEFAULTS: KeymapOptions = { platform: "unix", screen: "fullscreen", leader: "\\", pagerKeys: true }

/** Strokes of a key text of our own tables, which a test has read: what cannot be read is no key. */
export const strokesIn = (context: ContextName, keys: string, leader: string): ReadonlyArray<Stroke> => {
  if (CONTEXTS[context].notation === "vim") return parseStrokes(keys.replaceAll("<Leader>", () => leader))
  const reading = parseChord(keys)
  return reading._tag === "Chord" ? reading.strokes : []
}

/** The keys of an action under these circumstances. */
export const keysOf = (row: ActionRow, options: KeymapOptions): ReadonlyArray<string> => {
  if (row.only !== undefined && row.only !== options.screen) return []
  if (row.pager === true && !options.pagerKeys) return []
  return (options.platform === "unix" ? undefined : row[options.platform]) ?? row.keys
}

export const defaultKeymap = (options: Partial<KeymapOptions> = {}): Keymap => {
  const facts = { ...KEYMAP_DEFAULTS, ...options }
  const binding = (context: ContextName, keys: string, action: ActionId | null): Binding => ({
    context,
    strokes: strokesIn(context, keys, facts.leader),
    action,
    source: "default"
  })
  return {
    bindings: ACTION_TABLES.flatMap(({ context, rows, passes = [] }) => [
      ...rows.flatMap((row) => keysOf(row, facts).map((keys) => binding(context, keys, row.id))),
      ...passes.map((keys) => binding(context, keys, null))
    ])
  }
}

/** The keymap with the user's bindings, which come after the defaults and so win over them. */
export const withUserBindings = (keymap: Keymap, blocks: ReadonlyArray<KeyBlock>): Keymap => ({
  bindings: [
    ...keymap.bindings,
    ...blocks.flatMap(({ context, entries }) =>
      entries.map(({ strokes, action }): Binding => ({ context, strokes, action, source: "user" }))
    )
  ]
})

/** A block of keybindings.json after validation. */
export interface KeyBlock {
  readonly context: ContextName
  readonly entries: ReadonlyArray<{ readonly strokes: ReadonlyArray<Stroke>; readonly action: ActionId | null }>
}
