import { ACTION_TABLES, type ActionId } from "./actions/action-tables.ts"
import type { ActionRow } from "./actions/action.ts"
import { formatChord } from "./chord.ts"
import { CONTEXTS, type ContextInfo, type ContextName } from "./actions/context.ts"
import type { Binding, Keymap } from "./keymap.ts"
import { formatStrokes, type Stroke } from "./stroke.ts"
import { bindingsBelow, keysFor, type KeyNode, type ReachableBinding } from "./trie.ts"
import { VIM_KEYS } from "./vim-keys.ts"

/** What help, hints and which-key show: always the bindings of this keymap, never the defaults from memory. */
export interface HelpSection {
  readonly title: string
  readonly isActive: boolean
  readonly rows: ReadonlyArray<HelpRow>
}

export interface HelpRow {
  /** Absent for keys of the vim engine, which are no actions. */
  readonly action?: ActionId
  readonly description: string
  readonly keys: ReadonlyArray<{ readonly text: string; readonly works: boolean }>
}

export const showKeys = (strokes: ReadonlyArray<Stroke>, notation: ContextInfo["notation"]): string =>
  notation === "vim" ? formatStrokes(strokes) : formatChord(strokes)

const nodeAt = (root: KeyNode, strokes: ReadonlyArray<Stroke>): KeyNode | undefined =>
  strokes.reduce<KeyNode | undefined>((node, stroke) => node?.children.get(stroke), root)

/** The bindings of a context that no later one of the same context replaced. */
const standing = (keymap: Keymap, context: ContextName): ReadonlyArray<Binding> => {
  const last = new Map<string, Binding>()
  for (const binding of keymap.bindings) {
    if (binding.context === context) last.set(binding.strokes.join(" "), binding)
  }
  return [...last.values()]
}

/** The user's keys first: they were chosen. */
const userFirst = (bindings: ReadonlyArray<Binding>): ReadonlyArray<Binding> => [
  ...bindings.filter(({ source }) => source === "user"),
  ...bindings.filter(({ source }) => source === "default")
]

const describe = ({ id, description, takes }: ActionRow<ActionId>): HelpRow => ({
  action: id,
  description: takes === undefined ? description : `${description} {${takes}}`,
  keys: []
})

const actionSection = (keymap: Keymap, context: ContextName, root: KeyNode | undefined): HelpSection => {
  const { title, notation } = CONTEXTS[context]
  const bindings = userFirst(standing(keymap, context))
  const works = ({ strokes, action }: Binding): boolean =>
    root !== undefined && action !== null && nodeAt(root, strokes)?.bound?.action === action
  const rows = ACTION_TABLES.filter((table) => table.context === context).flatMap((table) => table.rows)
  const tableIds = new Set(rows.map(({ id }) => id))
  const borrowed = ACTION_TABLES.flatMap((table) => table.rows).filter(
    ({ id }, index, all) =>
      !tableIds.has(id) &&
      bindings.some((binding) => binding.action === id) &&
      all.findIndex((other) => other.id === id) === index
  )
  return {
    title,
    isActive: root !== undefined,
    rows: [...rows, ...borrowed].map((row) => ({
      ...describe(row),
      keys: bindings
        .filter((binding) => binding.action === row.id)
        .map((binding) => ({ text: showKeys(binding.strokes, notation), works: works(binding) }))
    }))
  }
}

const vimSections = (context: ContextName, isActive: boolean): ReadonlyArray<HelpSection> =>
  VIM_KEYS.filter((table) => table.context === context).map(({ title, rows }) => ({
    title,
    isActive,
    rows: rows.map(([keys, description]) => ({ description, keys: [{ text: keys, works: isActive }] }))
  }))

/** All sections: those of the active contexts first, in their order, then the others, whose keys do not work now. */
export const helpSections = (keymap: Keymap, contexts: ReadonlyArray<ContextName>): ReadonlyArray<HelpSection> => {
  const root = keysFor(keymap, contexts)
  const windowRoot = windowNode(root)
  const ordered = [...contexts, ...ACTION_TABLES.map(({ context }) => context)]
  return [...new Set(ordered)].flatMap((context) => {
    const isActive = contexts.includes(context)
    const at = context === "Window" ? windowRoot : isActive ? root : undefined
    return [actionSection(keymap, context, at), ...vimSections(context, isActive)]
  })
}

/** Where the window keys hang in the tree: below whatever the prefix is bound to. */
const windowNode = (node: KeyNode): KeyNode | undefined => {
  if (node.takesCount) return node
  for (const child of node.children.values()) {
    const found = windowNode(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** The user's own keys first, then those of the nearest context, then those behind the window prefix. */
const rank = ({ bound }: ReachableBinding, contexts: ReadonlyArray<ContextName>): number => {
  const distance = contexts.indexOf(bound.context)
  return bound.source === "user" ? -1 : distance === -1 ? contexts.length : distance
}

/** The key to show for an action, as it is bound where the focus is; undefined when no key reaches it. */
const knownHints = new WeakMap<Keymap, Map<string, string | undefined>>()

/** The key to name for an action. Frames ask for it, so it is found once for each keymap. */
export const hintFor = (keymap: Keymap, action: ActionId, contexts: ReadonlyArray<ContextName>): string | undefined => {
  const hints = knownHints.get(keymap) ?? new Map<string, string | undefined>()
  knownHints.set(keymap, hints)
  const name = `${action} ${contexts.join(" ")}`
  if (!hints.has(name)) hints.set(name, findHint(keymap, action, contexts))
  return hints.get(name)
}

const findHint = (keymap: Keymap, action: ActionId, contexts: ReadonlyArray<ContextName>): string | undefined => {
  const [shown] = bindingsBelow(keysFor(keymap, contexts))
    .filter(({ bound }) => bound.action === action)
    .toSorted(
      (left, right) =>
        rank(left, contexts) - rank(right, contexts) ||
        left.bound.order - right.bound.order ||
        left.keys.length - right.keys.length
    )
  return shown === undefined ? undefined : showKeys(shown.keys, shown.bound.notation)
}

/** What may follow a pending prefix, for the which-key popup: one row per next key. */
export const continuations = (
  node: KeyNode
): ReadonlyArray<{ readonly key: string; readonly action: ActionId | undefined; readonly isPrefix: boolean }> =>
  [...node.children].map(([stroke, child]) => ({
    key: formatStrokes([stroke]),
    action: child.bound?.action,
    isPrefix: child.children.size > 0
  }))
