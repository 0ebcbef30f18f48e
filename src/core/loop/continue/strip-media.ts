import * as Log from "../../domain/append-list.ts"
import type { Message } from "../../domain/message.ts"
import { sendRequest } from "../turn/send-request.ts"
import type { AgentState } from "../machine/state.ts"
import { andThen, notice, setTurn, type Step, stay } from "../machine/transition.ts"

type MediaType = "image" | "document"

const NAMES: Record<MediaType, string> = { image: "An image", document: "A document" }

const holdsMedia = (value: unknown, mediaType: MediaType): boolean =>
  Array.isArray(value) &&
  value.some(
    (block: unknown) =>
      typeof block === "object" &&
      block !== null &&
      "type" in block &&
      (block.type === mediaType ||
        (block.type === "tool_result" && "content" in block && holdsMedia(block.content, mediaType)))
  )

const hasMedia = (message: Message, mediaType: MediaType): boolean =>
  message.type === "user" && holdsMedia(message.message.content, mediaType)

/** The endpoint refused an image or document: it is left out from now on, and the request goes out once more. */
export const stripMedia = (state: AgentState, mediaType: MediaType, cause: string): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const refused = Log.toArray(state.messages).filter((message) => hasMedia(message, mediaType))
  const stripped = { ...state.strippedMedia }
  for (const message of refused) {
    stripped[message.uuid] = [...new Set([...(stripped[message.uuid] ?? []), mediaType])]
  }
  const next = setTurn(
    { ...state, strippedMedia: stripped },
    { transition: "media_strip_retry", recovery: { ...turn.recovery, mediaStripped: true } }
  )
  return andThen([next, [notice("warning", `${NAMES[mediaType]} was left out of the request: ${cause}`)]], sendRequest)
}
