import type { Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"

/** The line that an undone compaction leaves: it names the end of what it set aside, so that it can be done again. */
export const SET_ASIDE = "setAside"

export const setAsideBy = (message: Message | undefined): Uuid | undefined => {
  const named = message?.type === "system" ? message[SET_ASIDE] : undefined
  return typeof named === "string" ? named : undefined
}

export const isUndoLine = (message: Message): boolean => setAsideBy(message) !== undefined
