import { ACTION_TABLES } from "./actions/action-tables.ts"
import { parseChord } from "./chord.ts"
import type { ContextName } from "./actions/context.ts"
import { hintFor } from "./help.ts"
import { type Keymap, strokesIn } from "./keymap.ts"
import type { Stroke } from "./stroke.ts"
import { type KeyNode, keysFor } from "./trie.ts"

/**
 * Dialogs know keys, not actions: their usual ones. What the person bound is turned into those keys before a dialog
 * sees it, and back into the person's keys where a dialog names them.
 */

const ofUser = new WeakMap<Keymap, Keymap>()

const userPart = (keymap: Keymap): Keymap => {
  const known = ofUser.get(keymap) ?? { bindings: keymap.bindings.filter(({ source }) => source === "user") }
  ofUser.set(keymap, known)
  return known
}

/** The tree of what the person bound in these contexts. */
export const userKeysFor = (keymap: Keymap, contexts: ReadonlyArray<ContextName>): KeyNode =>
  keysFor(userPart(keymap), contexts)

/** Whether the person took a key away: the nearest context in which they said anything about it decides. */
export const isTakenAway = (keymap: Keymap, contexts: ReadonlyArray<ContextName>, stroke: Stroke): boolean => {
  const { bindings } = userPart(keymap)
  for (const context of contexts) {
    const said = bindings.findLast(
      ({ strokes, ...binding }) => binding.context === context && strokes.length === 1 && strokes[0] === stroke
    )
    if (said !== undefined) return said.action === null
  }
  return false
}

/** Actions that a dialog does under another key than the first of their own, or that have none. */
const DONE_BY: Readonly<Record<string, Stroke>> = {
  "permission:toggleDebug": "K",
  "confirm:previousField": "<S-Tab>",
  "historySearch:accept": "<Tab>",
  "historySearch:cancel": "<Esc>"
}

type Strokes = ReadonlyArray<Stroke>

const usualKeys = (action: string, contexts: ReadonlyArray<ContextName>): ReadonlyArray<Strokes> => {
  const usual = ACTION_TABLES.filter(({ context }) => contexts.includes(context)).flatMap(({ context, rows }) =>
    rows.filter(({ id }) => id === action).flatMap(({ keys }) => keys.map((key) => strokesIn(context, key, "\\")))
  )
  const other = DONE_BY[action]
  return other === undefined ? usual : [[other], ...usual]
}

const isSame = (one: Strokes, other: Strokes): boolean => one.join(" ") === other.join(" ")

/** The keys that a dialog knows an action by: those that were pressed, if they are; none where it is not its own. */
export const usualStrokes = (action: string, contexts: ReadonlyArray<ContextName>, pressed: Strokes): Strokes => {
  const usual = usualKeys(action, contexts)
  return usual.find((keys) => isSame(keys, pressed)) ?? usual[0] ?? []
}

const ARROWS: Readonly<Record<string, Stroke>> = { "←": "<Left>", "→": "<Right>", "↑": "<Up>", "↓": "<Down>" }

const strokeNamed = (word: string): Stroke | undefined => {
  const arrow = ARROWS[word]
  if (arrow !== undefined) return arrow
  const reading = parseChord(word)
  return reading._tag === "Chord" && reading.strokes.length === 1 ? reading.strokes[0] : undefined
}

interface Usual {
  readonly action: string
  /** It is the key that the action is known by. */
  readonly isFirst: boolean
}

const actionAt = (contexts: ReadonlyArray<ContextName>, stroke: Stroke): Usual | undefined => {
  for (const context of contexts) {
    const rows = ACTION_TABLES.find((table) => table.context === context)?.rows ?? []
    const row = rows.find(({ id }) => usualKeys(id, [context]).some((keys) => isSame(keys, [stroke])))
    if (row !== undefined) return { action: row.id, isFirst: isSame(usualKeys(row.id, [context])[0] ?? [], [stroke]) }
  }
  return undefined
}

/** The key to name instead of a usual one; undefined when no key does its work any more. */
const boundWord = (keymap: Keymap, contexts: ReadonlyArray<ContextName>, word: string): string | undefined => {
  const stroke = strokeNamed(word)
  const usual = stroke === undefined ? undefined : actionAt(contexts, stroke)
  if (stroke === undefined || usual === undefined) return word
  const standing = keysFor(keymap, contexts).children.get(stroke)?.bound?.action
  const isMoved = standing !== usual.action
  const known = usualKeys(usual.action, contexts)
  const isChosen = userPart(keymap).bindings.some(
    ({ action, context, strokes }) =>
      action === usual.action && contexts.includes(context) && !known.some((keys) => isSame(keys, strokes))
  )
  return isMoved || (isChosen && usual.isFirst) ? hintFor(keymap, usual.action, contexts) : word
}

/** One part of a hint: the keys it begins with as they are bound now. Undefined when none of them is left. */
const boundPart = (keymap: Keymap, contexts: ReadonlyArray<ContextName>, part: string): string | undefined => {
  const words = part.split(" ")
  const after = words.findIndex((word) => strokeNamed(word) === undefined)
  const keys = words.slice(0, after < 0 ? words.length : after)
  if (keys.length === 0) return part
  const bound = keys.flatMap((key) => boundWord(keymap, contexts, key) ?? [])
  return bound.length === 0 ? undefined : [...bound, ...words.slice(keys.length)].join(" ")
}

/** A hint, parts between dots that begin with their keys, with the keys of this person. */
export const boundHint = (keymap: Keymap, contexts: ReadonlyArray<ContextName>, hint: string): string =>
  userPart(keymap).bindings.length === 0
    ? hint
    : hint
        .split(" · ")
        .flatMap((part) => boundPart(keymap, contexts, part) ?? [])
        .join(" · ")
