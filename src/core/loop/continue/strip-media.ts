import * as Log from "../../domain/append-list.ts"
import type { Message } from "../../domain/message.ts"
import { sendRequest } from "../turn/send-request.ts"
import { patchConversation, setTurn } from "../machine/patch-state.ts"
import type { RunningState } from "../machine/state.ts"
import { andThen, notice, type Step } from "../machine/transition.ts"

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
export const stripMedia = (state: RunningState, mediaType: MediaType, cause: string): Step => {
  const { messages, strippedMedia } = state.conversation
  const refused = Log.toArray(messages).filter((message) => hasMedia(message, mediaType))
  const stripped = { ...strippedMedia }
  for (const message of refused) {
    stripped[message.uuid] = [...new Set([...(stripped[message.uuid] ?? []), mediaType])]
  }
  const next = setTurn(patchConversation(state, { strippedMedia: stripped }), {
    transition: "media_strip_retry",
    recovery: { ...state.run.turn.recovery, mediaStripped: true }
  })
  return andThen([next, [notice("warning", `${NAMES[mediaType]} was left out of the request: ${cause}`)]], sendRequest)
}
