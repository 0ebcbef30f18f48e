import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ApiMessage, ModelRequest, QuerySource } from "../../../src/core/model/request/model-request.ts"
import type { ContentBlock } from "../../../src/core/domain/block.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import { FAULT_KINDS } from "../../../src/adapters/offline/entry.ts"
import { respond } from "../../../src/adapters/offline/respond.ts"
import { asking, assistant, OPTIONS, request, tool, user } from "./world.ts"

const words = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom(
    "read a.txt",
    "please run `ls`",
    "tour",
    "replace `a` with `b` in c.txt",
    "search for ( in src then list files",
    "remember x",
    "track a, b and c",
    "ask me",
    "plan it",
    "@say hi\n@tool Read {\n@next",
    '@tool Bash {"command": "ls"}\n@say done',
    '```offline\n[{"text": 1}]\n```',
    '```offline\n[{"tools": [{"name": "Read"}]}, {"expect": "/x/"}]\n```',
    "<system-reminder>note</system-reminder>",
    "[Request interrupted by user]"
  ),
  fc.tuple(fc.constantFrom(...FAULT_KINDS), fc.nat(3)).map(([kind, count]) => `run ls\n@fault ${kind} ${count}`)
)

const id = fc.oneof(
  fc.stringMatching(/^toolu_[a-z0-9]{1,8}$/),
  fc.tuple(fc.nat(12), fc.constantFrom("c", "s", "m")).map(([at, kind]) => `toolu_off_${at}${kind}_0123456789abcdef`)
)

const userBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  words.map((text): ContentBlock => ({ type: "text", text })),
  fc.record({ id, content: words, isError: fc.boolean() }).map(({ id: callId, content, isError }): ContentBlock => ({
    type: "tool_result",
    tool_use_id: callId,
    content,
    is_error: isError
  })),
  fc.constant<ContentBlock>({ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } })
)

const assistantBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  words.map((text): ContentBlock => ({ type: "text", text })),
  fc
    .record({ id, name: fc.constantFrom("Read", "Write", "Bash", "ToolSearch", "X"), input: fc.jsonValue() })
    .map((made): ContentBlock => ({ type: "tool_use", ...made })),
  fc.constant<ContentBlock>({ type: "thinking", thinking: "hm", signature: "s" })
)

const messages: fc.Arbitrary<ReadonlyArray<ApiMessage>> = fc.array(
  fc.oneof(
    fc.array(userBlock, { minLength: 1, maxLength: 3 }).map((blocks) => user(...blocks)),
    fc.array(assistantBlock, { minLength: 1, maxLength: 3 }).map((blocks) => assistant(...blocks))
  ),
  { maxLength: 8 }
)

const requests: fc.Arbitrary<ModelRequest> = fc
  .record({
    messages,
    source: fc.constantFrom<QuerySource>("main", "main", "main", "compact", "title", "web_fetch", "classifier"),
    model: fc.constantFrom("offline", "offline-b"),
    tools: fc.subarray(["Read", "Write", "Edit", "Bash", "Glob", "Grep", "TodoWrite", "TaskCreate", "ToolSearch"]),
    maxTokens: fc.integer({ min: 1, max: 64_000 })
  })
  .map((made) => request(made.messages, { ...made, tools: made.tools.map((name) => tool(name)) }))

const scripts = fc.oneof(
  fc.constant(undefined),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("[", "{}", "[{}]", '{"compact": [{"fault": "auth"}]}', '[{"text": "a"}, {"text": "b"}]')
)

const options = fc
  .record({ windowTokens: fc.constantFrom(50, 200_000), script: scripts, attempt: fc.nat(3) })
  .map(({ script, ...rest }) => ({ ...OPTIONS, ...rest, ...(script === undefined ? {} : { script }) }))

/** Balanced blocks with growing indexes between a start and an end. */
const isWellFormed = (events: ReadonlyArray<ModelEvent>, complete: boolean): boolean => {
  let open: number | undefined
  let next = 0
  for (const event of events.slice(1, complete ? -2 : undefined)) {
    if (event.type === "content_block_start") {
      if (open !== undefined || event.index !== next) return false
      open = next
      next += 1
    } else if (event.type === "content_block_delta") {
      if (event.index !== open) return false
    } else if (event.type === "content_block_stop") {
      if (event.index !== open) return false
      open = undefined
    } else return false
  }
  if (events[0]?.type !== "message_start") return false
  const ends = events.slice(-2).map((event) => event.type)
  return !complete || (open === undefined && ends.join() === "message_delta,message_stop")
}

describe("the offline model", () => {
  it("gives the same answer to the same request", () => {
    fc.assert(
      fc.property(requests, options, (asked, chosen) => {
        expect(respond(structuredClone(asked), chosen)).toEqual(respond(asked, chosen))
      })
    )
  })

  it("answers every request with a well-formed response or a failure", () => {
    fc.assert(
      fc.property(requests, options, (asked, chosen) => {
        const { events, end } = respond(asked, chosen)
        if (events.length === 0) expect(end._tag).toBe("Fail")
        else expect(isWellFormed(events, end._tag === "Complete")).toBe(true)
      }),
      { numRuns: 400 }
    )
  })

  it("gives different ids to different requests and attempts", () => {
    const ids = ["a", "b"].flatMap((prompt) =>
      [0, 1].map((attempt) => JSON.stringify(respond(asking(prompt), { ...OPTIONS, attempt }).events[0]))
    )
    expect(new Set(ids).size).toBe(4)
  })
})
