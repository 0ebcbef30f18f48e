import type { ActionId } from "./actions/action-tables.ts"
import { CONTEXTS, type ContextInfo, type ContextName } from "./actions/context.ts"
import type { Binding, Keymap } from "./keymap.ts"
import type { Stroke } from "./stroke.ts"

/**
 * The bindings of the active contexts merged into one tree of strokes. Contexts come in order of precedence: overlay,
 * pane, `Chat` or `Transcript`, `Global`. A prefix of a chord is reserved as long as any of them binds the chord.
 */
export interface KeyNode {
  /** The strokes that lead here. */
  readonly keys: ReadonlyArray<Stroke>
  readonly bound?: Bound
  readonly children: ReadonlyMap<Stroke, KeyNode>
  /** After the window prefix: digits that are no child are a count, kept by the caller. */
  readonly takesCount: boolean
  readonly root: KeyNode | undefined
}

/** What a node does, and where that was said. */
export interface Bound {
  readonly action: ActionId
  readonly context: ContextName
  readonly notation: ContextInfo["notation"]
  readonly source: Binding["source"]
  /** Its place among all bindings of the keymap. */
  readonly order: number
}

export type Lookup =
  | { readonly _tag: "Pending"; readonly node: KeyNode }
  | { readonly _tag: "Matched"; readonly action: ActionId; readonly keys: ReadonlyArray<Stroke> }
  | { readonly _tag: "NotFound" }
  /** The key continued no chord: what was typed so far is swallowed with it. */
  | { readonly _tag: "Cancelled"; readonly keys: ReadonlyArray<Stroke> }

const WINDOW_PREFIX: ActionId = "window:prefix"

/** Keys that end a pending chord by their own meaning, not by being swallowed. */
const INTERRUPT: Stroke = "<C-c>"

interface Draft {
  readonly children: Map<Stroke, Draft>
  bound: Bound | null | undefined
}

const emptyDraft = (): Draft => ({ children: new Map(), bound: undefined })

const draftAt = (from: Draft, strokes: ReadonlyArray<Stroke>): Draft => {
  let draft = from
  for (const stroke of strokes) {
    const next = draft.children.get(stroke) ?? emptyDraft()
    draft.children.set(stroke, next)
    draft = next
  }
  return draft
}

const boundBy = ({ action, context, source }: Binding, order: number): Bound | null =>
  action === null ? null : { action, context, source, order, notation: CONTEXTS[context].notation }

/** Writes the bindings of a context over what the draft has. */
const addContext = (draft: Draft, keymap: Keymap, context: ContextName): Draft => {
  keymap.bindings.forEach((binding, order) => {
    if (binding.context === context) draftAt(draft, binding.strokes).bound = boundBy(binding, order)
  })
  return draft
}

/** Window keys under a prefix, in the notation of the prefix; what was bound there by name stays. */
const graft = (target: Draft, window: Draft, notation: ContextInfo["notation"]): void => {
  for (const [stroke, source] of window.children) {
    const child = draftAt(target, [stroke])
    if (child.bound === undefined && source.bound !== undefined) {
      child.bound = source.bound === null ? null : { ...source.bound, notation }
    }
    graft(child, source, notation)
  }
}

interface Position {
  readonly keys: ReadonlyArray<Stroke>
  readonly root: KeyNode | undefined
}

/** The finished node, or undefined when nothing is bound at it or below. */
const finish = (draft: Draft, window: Draft, { keys, root }: Position): KeyNode | undefined => {
  const isWindowPrefix = draft.bound?.action === WINDOW_PREFIX
  if (isWindowPrefix) graft(draft, window, draft.bound?.notation ?? "vim")
  const children = new Map<Stroke, KeyNode>()
  const node: KeyNode = {
    keys,
    children,
    takesCount: isWindowPrefix,
    root,
    ...(draft.bound === undefined || draft.bound === null ? {} : { bound: draft.bound })
  }
  for (const [stroke, child] of draft.children) {
    const finished = finish(child, window, { keys: [...keys, stroke], root: root ?? node })
    if (finished !== undefined) children.set(stroke, finished)
  }
  return children.size === 0 && node.bound === undefined ? undefined : node
}

const NOTHING_BOUND: KeyNode = { keys: [], children: new Map(), takesCount: false, root: undefined }

const compile = (keymap: Keymap, contexts: ReadonlyArray<ContextName>): KeyNode => {
  const draft = emptyDraft()
  for (const context of contexts.toReversed()) addContext(draft, keymap, context)
  const window = addContext(emptyDraft(), keymap, "Window")
  return finish(draft, window, { keys: [], root: undefined }) ?? NOTHING_BOUND
}

const compiled = new WeakMap<Keymap, Map<string, KeyNode>>()

/** The tree of these contexts, most important first. Made once per keymap and list. */
export const keysFor = (keymap: Keymap, contexts: ReadonlyArray<ContextName>): KeyNode => {
  const trees = compiled.get(keymap) ?? new Map<string, KeyNode>()
  compiled.set(keymap, trees)
  const name = contexts.join(" ")
  const tree = trees.get(name) ?? compile(keymap, contexts)
  trees.set(name, tree)
  return tree
}

/** What a terminal without a keyboard protocol sends for these: unbound, they mean the same on every terminal. */
const LEGACY_TWINS: ReadonlyMap<Stroke, Stroke> = new Map([
  ["<C-[>", "<Esc>"],
  ["<C-m>", "<CR>"],
  ["<C-i>", "<Tab>"],
  ["<C-h>", "<BS>"],
  ["<C-CR>", "<CR>"],
  ["<S-Esc>", "<Esc>"],
  ["<S-BS>", "<BS>"],
  ["<S-Space>", " "]
])

/** What a stroke means where nothing is bound. */
export const legacyTwin = (stroke: Stroke): Stroke => LEGACY_TWINS.get(stroke) ?? stroke

/** What a stroke means where it may be bound itself. */
export const boundStroke = (node: KeyNode, stroke: Stroke): Stroke =>
  node.children.has(stroke) ? stroke : legacyTwin(stroke)

/** What a stroke means at the root (`keysFor`) or at the node of a pending chord. */
export const lookup = (node: KeyNode, stroke: Stroke): Lookup => {
  const next = node.children.get(boundStroke(node, stroke))
  if (next !== undefined) {
    return next.bound === undefined || next.children.size > 0
      ? { _tag: "Pending", node: next }
      : { _tag: "Matched", action: next.bound.action, keys: next.keys }
  }
  if (node.root === undefined) return { _tag: "NotFound" }
  return stroke === INTERRUPT ? lookup(node.root, stroke) : { _tag: "Cancelled", keys: [...node.keys, stroke] }
}

/** What a pending chord comes to when the chord timeout has passed: the binding on the prefix itself, if it acts. */
export const expire = (node: KeyNode): Lookup =>
  node.bound === undefined || node.takesCount
    ? { _tag: "Cancelled", keys: node.keys }
    : { _tag: "Matched", action: node.bound.action, keys: node.keys }

export interface ReachableBinding {
  readonly keys: ReadonlyArray<Stroke>
  readonly bound: Bound
}

/** Every binding that can be reached from a node. */
export const bindingsBelow = (node: KeyNode): ReadonlyArray<ReachableBinding> =>
  [...node.children.values()].flatMap((child) => [
    ...(child.bound === undefined ? [] : [{ keys: child.keys, bound: child.bound }]),
    ...bindingsBelow(child)
  ])
