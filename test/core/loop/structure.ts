import * as Log from "../../../src/core/domain/append-list.ts"
import type { Message } from "../../../src/core/domain/message.ts"
import type { AgentState } from "../../../src/core/loop/machine/state.ts"

/** Values by their structure: frozen so that nobody can change them, and as text so that they can be compared. */

const isLog = (value: object): value is Log.Log<unknown> => "backing" in value && "length" in value

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

/** Freezes everything but the backing of logs, which older versions share on purpose and never look past. */
export const deepFreeze = (value: unknown): void => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || !isPlain(value)) return
  Object.freeze(value)
  if (isLog(value)) Log.toArray(value).forEach(deepFreeze)
  else Object.values(value).forEach(deepFreeze)
}

/** Large and constant; comparing their text again and again would only take time. */
const LEFT_OUT: ReadonlySet<string> = new Set(["config", "tools", "system"])

/** Structure as text. Two values with the same text are the same for every observer. Of logs the newest items count. */
export const textOf = (value: unknown, newest = Number.POSITIVE_INFINITY): string =>
  JSON.stringify(value, (key, inner: unknown) => {
    if (LEFT_OUT.has(key)) return undefined
    if (typeof inner === "string" && inner.length > 500) return `${inner.slice(0, 200)} ${inner.length}`
    if (inner instanceof Map) return [...inner]
    if (typeof inner !== "object" || inner === null || !isLog(inner)) return inner
    return [inner.length, ...Log.toArray(inner, Math.max(0, inner.length - newest))]
  })

/** A compaction put the conversation together anew. */
export const isReplaced = (before: AgentState, next: AgentState): boolean =>
  before.conversation.messages.length > 0 &&
  Log.get(before.conversation.messages, 0) !== Log.get(next.conversation.messages, 0)

/** Messages of a state that the one before it had not; all of them after a compaction. */
export const addedSince = (state: AgentState, before: AgentState): ReadonlyArray<Message> =>
  Log.toArray(state.conversation.messages, isReplaced(before, state) ? 0 : before.conversation.messages.length)

/** A state as text with what it has that the one before it had not. */
export const textSince = (state: AgentState, before: AgentState): string =>
  textOf({ ...state, messages: addedSince(state, before) }, 2)
