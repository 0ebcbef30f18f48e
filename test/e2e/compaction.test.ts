import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place, start } from "../support/built-cli.ts"
import {
  ask,
  begin,
  conversation,
  endpointEnv,
  linesOf,
  MODEL,
  sentText,
  serve,
  sessionOf,
  STREAM,
  transcriptOf
} from "../support/e2e-world.ts"
import type { MessagesServer } from "../support/messages-server.ts"
import { text, toolUse } from "../support/messages-reply.ts"

/** Compactions that somebody asks for: shown before and after, undone, done again, across restarts of the program. */

const SUMMARY = text("<analysis>x</analysis><summary>OLD-THINGS</summary>")
const AGAIN = ["--continue"]

/** Two exchanges, one with a call, that are on the disk. */
const withHistory = async (): Promise<Place> => {
  const place = makePlace()
  const first = await ask([toolUse("Glob", { pattern: "*" }), text("first-answer")], "first-prompt", { place })
  const second = await ask([text("second-answer")], "second-prompt", { place, args: AGAIN })
  expect([first.code, second.code]).toEqual([0, 0])
  return place
}

const nextRequest = async (place: Place) => {
  const { requests } = await ask([text("noted")], "and now", { place, args: AGAIN })
  return conversation(requests[0])
}

/** A host that says one thing after the other, each when the one before has its result. */
const hosted = async (server: MessagesServer, place: Place) => {
  const { line, write, closeStdin, ended } = await start(
    ["-p", ...STREAM, "--input-format", "stream-json", "--model", MODEL, "--permission-mode", "acceptEdits"],
    { place, stdin: null, env: endpointEnv(server) }
  )
  let said = 0
  const say = async (content: string): Promise<void> => {
    said += 1
    write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`)
    let results = 0
    await line(({ type }) => type === "result" && ++results === said, `result ${said}`)
  }
  const leave = async (): Promise<void> => {
    closeStdin()
    await ended
  }
  return { say, leave }
}

describe.concurrent("files that were read before a compaction", () => {
  it("are there afterwards as they are now, and can be edited without being read again", async () => {
    const place = makePlace()
    const file = join(place.cwd, "notes.txt")
    writeFileSync(file, "as it was\n")
    const edit = toolUse("Edit", { file_path: file, old_string: "AS IT IS", new_string: "EDITED" })
    const server = await serve([toolUse("Read", { file_path: file }), text("read"), SUMMARY, edit, text("done")])
    const { say, leave } = await hosted(server, place)
    await say("go")
    await say("/compact")
    writeFileSync(file, "AS IT IS\n")
    await say("go on")
    await leave()
    expect(sentText(server.requests.at(3))).toContain("1\\tAS IT IS")
    expect(readFileSync(file, "utf8")).toBe("EDITED\n")
  })

  it("count as read again when the compaction is undone", async () => {
    const place = makePlace()
    const file = join(place.cwd, "notes.txt")
    writeFileSync(file, "as it was\n")
    const edit = toolUse("Edit", { file_path: file, old_string: "as it was", new_string: "EDITED" })
    const server = await serve([toolUse("Read", { file_path: file }), text("read"), SUMMARY, edit, text("done")])
    const { say, leave } = await hosted(server, place)
    await say("go")
    await say("/compact")
    await say("/compact undo")
    await say("go on")
    await leave()
    expect(readFileSync(file, "utf8")).toBe("EDITED\n")
  })
})

describe.concurrent("/compact in print mode", () => {
  it("is undone and done again, each time by a program of its own", async () => {
    const untouched = await nextRequest(await withHistory())
    const place = await withHistory()
    const compacted = await ask([SUMMARY], "/compact", { place, args: AGAIN })
    expect(linesOf(compacted.lines, "system/compact_boundary")).toHaveLength(1)
    const undone = await ask([], "/compact undo", { place, args: AGAIN })
    expect(undone.result).toMatchObject({ subtype: "success", num_turns: 0 })
    expect(undone.result["result"]).toContain("/compact redo")
    const redone = await ask([], "/compact redo", { place, args: AGAIN })
    expect(redone.result).toMatchObject({ subtype: "success", num_turns: 0 })
    const shown = await ask([], "/compact show", { place, args: AGAIN })
    expect(shown.result["result"]).toContain("OLD-THINGS")
    await ask([], "/compact undo", { place, args: AGAIN })
    expect(await nextRequest(place)).toEqual(untouched)
    expect(sessionOf(undone)).toBe(sessionOf(compacted))
  })

  it("counts what was spent once, however often the window is written", async () => {
    const place = await withHistory()
    const { result } = await ask([SUMMARY], "/compact", { place, args: AGAIN })
    for (const words of ["/compact undo", "/compact redo", "/compact undo"]) {
      const later = await ask([], words, { place, args: AGAIN })
      expect(later.result["total_cost_usd"]).toBe(result["total_cost_usd"])
    }
  })

  it("says before what it would do, and asks no model for that", async () => {
    const { result, requests } = await ask([], "/compact preview", { place: await withHistory(), args: AGAIN })
    expect(requests).toHaveLength(0)
    expect(result["result"]).toMatch(/Would become a summary: \d+ messages[\s\S]*from "first-prompt" to "second-prompt"/)
  })

  it("leaves the conversation as it was when the program is killed meanwhile", async () => {
    const untouched = await nextRequest(await withHistory())
    const place = await withHistory()
    let isAsked: () => void = () => {}
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    const server = await serve(async () => {
      isAsked()
      return new Promise(() => {})
    })
    const running = await begin(server, "/compact", { place, args: AGAIN })
    await asked
    running.signal("SIGKILL")
    await running.ended
    expect(await nextRequest(place)).toEqual(untouched)
  })

  it("takes out rounds without a summary for /snip", async () => {
    const place = await withHistory()
    const { result, requests } = await ask([], "/snip 1", { place, args: AGAIN })
    expect([result["subtype"], requests.length]).toEqual(["success", 0])
    const sent = JSON.stringify(await nextRequest(place))
    expect([sent.includes("tool_use"), sent.includes("second-answer")]).toEqual([false, true])
    expect(transcriptOf(place).lines.some((line) => JSON.stringify(line).includes("first-answer"))).toBe(true)
  })
})
