import { isToolResult } from "../../core/domain/block.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"

const LONG_MS = 5_000

/** Notices when a call ends that took so long that whoever waited may have turned away. */
export const makeLongCalls = (now: () => number) => {
  const begun = new Map<string, number>()
  return (emission: Emission): boolean => {
    if (emission._tag === "CallStarted") begun.set(emission.callId, now())
    if (emission._tag !== "MessageAdded" || emission.message.type !== "user") return false
    const { content } = emission.message.message
    if (typeof content === "string") return false
    return content.filter(isToolResult).some((block) => {
      const at = begun.get(block.tool_use_id)
      begun.delete(block.tool_use_id)
      return at !== undefined && now() - at > LONG_MS
    })
  }
}
