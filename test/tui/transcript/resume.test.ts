import { describe, expect, it } from "vitest"
import type { Message } from "../../../src/core/domain/message.ts"
import { reloadMessage } from "../../../src/core/session/load/transcript-index.ts"
import { messagesOf } from "../../../src/core/session/load/restore.ts"
import { selectConversation } from "../../../src/core/session/load/conversation-lines.ts"
import { fromMessages } from "../../../src/tui/transcript/entries/project.ts"
import * as Vector from "../../../src/tui/transcript/vector.ts"
import { ledgerOf } from "../../support/session/build.ts"
import { fixtureLines, fixtureNames } from "../../support/session/fixtures.ts"
import { drawn, said } from "./sample.ts"

const uuidOf = (line: unknown): unknown =>
  typeof line === "object" && line !== null && "uuid" in line ? line.uuid : undefined

/** All that was said, before the last compaction and after it. */
const stored = (name: string): ReadonlyArray<Message> => {
  const lines = fixtureLines(name)
  const view = selectConversation(ledgerOf(lines))
  for (const entry of view.earlier)
    reloadMessage(
      entry,
      lines.find((line) => uuidOf(line) === entry.links.uuid)
    )
  return [...messagesOf(view.earlier).messages, ...messagesOf(view.lines).messages]
}

const typed = (uuid: string, text: string): Message => said(uuid, text)

describe("transcripts of Claude Code", () => {
  it("show a plain turn without what only the model sees", () => {
    expect(drawn(fromMessages(stored("plain")))).toBe(
      [
        "▌ How many pear trees are in rows.csv?",
        "",
        "  thinking, 4 tokens",
        "",
        "● Bash  grep -c pear rows.csv  Count pears",
        "  │ 17",
        "",
        "There are 17 pear trees.",
        "",
        "  5s"
      ].join("\n")
    )
  })

  it("put parallel results under their calls", () => {
    const text = drawn(fromMessages(stored("parallel")))
    expect(text).toContain("● Read  a.md  1 line\n● Read  b.md  1 line\n● Read  c.md  1 line")
    expect(text).not.toContain("is a draft\n")
  })

  it("keep what was said before a compaction and mark the place", () => {
    const text = drawn(fromMessages(stored("compacted")), { width: 100 })
    expect(text).toContain("▌ Plan the spring work.")
    expect(text).toMatch(/── compacted · 41k → 2.1k tokens · za shows the summary/)
    expect(text).not.toContain("This session continues")
    expect(text).toContain("▌ /compact")
    expect(text).toContain("· Compacted")
    expect(text).toContain("+ read prune.md")
  })

  it("give up calls that were never answered", () => {
    expect(drawn(fromMessages(stored("interrupted")))).toContain("⊘ Bash  ./irrigate --test  cancelled")
  })

  it("show a helper's answer in its call", () => {
    expect(drawn(fromMessages(stored("old-progress-and-sidechain")))).toContain(
      "● Task  general-purpose: look\n  │ All quiet."
    )
  })

  it.each(fixtureNames)("give every entry of %s its own name, the same each time", (name) => {
    const ids = Vector.toArray(fromMessages(stored(name)).entries).map((entry) => entry.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(Vector.toArray(fromMessages(stored(name)).entries).map((entry) => entry.id)).toEqual(ids)
  })

  it("are the same when they are taken in slices", () => {
    const messages = stored("parallel")
    const sliced = messages.reduce((onto, message) => fromMessages([message], { onto }), fromMessages([]))
    expect(drawn(sliced)).toBe(drawn(fromMessages(messages)))
  })
})

describe("what the user typed besides prompts", () => {
  it.each([
    ["a slash command", "<command-name>/review</command-name>\n<command-args>12</command-args>", "▌ /review 12"],
    ["a shell line", "<bash-input>ls -l</bash-input>", "▌ ! ls -l"],
    ["its output", "<bash-stdout>\u001b[1ma.ts\u001b[0m</bash-stdout><bash-stderr></bash-stderr>", "· a.ts"],
    ["a local command's output", "<local-command-stdout>Done</local-command-stdout>", "· Done"],
    ["an interruption", "[Request interrupted by user]", "· interrupted"],
    ["a prompt of several lines", "one\ntwo", "▌ one\n▌ two"]
  ])("shows %s", (_, text, shown) => {
    expect(drawn(fromMessages([typed("u", text)]))).toBe(shown)
  })

  it("folds a long prompt", () => {
    const text = drawn(fromMessages([typed("u", Array.from({ length: 20 }, (_, line) => `l${line}`).join("\n"))]))
    expect(text.split("\n")).toHaveLength(13)
    expect(text.split("\n").at(-1)).toBe("▌ … 8 more lines (za)")
  })

  it("shows pictures as places", () => {
    const message: Message = {
      type: "user",
      uuid: "u",
      timestamp: "2026-03-02T09:00:01.000Z",
      message: {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "" } }
        ]
      }
    }
    expect(drawn(fromMessages([message]))).toBe("▌ look\n  + [Image #1]")
  })

  it("shows a prompt that joined a running turn", () => {
    const message: Message = {
      type: "attachment",
      uuid: "q",
      timestamp: "",
      attachment: { type: "queued_command", commandMode: "prompt", prompt: "and the pears" }
    }
    expect(drawn(fromMessages([message]))).toBe("▌ and the pears")
  })

  const attached = (type: string, fields: object): Message => ({
    type: "attachment",
    uuid: `a-${type}`,
    timestamp: "",
    attachment: { type, ...fields }
  })
  const text = (numLines: number, startLine: number, totalLines: number) => ({
    type: "text",
    file: { filePath: "/w/a.txt", content: "", numLines, startLine, totalLines }
  })
  const rows: ReadonlyArray<readonly [string, object, string]> = [
    ["file", { displayPath: "a.txt", content: text(120, 1, 120) }, "  + read a.txt (120 lines)"],
    ["file", { displayPath: "a.txt", content: text(2, 4, 120) }, "  + read a.txt (lines 4-5)"],
    ["file", { displayPath: "p.png", content: text(0, 1, 0) }, "  + read p.png"],
    ["directory", { displayPath: "src", content: "" }, "  + listed src"],
    ["agent_mention", { agentType: "Explore" }, "  + asked for the agent Explore"],
    ["edited_text_file", { filename: "/w/a.txt", snippet: "1\tone" }, "  + /w/a.txt changed on disk"],
    ["date", { date: "2026-01-01" }, ""]
  ]

  it.each(rows)("says what was attached: %s %j", (type, fields, row) => {
    expect(drawn(fromMessages([attached(type, fields)]))).toBe(row)
  })
})
