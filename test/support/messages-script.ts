import { coalesced, cutAfter, errorAfter, stallAfter } from "./messages-fault.ts"
import { blocks, type MessageOptions, type Reply, type ScriptedBlock, status, text } from "./messages-reply.ts"
import type { Script } from "./messages-server.ts"
import { isObject, type Json } from "./messages-validate.ts"

/**
 * Scripts as JSON, for a fake endpoint that runs in its own process:
 *   [{"text": "hi"}, {"toolUse": {"name": "Read", "input": {}}}, {"blocks": [...]}, {"status": 529}]
 * or {"replies": [...], "cycle": true} to begin again at the end. A reply takes the options of its kind beside it
 * ("stopReason", "usage", "deltaChars", "retryAfter", ...) and "cutAfter", "stallAfter", "errorAfter", "coalesced".
 */
const answerFromJson = (value: Json): Reply => {
  const options = value as MessageOptions
  const { blocks: content, status: code, text: said, toolUse } = value
  if (typeof code === "number") return status(code, value)
  if (typeof said === "string") return text(said, options)
  if (isObject(toolUse)) return blocks([{ ...toolUse, type: "tool_use", name: String(toolUse["name"]) }], options)
  if (Array.isArray(content)) return blocks(content as ReadonlyArray<ScriptedBlock>, options)
  throw new Error(`a scripted reply needs text, toolUse, blocks or status: ${JSON.stringify(value).slice(0, 200)}`)
}

export const replyFromJson = (value: unknown): Reply => {
  if (!isObject(value)) throw new Error("a scripted reply must be a JSON object")
  const answer = answerFromJson(value)
  const { coalesced: merged, cutAfter: cut, errorAfter: error, stallAfter: stall } = value
  if (typeof cut === "number") return cutAfter(cut, answer)
  if (typeof stall === "number") return stallAfter(stall, answer)
  if (isObject(error)) {
    const { count, message, type } = error
    return errorAfter(Number(count ?? 0), answer, {
      type: typeof type === "string" ? type : "api_error",
      message: typeof message === "string" ? message : "scripted error"
    })
  }
  return merged === true ? coalesced(answer) : answer
}

export const scriptFromJson = (source: string): Script => {
  const value: unknown = JSON.parse(source)
  const listed = isObject(value) ? value["replies"] : value
  if (!Array.isArray(listed) || listed.length === 0) throw new Error("a script must list at least one reply")
  const replies = listed.map(replyFromJson)
  if (!isObject(value) || value["cycle"] !== true) return replies
  return (_body, index) => replies[index % replies.length] ?? status(500)
}
