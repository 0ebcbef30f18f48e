import { describe, expect, it } from "vitest"
import type { ContentBlock } from "../../../src/core/domain/block.ts"
import type { Message, UserContent, UserMessage } from "../../../src/core/domain/message.ts"
import { zeroUsage } from "../../../src/core/domain/usage.ts"
import type { Emission, TurnResult } from "../../../src/core/loop/machine/emission.ts"
import { AnswerStream } from "../../../src/tui/line/answer-stream.ts"
import { asciiOnly, plainSigns } from "../../../src/tui/line/ascii.ts"
import { historyLines } from "../../../src/tui/line/history.ts"
import { linesOf } from "../../../src/tui/line/transcript.ts"

const at = "2026-01-01T00:00:00.000Z"

const user = (content: UserContent, extra: Partial<UserMessage> = {}): Message => ({
  type: "user",
  uuid: crypto.randomUUID(),
  timestamp: at,
  message: { role: "user", content },
  ...extra
})

const assistant = (...content: ReadonlyArray<ContentBlock>): Message => ({
  type: "assistant",
  uuid: crypto.randomUUID(),
  timestamp: at,
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: zeroUsage
  }
})

const result = (content: string, isError = false): Message =>
  user([{ type: "tool_result", tool_use_id: "t", content, ...(isError ? { is_error: true } : {}) }], {
    sourceToolAssistantUUID: "u"
  })

const said = (emission: Emission): ReadonlyArray<string> => linesOf(emission, { streamed: true })

const added = (message: Message): ReadonlyArray<string> => said({ _tag: "MessageAdded", message })

const finished = (fields: Partial<TurnResult>): Emission => ({
  _tag: "TurnFinished",
  result: {
    uuid: "r",
    subtype: "success",
    terminalReason: "completed",
    isError: false,
    durationMs: 1,
    durationApiMs: 1,
    numTurns: 1,
    text: "",
    errors: [],
    stopReason: null,
    totalCostUsd: 0,
    usage: zeroUsage,
    models: {},
    denials: [],
    promptUuid: "p",
    ...fields
  }
})

describe("what is said of a turn", () => {
  it("says what was attached to a prompt, and nothing of what only the model needs", () => {
    const attached = (attachment: { readonly type: string; readonly [field: string]: unknown }): Message => ({
      type: "attachment",
      uuid: "a",
      timestamp: at,
      attachment
    })
    const file = { type: "text", file: { filePath: "/w/a.txt", content: "", numLines: 3, startLine: 1, totalLines: 3 } }
    expect(added(attached({ type: "file", displayPath: "a.txt", content: file }))).toEqual(["note: read a.txt (3 lines)"])
    expect(added(attached({ type: "directory", displayPath: "src\u001b[1m" }))[0]).not.toContain("\u001b")
    expect(added(attached({ type: "date", date: "2026-01-01" }))).toEqual([])
  })

  it("has a spoken label for every kind", () => {
    expect(said({ _tag: "CallStarted", callId: "t", tool: "Bash", summary: "ls", why: "" })).toEqual(["tool: Bash ls"])
    expect(added(result("no such file", true))).toEqual(["tool error: no such file"])
    expect(added(assistant({ type: "thinking", thinking: "hm", signature: "s" }))).toEqual(["thinking: hm"])
    expect(said({ _tag: "Notice", level: "warning", text: "careful" })).toEqual(["warning: careful"])
    expect(said(finished({ totalCostUsd: 0.01234 }))).toEqual(["Cost: $0.0123"])
    expect(said(finished({ subtype: "error_during_execution", errors: ["it broke"] }))).toEqual(["error: it broke"])
    expect(said({ _tag: "ModeReported", uuid: "u", mode: "plan" })).toEqual(["[plan mode on]"])
  })

  it("shows results beneath their call and says what is left out", () => {
    expect(added(result("one\ntwo"))).toEqual(["  one", "  two"])
    const long = added(result(Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n")))
    expect(long).toHaveLength(9)
    expect(long.at(-1)).toBe("  (12 more lines)")
  })

  it("says interrupted once, without an error", () => {
    const errors = ["Request was interrupted"]
    const interrupted = finished({ terminalReason: "aborted_tools", subtype: "error_during_execution", errors })
    expect(said(interrupted)).toEqual(["[interrupted]"])
  })

  it("tells of a refusal once: with its reason, unless the user just gave it", () => {
    const denied = { _tag: "PermissionDenied", uuid: "u", callId: "t", tool: "Bash", reasonType: "rule" } as const
    expect(said({ ...denied, reason: "a rule", message: "long text" })).toEqual(["denied: Bash: a rule"])
    expect(said({ ...denied, reason: "no", message: "no" })).toEqual(["denied: Bash"])
    const block = { type: "tool_result" as const, tool_use_id: "t", content: "long text", is_error: true }
    expect(added(user([block], { toolDenialKind: "user" }))).toEqual([])
  })

  it("does not repeat what was streamed", () => {
    expect(added(assistant({ type: "text", text: "hello" }))).toEqual([])
  })

  it("makes control characters of tools visible", () => {
    expect(added(result("\u001b]0;evil\u0007"))).toEqual(["  ^[]0;evil^G"])
  })
})

describe("the history", () => {
  const messages = [
    user("first"),
    assistant({ type: "text", text: "one" }),
    user("second"),
    assistant({ type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }),
    result("file"),
    assistant({ type: "text", text: "two" }),
    user("<system-reminder>\nnot said by anybody\n</system-reminder>", { isMeta: true }),
    user("third"),
    assistant({ type: "text", text: "three" })
  ]
  const options = { summaryOf: () => "ls", spacing: [] }

  it("is the last two turns with everything in them", () => {
    expect(historyLines(messages, options)).toEqual([
      "Resumed conversation:",
      "(1 earlier prompt not shown)",
      "you: second",
      "tool: Bash ls",
      "  file",
      "nacre: two",
      "you: third",
      "nacre: three"
    ])
  })

  it("is nothing where nobody has said anything", () => {
    expect(historyLines([], options)).toEqual([])
    expect(historyLines([user("x", { isMeta: true })], options)).toEqual([])
  })
})

describe("the answer while it arrives", () => {
  it("is labelled once and broken between words", () => {
    const stream = new AnswerStream()
    stream.push("\n\none two th", 12)
    expect(stream.take()).toBe("nacre: one\ntwo")
    stream.push("ree", 12)
    expect(stream.take()).toBe("")
    expect(stream.end(12)).toBe(" three")
    stream.push("again", 12)
    expect(stream.end(12)).toBe("nacre: again")
  })

  it("gives whole lines only, if asked for", () => {
    const stream = new AnswerStream()
    stream.push("one\ntwo three", 80)
    expect(stream.takeLines()).toBe("nacre: one\n")
    expect(stream.end(80)).toBe("two three")
  })

  it("goes on without a label after something else was written", () => {
    const stream = new AnswerStream()
    stream.push("one two ", 80)
    expect(stream.take()).toBe("nacre: one two")
    stream.lineBroken()
    stream.push("three", 80)
    expect(stream.end(80)).toBe("three")
  })
})

describe("plain text", () => {
  it("replaces signs and keeps letters", () => {
    expect(plainSigns("“a” … b—c · naïve 日本")).toBe('"a" ... b--c - naïve 日本')
  })

  it("has no sign beyond ASCII left", () => {
    expect(asciiOnly("naïve “x” 日本 🙂")).toBe('naive "x" ?? ?')
  })
})
