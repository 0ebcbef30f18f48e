import { describe, expect, it } from "vitest"
import { type Json, violationOf } from "./messages-validate.ts"

const text = (value: string, extra: Json = {}): Json => ({ type: "text", text: value, ...extra })
const user = (...content: ReadonlyArray<Json>): Json => ({ role: "user", content })
const assistant = (...content: ReadonlyArray<Json>): Json => ({ role: "assistant", content })
const call = (id: string): Json => ({ type: "tool_use", id, name: "Read", input: {} })
const result = (id: string): Json => ({ type: "tool_result", tool_use_id: id, content: "ok" })
const thinking: Json = { type: "thinking", thinking: "", signature: "s" }
const tool = (name: string): Json => ({ name, input_schema: { type: "object" } })
const mark = (ttl?: string): Json => ({ cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) } })

const body = (changes: Json = {}): Json => ({ model: "m", max_tokens: 4_000, messages: [user(text("hi"))], ...changes })
const talk = (...messages: ReadonlyArray<Json>): Json => body({ messages })
/** A conversation around what the assistant said; `after` is the user's next message. */
const said = (content: ReadonlyArray<Json>, ...after: ReadonlyArray<Json>): Json =>
  talk(user(text("a")), assistant(...content), user(...after))

describe("a body the endpoint accepts", () => {
  it.each([
    ["the plainest", body()],
    ["content as a text", talk({ role: "user", content: "hi" })],
    ["an answered call", talk(user(text("a")), assistant(text("b"), call("1")), user(result("1"), text("c")))],
    ["two answered calls", talk(user(text("a")), assistant(call("1"), call("2")), user(result("2"), result("1")))],
    ["thinking within its budget", body({ thinking: { type: "enabled", budget_tokens: 1_024 } })],
    ["marks, long before short", talk(user(text("a", mark("1h")), text("b", mark("1h")), text("c", mark())))],
    ["four marks", talk(user(...Array.from({ length: 4 }, () => text("a", mark()))))],
    ["tools", body({ tools: [tool("Read"), tool("Bash")] })]
  ])("%s", (_, value) => {
    expect(violationOf(value)).toBeUndefined()
  })
})

describe("a body the endpoint refuses", () => {
  it.each([
    ["no object", "text", /JSON object/],
    ["an unknown field", body({ effort: "high" }), /^effort:/],
    ["no model", body({ model: "" }), /^model:/],
    ["no output limit", body({ max_tokens: 0 }), /^max_tokens:/],
    ["no messages", talk(), /^messages:/],
    ["an assistant first", talk(assistant(text("a"))), /first message/],
    ["two users in a row", talk(user(text("a")), user(text("b"))), /messages\.1\.role: roles must alternate/],
    ["an assistant last", talk(user(text("a")), assistant(text("b"))), /last message/],
    ["empty content", talk(user()), /messages\.0\.content: must not be empty/],
    ["an empty text", talk(user(text(" "))), /messages\.0\.content\.0: text blocks/],
    ["an empty system text", body({ system: [text("")] }), /system\.0/],
    ["an unanswered call", said([call("1")], text("b")), /tool_use 1 has no tool_result/],
    ["an answer to nothing", talk(user(result("1"))), /tool_result 1 answers no tool_use/],
    ["an answer too late", said([call("1")], text("b"), result("1")), /must come first/],
    ["two answers", said([call("1")], result("1"), result("1")), /answered twice/],
    ["an id used twice", said([call("1"), call("1")], result("1")), /unique/],
    ["a call from the user", talk(user(call("1"))), /comes from the assistant/],
    ["thinking at the end", said([thinking], text("b")), /must not end with thinking/],
    ["thinking without signature", said([{ type: "thinking", thinking: "" }, text("b")], text("c")), /signature/],
    ["input that is a text", said([{ ...call("1"), input: "{}" }], result("1")), /content\.0\.input/],
    ["five marks", talk(user(...Array.from({ length: 5 }, () => text("a", mark())))), /at most 4 .* found 5/],
    ["a mark on thinking", said([{ ...thinking, ...mark() }, text("b")], text("c")), /cache_control: not allowed/],
    ["a long mark after a short one", talk(user(text("a", mark()), text("b", mark("1h")))), /1h may not come after 5m/],
    ["a budget past the limit", body({ thinking: { type: "enabled", budget_tokens: 4_000 } }), /must be greater than/],
    ["a budget too small", body({ thinking: { type: "enabled", budget_tokens: 10 } }), /at least 1024/],
    ["a temperature while thinking", body({ thinking: { type: "adaptive" }, temperature: 0 }), /^temperature:/],
    ["a tool name twice", body({ tools: [tool("Read"), tool("Read")] }), /tools\.1\.name: Read is already taken/],
    ["a tool name with a space", body({ tools: [tool("a b")] }), /tools\.0\.name/],
    ["a tool without a schema", body({ tools: [{ name: "Read" }] }), /input_schema/],
    ["an unknown effort", body({ output_config: { effort: "huge" } }), /effort/],
    ["metadata of its own", body({ metadata: { host: "x" } }), /metadata\.host/]
  ])("%s", (_, value, expected) => {
    expect(violationOf(value)).toMatch(expected)
  })
})
