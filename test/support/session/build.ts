import type { ContentBlock } from "../../../src/core/domain/block.ts"
import type {
  AssistantMessage,
  AttachmentMessage,
  Message,
  SystemMessage,
  UserMessage
} from "../../../src/core/domain/message.ts"
import { isoFromMillis } from "../../../src/core/domain/time.ts"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { LineContext } from "../../../src/core/session/transcript/chain.ts"
import { emptyLedger, addLine, type TranscriptIndex } from "../../../src/core/session/load/transcript-index.ts"

/** Messages with ids and times that count up, for tests that write their own conversation. */
export class Maker {
  private count = 0

  uuid(): string {
    this.count++
    return `${this.count.toString(16).padStart(8, "0")}-aaaa-4bbb-8ccc-${this.count.toString(16).padStart(12, "0")}`
  }

  private head() {
    const uuid = this.uuid()
    return { uuid, timestamp: isoFromMillis(1_750_000_000_000 + this.count * 1_000) }
  }

  prompt(content: string, extra: Partial<UserMessage> = {}): UserMessage {
    return { type: "user", ...this.head(), message: { role: "user", content }, ...extra }
  }

  fragment(id: string, block: ContentBlock, extra: Partial<AssistantMessage> = {}): AssistantMessage {
    return {
      type: "assistant",
      ...this.head(),
      message: {
        id,
        type: "message",
        role: "assistant",
        model: "model-a",
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...zeroUsage, input_tokens: 3, output_tokens: 5 }
      },
      ...extra
    }
  }

  says(id: string, words: string): AssistantMessage {
    return this.fragment(id, { type: "text", text: words })
  }

  calls(id: string, callId: string, name = "Read"): AssistantMessage {
    return this.fragment(id, { type: "tool_use", id: callId, name, input: { path: callId } })
  }

  result(caller: AssistantMessage, callId: string, content = `result of ${callId}`): UserMessage {
    return {
      type: "user",
      ...this.head(),
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: callId, content }] },
      toolUseResult: { content },
      sourceToolAssistantUUID: caller.uuid
    }
  }

  attachment(type: string): AttachmentMessage {
    return { type: "attachment", ...this.head(), attachment: { type, content: ["note"] } }
  }

  system(subtype: string, extra: { readonly [field: string]: unknown } = {}): SystemMessage {
    return { type: "system", ...this.head(), subtype, ...extra }
  }
}

export const SESSION = "0f0e0d0c-0b0a-4908-8706-050403020100"

export const context: LineContext = {
  sessionId: SESSION,
  cwd: "/home/ada/orchard",
  gitBranch: "main",
  version: "0.1.0",
  entrypoint: "cli",
  isSidechain: false
}

/** What a reader makes of these lines. */
export const ledgerOf = (lines: ReadonlyArray<unknown>, sidechain = false): TranscriptIndex => {
  const ledger = emptyLedger(sidechain)
  lines.forEach((line, index) => addLine(ledger, line, { offset: index, length: 1 }))
  return ledger
}

export const uuidsOf = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => messages.map((message) => message.uuid)
