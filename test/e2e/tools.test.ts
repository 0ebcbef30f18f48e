import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makePlace } from "../support/built-cli.ts"
import { ask, linesOf, list, messagesIn, object, saidBy, sentResults, sentText } from "../support/e2e-world.ts"
import { badToolJson, blocks, type Reply, text, toolUse } from "../support/messages-reply.ts"
import type { RecordedRequest } from "../support/messages-server.ts"
import { putFile } from "../support/temp-world.ts"

/** Tools as the model uses them: what they change on disk and what the next request says about it. */
const place = () => {
  const made = makePlace()
  const file = `${made.cwd}/poem.txt`
  putFile(file, "roses are red\nviolets are blue\n")
  return { made, file }
}

const ACCEPT = ["--permission-mode", "acceptEdits"]

const edit = (file: string, from: string, to: string): Reply =>
  toolUse("Edit", { file_path: file, old_string: from, new_string: to })

describe.concurrent("editing", () => {
  it("changes a file that was read before", async () => {
    const { made, file } = place()
    const { code, requests, lines } = await ask(
      [toolUse("Read", { file_path: file }), edit(file, "blue", "violet"), text("changed")],
      "change it",
      { place: made, args: ACCEPT }
    )
    expect(code).toBe(0)
    expect(readFileSync(file, "utf8")).toBe("roses are red\nviolets are violet\n")
    expect(sentResults(requests[2])).toMatchObject([{ type: "tool_result" }])
    expect(sentResults(requests[2])[0]?.["is_error"]).toBeUndefined()
    const [, edited] = linesOf(lines, "user")
    expect(edited?.["tool_use_result"]).toMatchObject({ filePath: file, oldString: "blue", newString: "violet" })
  })

  it("is refused for a file that was never read, and the model is told to read it", async () => {
    const { made, file } = place()
    const script = [edit(file, "blue", "violet"), text("sorry")]
    const { requests } = await ask(script, "change it", { place: made, args: ACCEPT })
    const [refused] = sentResults(requests[1])
    expect(refused?.["is_error"]).toBe(true)
    expect(saidBy(refused)).toMatch(/read/i)
    expect(readFileSync(file, "utf8")).toContain("violets are blue")
  })

  /** Reads the poem, which becomes `later` before the edit is asked for; gives what the model hears of the edit. */
  const editAfterChange = async (later: string) => {
    const { made, file } = place()
    const replies = [toolUse("Read", { file_path: file }), edit(file, "blue", "violet"), text("sorry")]
    const { requests } = await ask(
      (_, index) => {
        if (index === 1) writeFileSync(file, later)
        return replies[index] ?? text("no more")
      },
      "change it",
      { place: made, args: ACCEPT }
    )
    return { result: sentResults(requests[2])[0], written: readFileSync(file, "utf8") }
  }

  it("is refused when its text was changed since it was read, and nothing is lost", async () => {
    const later = "roses are red\nviolets are purple\n"
    const { result, written } = await editAfterChange(later)
    expect(result?.["is_error"]).toBe(true)
    expect(saidBy(result)).toMatch(/changed|modified/i)
    expect(written).toBe(later)
  })

  it("is made when somebody changed the file elsewhere, keeps that change and says so", async () => {
    const { result, written } = await editAfterChange("roses are pink\nviolets are blue\n")
    expect(result?.["is_error"]).toBeUndefined()
    expect(saidBy(result)).toMatch(/changed by somebody else/)
    expect(written).toBe("roses are pink\nviolets are violet\n")
  })

  it("may follow its own earlier edit without another read", async () => {
    const { made, file } = place()
    await ask(
      [toolUse("Read", { file_path: file }), edit(file, "blue", "violet"), edit(file, "red", "pink"), text("changed")],
      "change it",
      { place: made, args: ACCEPT }
    )
    expect(readFileSync(file, "utf8")).toBe("roses are pink\nviolets are violet\n")
  })
})

describe.concurrent("results", () => {
  it("go back in one user message, in the order of the calls, good and bad ones alike", async () => {
    const { made, file } = place()
    const { requests, code } = await ask(
      [
        blocks([
          { type: "text", text: "several at once" },
          { type: "tool_use", name: "Read", input: { file_path: `${made.cwd}/missing` }, id: "toolu_1" },
          { type: "tool_use", name: "Read", input: { file_path: file }, id: "toolu_2" },
          { type: "tool_use", name: "Raed", input: {}, id: "toolu_3" },
          { type: "tool_use", name: "Grep", input: { pattern: 7 }, id: "toolu_4" }
        ]),
        text("done")
      ],
      "go",
      { place: made }
    )
    expect(code).toBe(0)
    expect(messagesIn(requests[1]).map((message) => message["role"])).toEqual(["user", "assistant", "user"])
    const results = sentResults(requests[1])
    expect(results.map((result) => [result["tool_use_id"], result["is_error"] === true])).toEqual([
      ["toolu_1", true],
      ["toolu_2", false],
      ["toolu_3", true],
      ["toolu_4", true]
    ])
    expect(saidBy(results[2])).toMatch(/No such tool available: Raed.*Read/)
    expect(saidBy(results[3])).toMatch(/pattern/)
  })

  it("of a command too long for the model are kept in a file that it can read", async () => {
    const { made } = place()
    const { requests } = await ask([toolUse("Bash", { command: "seq 1 100000" }, "toolu_long"), text("done")], "go", {
      place: made,
      args: ["--allowedTools", "Bash"]
    })
    const said = saidBy(sentResults(requests[1])[0])
    expect(said.length).toBeLessThan(60_000)
    const path = /(\/\S+toolu_long\.txt)/.exec(said)?.[1] ?? ""
    expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(100_000)
  })

  it("follow the directory of the shell from call to call", async () => {
    const { made } = place()
    putFile(`${made.cwd}/sub/inner.txt`, "x")
    const { requests } = await ask(
      [toolUse("Bash", { command: "cd sub" }), toolUse("Bash", { command: "ls" }), text("done")],
      "go",
      { place: made, args: ["--allowedTools", "Bash"] }
    )
    expect(saidBy(sentResults(requests[2])[0])).toContain("inner.txt")
  })
})

describe.concurrent("a call whose input is not JSON", () => {
  it("is answered with the reason, and the loop goes on", async () => {
    const { code, requests, result } = await ask([badToolJson("Read", '{"file_path": "/x'), text("sorry")], "go")
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "sorry" })
    expect(saidBy(sentResults(requests[1])[0])).toMatch(/InputValidationError/)
    expect(list(messagesIn(requests[1])[1]?.["content"])).toMatchObject([{ type: "tool_use", input: {} }])
  })

  it("ends the turn when it comes three times in a row", async () => {
    const bad = badToolJson("Read", "{oops")
    const { code, requests, result } = await ask([bad, bad, bad, text("never asked for")], "go")
    expect(requests).toHaveLength(3)
    expect({ code, reason: result["terminal_reason"], subtype: result["subtype"] }).toEqual({
      code: 1,
      reason: "malformed_tool_use_exhausted",
      subtype: "error_during_execution"
    })
  })
})

const withoutMarks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner)))

const marksIn = (request: RecordedRequest | undefined): ReadonlyArray<string> => {
  const { messages, system, tools } = request?.body ?? {}
  const marked = (blocksHere: unknown, place: string) =>
    list(blocksHere).flatMap((block, index) => (block["cache_control"] === undefined ? [] : [`${place}.${index}`]))
  return [
    ...marked(tools, "tools"),
    ...marked(system, "system"),
    ...list(messages).flatMap((message, index) => marked(message["content"], `messages.${index}`))
  ]
}

describe.concurrent("the prompt cache", () => {
  it("is marked on system, the newest message and where the last request ended, and the prefix only grows", async () => {
    const { requests } = await ask(
      [toolUse("Glob", { pattern: "*" }), toolUse("Glob", { pattern: "**" }), text("done")],
      "go"
    )
    const [first, second, third] = requests
    for (const request of [first, second, third]) {
      const marks = marksIn(request)
      const newest = messagesIn(request).length - 1
      expect(marks.length).toBeLessThanOrEqual(4)
      expect(marks.some((mark) => mark.startsWith("system."))).toBe(true)
      expect(marks.at(-1)).toMatch(new RegExp(`^messages\\.${newest}\\.`))
      if (request !== first) expect(marks.at(-2)).toMatch(new RegExp(`^messages\\.${newest - 2}\\.`))
    }
    expect(second?.body["system"]).toEqual(first?.body["system"])
    expect(second?.body["tools"]).toEqual(first?.body["tools"])
    const sent = requests.map((request) => withoutMarks(request.body["messages"]) as ReadonlyArray<unknown>)
    expect(sent[1]?.slice(0, sent[0]?.length)).toEqual(sent[0])
    expect(sent[2]?.slice(0, sent[1]?.length)).toEqual(sent[1])
  })

  it("lives an hour when asked, and is not used at all when switched off", async () => {
    const hour = await ask([text("fine")], "go", { env: { ENABLE_PROMPT_CACHING_1H: "1" } })
    expect(sentText(hour.requests[0])).toContain('"ttl":"1h"')
    const off = await ask([text("fine")], "go", { env: { DISABLE_PROMPT_CACHING: "1" } })
    expect(sentText(off.requests[0])).not.toContain("cache_control")
  })
})

describe.concurrent("the request", () => {
  it("streams, names the model and carries no machine or account name", async () => {
    const { requests } = await ask([text("fine")], "go", { args: ["--model", "claude-haiku-5-5"] })
    const [request] = requests
    expect(request?.body).toMatchObject({ model: "claude-haiku-5-5", stream: true })
    expect(request?.headers["x-api-key"]).toBe("test")
    expect(String(object(request?.body["metadata"])["user_id"])).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe.concurrent("searching the web", () => {
  it("asks the endpoint beside the conversation, gives its results to the model and counts the search", async () => {
    const page = { type: "web_search_result", title: "Pearls", url: "https://a.test/pearls", encrypted_content: "x" }
    const found: Reply = blocks(
      [
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [page] },
        { type: "text", text: "Pearls are round." }
      ],
      { usage: { server_tool_use: { web_search_requests: 1 } } }
    )
    const { requests, lines, code } = await ask(
      [toolUse("WebSearch", { query: "pearls" }), found, text("round, says a.test")],
      "what are pearls?",
      { args: ["--allowedTools", "WebSearch"] }
    )
    expect(code).toBe(0)
    expect(list(requests[1]?.body["tools"])).toEqual([{ type: "web_search_20250305", name: "web_search", max_uses: 8 }])
    expect(saidBy(sentResults(requests[2])[0])).toMatch(/Pearls are round\.\n\n1\. Pearls\n {3}https:\/\/a\.test\/pearls/)
    const [answered] = linesOf(lines, "user")
    expect(answered?.["tool_use_result"]).toMatchObject({ query: "pearls", searchCount: 1 })
    const models = Object.values(object(linesOf(lines, "result")[0]?.["modelUsage"]))
    expect(models.map((usage) => object(usage)["webSearchRequests"])).toContain(1)
  })
})
