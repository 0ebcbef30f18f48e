import { describe, expect, it } from "vitest"
import { lostFiles } from "../../../../src/core/context/reduction/restore.ts"
import type { Message } from "../../../../src/core/domain/message.ts"
import { zeroUsage } from "../../../../src/core/domain/usage.ts"

/** Which files come back after a summary took their text away. */

const TIME = "2026-01-01T00:00:00.000Z"

const call = (id: string, name: string, input: unknown): Message => ({
  type: "assistant",
  uuid: `a-${id}`,
  timestamp: TIME,
  message: {
    id: `m-${id}`,
    type: "message",
    role: "assistant",
    model: "offline",
    content: [{ type: "tool_use", id, name, input }],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: zeroUsage
  }
})

const result = (id: string, isError = false): Message => ({
  type: "user",
  uuid: `r-${id}`,
  timestamp: TIME,
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "text", is_error: isError }] }
})

const read = (path: string, id = path): ReadonlyArray<Message> => [call(id, "Read", { file_path: path }), result(id)]

const attached = (path: string): Message => ({
  type: "attachment",
  uuid: `at-${path}`,
  timestamp: TIME,
  attachment: { type: "file", filename: path }
})

const never = (): boolean => false

describe("files that a summary takes away", () => {
  it("are those that calls read or wrote, and those that were put into the conversation", () => {
    const older = [
      ...read("/a"),
      call("e", "Edit", { file_path: "/b" }),
      result("e"),
      call("n", "NotebookEdit", { notebook_path: "/c" }),
      result("n"),
      attached("/d"),
      call("g", "Grep", { path: "/g" }),
      result("g")
    ]
    expect(lostFiles(older, [], never)).toEqual(["/a", "/b", "/c", "/d"])
  })

  it("are not those of calls that failed or have no result", () => {
    const older = [call("x", "Read", { file_path: "/x" }), result("x", true), call("y", "Read", { file_path: "/y" })]
    expect(lostFiles(older, [], never)).toEqual([])
  })

  it("are not those that what stays holds, nor those that are said anyway", () => {
    const older = [...read("/a"), ...read("/b"), ...read("/CLAUDE.md")]
    expect(lostFiles(older, read("/a", "again"), (path) => path.endsWith("CLAUDE.md"))).toEqual(["/b"])
  })

  it("are not looked at without end", () => {
    const older = Array.from({ length: 500 }, (_, at) => read(`/f${at}`)).flat()
    const lost = lostFiles(older, [], never)
    expect([lost.length, lost.at(-1)]).toEqual([100, "/f499"])
  })
})
