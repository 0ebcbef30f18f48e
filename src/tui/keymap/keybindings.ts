import { ACTIONS, type ActionId, isActionId, isActionElsewhere } from "./actions/action-tables.ts"
import { formatChord, parseChord } from "./chord.ts"
import { CONTEXT_NAMES, isContextName, type ContextName, isContextElsewhere } from "./actions/context.ts"
import { locationFrom, readJson, type JsonMember, type JsonNode } from "../../core/domain/json/positioned-json.ts"
import {
  multiplexerReason,
  nearestName,
  reservedReason,
  unsendableReason,
  type KeyboardProtocol,
  type KeyWarning
} from "./key-warning.ts"
import type { Binding, KeyBlock, Keymap } from "./keymap.ts"
import type { Stroke } from "./stroke.ts"

/** Reads keybindings.json: what can be used of it, and a warning with its place for all that cannot. */
export interface KeybindingsReading {
  /** Undefined when the file is broken as a whole: the last good table stays. */
  readonly blocks: ReadonlyArray<KeyBlock> | undefined
  readonly warnings: ReadonlyArray<KeyWarning>
}

export interface KeybindingsFacts {
  /** The table that the file changes: it says what a key meant before. */
  readonly defaults: Keymap
  readonly keyboard: KeyboardProtocol
}

interface Entry {
  readonly context: ContextName
  readonly text: string
  readonly strokes: ReadonlyArray<Stroke>
  readonly action: ActionId | null
  readonly at: number
}

type Warn = (kind: KeyWarning["kind"], at: number, message: string) => void

const memberOf = (node: JsonNode, key: string): JsonMember | undefined =>
  node.kind === "object" ? node.members.findLast((member) => member.key === key) : undefined

const didYouMean = (word: string, names: Iterable<string>): string => {
  const name = nearestName(word, names)
  return name === undefined ? "" : `; did you mean "${name}"?`
}

const readContext = (block: JsonNode, warn: Warn): ContextName | undefined => {
  const node = memberOf(block, "context")?.value
  const name = node?.kind === "value" ? node.value : undefined
  if (typeof name !== "string") {
    warn("shape", node?.at ?? block.at, 'a block needs a "context" with the name of one')
    return undefined
  }
  if (isContextName(name)) return name
  if (isContextElsewhere(name)) return undefined
  warn("context", node?.at ?? block.at, `there is no context "${name}"${didYouMean(name, CONTEXT_NAMES)}`)
  return undefined
}

const readAction = (member: JsonMember, warn: Warn): ActionId | null | undefined => {
  const action = member.value.kind === "value" ? member.value.value : undefined
  if (action === null) return null
  if (typeof action !== "string") {
    warn("shape", member.value.at, `"${member.key}" needs the id of an action, or null to unbind it`)
    return undefined
  }
  if (isActionId(action)) return action
  if (isActionElsewhere(action)) return undefined
  warn("action", member.value.at, `there is no action "${action}"${didYouMean(action, ACTIONS.keys())}`)
  return undefined
}

/** Other programs bind one action to two keys that mean two things here: Enter takes what is marked, which may be a no. */
const MEANT: ReadonlyMap<string, ActionId> = new Map<string, ActionId>([
  ["Confirmation <CR> confirm:yes", "confirm:choose"],
  ["Confirmation <Esc> confirm:no", "confirm:leave"],
  ["Transcript <Esc> transcript:exit", "pane:cancel"]
])

const meantBy = (context: ContextName, strokes: ReadonlyArray<Stroke>, action: ActionId | null): ActionId | null =>
  MEANT.get(`${context} ${strokes.join("")} ${action ?? ""}`) ?? action

const readEntry = (context: ContextName, member: JsonMember, warn: Warn): Entry | undefined => {
  const text = member.key
  const action = readAction(member, warn)
  if (action === undefined) return undefined
  if (/caps[ _]?lock/i.test(text)) {
    warn("reserved", member.at, "caps lock cannot be bound: terminals do not send it")
    return undefined
  }
  const reading = parseChord(text)
  if (reading._tag === "Chord") {
    const { strokes } = reading
    return { context, text, strokes, action: meantBy(context, strokes, action), at: member.at }
  }
  warn("key", member.at, `"${text}" cannot be read: ${reading.reason}`)
  return undefined
}

const readBlock = (block: JsonNode, warn: Warn): ReadonlyArray<Entry> => {
  const context = readContext(block, warn)
  const bindings = memberOf(block, "bindings")?.value
  if (context === undefined) return []
  if (bindings?.kind !== "object") {
    warn("shape", bindings?.at ?? block.at, 'a block needs "bindings": an object of keys and actions')
    return []
  }
  return bindings.members.flatMap((member) => readEntry(context, member, warn) ?? [])
}

const isSame = (left: ReadonlyArray<Stroke>, right: ReadonlyArray<Stroke>): boolean =>
  left.length === right.length && left.every((stroke, index) => stroke === right[index])

const isPrefix = (short: ReadonlyArray<Stroke>, long: ReadonlyArray<Stroke>): boolean =>
  short.length < long.length && short.every((stroke, index) => stroke === long[index])

/** The one of two key sequences that the other begins with. */
const shorterOf = (left: ReadonlyArray<Stroke>, right: ReadonlyArray<Stroke>): ReadonlyArray<Stroke> | undefined =>
  isPrefix(left, right) ? left : isPrefix(right, left) ? right : undefined

const isDefault = (entry: Entry, defaults: Keymap): boolean =>
  defaults.bindings.some(
    (binding) =>
      binding.context === entry.context && binding.action === entry.action && isSame(binding.strokes, entry.strokes)
  )

const quote = (strokes: ReadonlyArray<Stroke>): string => `"${formatChord(strokes)}"`

/** Warns of a key that will not do what its author expects; says whether it may be used. */
const check = (entry: Entry, facts: KeybindingsFacts, warn: Warn): boolean => {
  if (isDefault(entry, facts.defaults)) return true
  const reserved = reservedReason(entry.strokes)
  if (reserved !== undefined) {
    warn("reserved", entry.at, `"${entry.text}" cannot be bound: ${reserved}`)
    return false
  }
  if (entry.action === null) return true
  const taken = multiplexerReason(entry.strokes)
  if (taken !== undefined) warn("multiplexer", entry.at, `"${entry.text}" may not arrive: ${taken}`)
  const unsendable = unsendableReason(entry.strokes, facts.keyboard)
  if (unsendable !== undefined) warn("unsendable", entry.at, `"${entry.text}" will not arrive: ${unsendable}`)
  return true
}

const warnOfDuplicates = (entries: ReadonlyArray<Entry>, warn: Warn): void => {
  entries.forEach((entry, index) => {
    const earlier = entries.find(
      (other, at) => at < index && other.context === entry.context && isSame(other.strokes, entry.strokes)
    )
    if (earlier !== undefined && earlier.action !== entry.action) {
      warn("duplicate", entry.at, `"${entry.text}" is bound twice in ${entry.context}; this one wins`)
    }
  })
}

type Placed = Pick<Binding, "context" | "strokes" | "action">

/** A key that also begins a chord acts only after the chord timeout. */
const warnOfShadows = (entries: ReadonlyArray<Entry>, defaults: Keymap, warn: Warn): void => {
  const isUnbound = (binding: Placed): boolean =>
    entries.some((entry) => entry.context === binding.context && isSame(entry.strokes, binding.strokes))
  const others: ReadonlyArray<Placed> = [...defaults.bindings.filter((binding) => !isUnbound(binding)), ...entries]
  for (const entry of entries) {
    if (entry.action === null || isDefault(entry, defaults)) continue
    for (const other of others) {
      if (other.action === null || (other.context !== entry.context && other.context !== "Global")) continue
      const waiting = shorterOf(entry.strokes, other.strokes)
      if (waiting === undefined) continue
      const longer = waiting === entry.strokes ? other.strokes : entry.strokes
      warn("shadowed", entry.at, `${quote(waiting)} waits for a second key, because ${quote(longer)} begins with it`)
      break
    }
  }
}

const blocksOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<KeyBlock> =>
  entries.map(({ context, strokes, action }) => ({ context, entries: [{ strokes, action }] }))

export const readKeybindings = (text: string, facts: KeybindingsFacts): KeybindingsReading => {
  const warnings: Array<KeyWarning> = []
  const warn: Warn = (kind, at, message) => warnings.push({ kind, message, ...locationFrom(text, at) })
  const reading = readJson(text)
  if (reading._tag === "Broken") {
    warn("parse", reading.at, `the file is no JSON: expected ${reading.expected}`)
    return { blocks: undefined, warnings }
  }
  const blocks = memberOf(reading.node, "bindings")?.value
  if (blocks?.kind !== "array") {
    warn("shape", blocks?.at ?? reading.node.at, 'the file needs "bindings": a list of blocks')
    return { blocks: undefined, warnings }
  }
  const entries = blocks.items.flatMap((block) => readBlock(block, warn)).filter((entry) => check(entry, facts, warn))
  warnOfDuplicates(entries, warn)
  warnOfShadows(entries, facts.defaults, warn)
  return { blocks: blocksOf(entries), warnings }
}
