import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isUndoLine } from "../../../../src/core/context/reduction/undo-line.ts"
import type { Message } from "../../../../src/core/domain/message.ts"
import type { Command } from "../../../../src/core/loop/machine/command.ts"
import { messagesOf } from "../../../../src/core/session/load/restore.ts"
import { selectConversation } from "../../../../src/core/session/load/conversation-lines.ts"
import { addLine, emptyLedger } from "../../../../src/core/session/load/transcript-index.ts"
import { pairCalls } from "../../../../src/core/session/load/pairing.ts"
import { Recorder } from "../../../../src/shell/runtime/transcript-recorder.ts"
import { context } from "../../../support/session/build.ts"
import { read, returned } from "../response-plan.ts"
import { afterOneTurn, nearlyFull, type Script } from "../script.ts"

/** A compaction is taken back and done again, on the file that the real recorder writes. */

/** The transcript as the program writes it, command by command. */
const fileOf = (commands: ReadonlyArray<Command>): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const recorder = new Recorder({
    writer: { append: (more) => void lines.push(...more) },
    context,
    redaction: null,
    now: () => "2030-01-01T00:00:00.000Z"
  })
  for (const command of commands) {
    if (command._tag === "Note") recorder.note(command.record)
    if (command._tag === "Persist") recorder.record(command.messages, command.parentUuid, command.notes)
  }
  return lines
}

const readFile = (lines: ReadonlyArray<string>, at?: string) => {
  const ledger = emptyLedger()
  const values = lines.map((line): unknown => JSON.parse(line))
  values.forEach((value, index) => addLine(ledger, value, { offset: index, length: 1 }))
  const { lines: entries } = selectConversation(ledger, { at })
  for (const entry of entries) entry.raw ??= values[entry.position] as never
  return { messages: pairCalls(messagesOf(entries).messages), ledger }
}

/** What was said, without the names of the lines and what belongs to the file. */
const said = (messages: ReadonlyArray<Message>) =>
  messages
    .filter((message) => message.type !== "system")
    .map((message) => (message.type === "attachment" ? message.attachment : message.message))
    .map((message) => JSON.stringify(message, (key, value: unknown) => (key === "id" ? undefined : value)))

const answerRead = (script: Script): void => {
  const { readId, at } = script.newest("ReadWindow")
  const { messages } = readFile(fileOf(script.commands), at)
  script.feed({ _tag: "WindowRead", readId, window: { messages, replacements: [] } })
}

const change = (script: Script, direction: "Undo" | "Redo"): void => {
  script.feed({ _tag: "AboutCompaction", wish: { _tag: direction } })
  answerRead(script)
}

const twoTurns = (): Script => {
  const script = afterOneTurn()
  script.begin("second")
  script.respond({ text: "reading", calls: [read("a"), read("b")] })
  script.prepare("a")
  script.prepare("b")
  script.settle("b", returned("b's text"))
  script.settle("a", returned("a's text"))
  script.respond({ text: "read" })
  return script
}

const compacted = (script: Script, summary?: string): Script => {
  script.feed({ _tag: "CompactionRequested", focus: "" })
  script.compacted(summary)
  return script
}

const ask = (script: Script): ReadonlyArray<unknown> => {
  script.begin("what now")
  return script.requests.at(-1)?.messages ?? []
}

describe("undoing a compaction", () => {
  it("gives the model the conversation of before, and the new prompt", () => {
    const untouched = ask(twoTurns())
    const script = compacted(twoTurns())
    change(script, "Undo")
    expect(script.result).toMatchObject({ subtype: "success", numTurns: 0 })
    expect(ask(script)).toEqual(untouched)
  })

  it("is read back from the file", () => {
    const script = compacted(twoTurns())
    change(script, "Undo")
    expect(said(readFile(fileOf(script.commands)).messages)).toEqual(said(script.messages))
  })

  it("shows the compacted conversation as long as its last line is not written", () => {
    const script = compacted(twoTurns())
    const before = fileOf(script.commands)
    const window = said(script.messages)
    change(script, "Undo")
    const after = fileOf(script.commands)
    const end = after.findIndex((line) => line.includes("setAside"))
    for (let count = before.length; count <= end; count++) {
      expect([count, said(readFile(after.slice(0, count)).messages)]).toEqual([count, window])
    }
    expect(said(readFile(after.slice(0, end + 1)).messages)).not.toEqual(window)
  })

  it("writes the window in one go, what was spent before its last line", () => {
    const script = compacted(twoTurns())
    change(script, "Undo")
    const written = script.newest("Persist")
    expect(written.parentUuid).toBeNull()
    expect(written.notes).toMatchObject([{ type: "cost-state" }])
    expect(isUndoLine(written.messages.at(-1) as Message)).toBe(true)
    expect(readFile(fileOf(script.commands)).ledger.spending.size).toBe(0)
  })

  it("is done again, and undone again, with the same words", () => {
    const script = compacted(twoTurns())
    const summarised = said(script.messages)
    change(script, "Undo")
    const whole = said(script.messages)
    change(script, "Redo")
    expect(said(script.messages)).toEqual(summarised)
    expect(said(readFile(fileOf(script.commands)).messages)).toEqual(summarised)
    change(script, "Undo")
    expect(said(script.messages)).toEqual(whole)
    expect(said(readFile(fileOf(script.commands)).messages)).toEqual(whole)
  })

  it("goes back one compaction at a time", () => {
    const script = compacted(twoTurns(), "<summary>the first</summary>")
    const first = said(script.messages)
    script.begin("third")
    script.respond({ text: "third answer" })
    const grown = said(script.messages)
    compacted(script, "<summary>the second</summary>")
    change(script, "Undo")
    expect(said(script.messages)).toEqual(grown)
    expect(said(readFile(fileOf(script.commands)).messages)).toEqual(grown)
    change(script, "Undo")
    expect(said(script.messages).some((line) => line.includes("the first"))).toBe(false)
    change(script, "Redo")
    expect(said(script.messages)).toEqual(grown)
    expect(first.every((line) => grown.includes(line))).toBe(true)
  })

  it("says what is set aside, and brings it back", () => {
    const script = compacted(twoTurns())
    script.begin("since then")
    script.respond({ text: "an answer since" })
    change(script, "Undo")
    expect(script.result.text).toMatch(/messages: 2.*set aside/)
    change(script, "Redo")
    expect(said(script.messages).join()).toContain("an answer since")
  })

  it("is not done again by itself while there is room for a request", () => {
    const script = nearlyFull()
    script.compacted()
    script.respond({ text: "go on" })
    change(script, "Undo")
    const before = script.all("Compact").length
    script.begin("next")
    expect([script.phase, script.all("Compact").length]).toEqual(["Requesting", before])
  })

  it.each(["Undo", "Redo"] as const)("%s without anything to do says so", (direction) => {
    const script = twoTurns()
    script.feed({ _tag: "AboutCompaction", wish: { _tag: direction } })
    expect(script.all("ReadWindow")).toEqual([])
    expect(script.result.text).toContain("compaction")
  })

  it("that cannot be read changes nothing", () => {
    const script = compacted(twoTurns())
    const { messages } = script
    script.feed({ _tag: "AboutCompaction", wish: { _tag: "Undo" } })
    script.feed({ _tag: "WindowRead", readId: script.newest("ReadWindow").readId, window: { cause: "EIO" } })
    expect(script.messages).toEqual(messages)
    expect(script.result.text).toContain("EIO")
  })

  it("that is interrupted changes nothing", () => {
    const script = compacted(twoTurns())
    const { messages } = script
    script.feed({ _tag: "AboutCompaction", wish: { _tag: "Undo" } })
    const { readId } = script.newest("ReadWindow")
    script.interrupt()
    script.feed({ _tag: "WindowRead", readId, window: { messages: [], replacements: [] } })
    expect(script.messages).toEqual(messages)
  })
})

describe("editing the summary", () => {
  it("changes what the model sees of the older part, and nothing else", () => {
    const script = compacted(twoTurns())
    script.feed({ _tag: "AboutCompaction", wish: { _tag: "Reword", text: "MY OWN WORDS" } })
    const [first] = script.messages.filter(({ type }) => type === "user")
    expect(first).toMatchObject({ isCompactSummary: true, message: { content: "MY OWN WORDS" } })
    expect(said(readFile(fileOf(script.commands)).messages)).toEqual(said(script.messages))
    expect(JSON.stringify(ask(script))).toContain("MY OWN WORDS")
  })

  it("can still be undone", () => {
    const script = compacted(twoTurns())
    script.feed({ _tag: "AboutCompaction", wish: { _tag: "Reword", text: "MY OWN WORDS" } })
    change(script, "Undo")
    expect(said(script.messages)).toEqual(said(twoTurns().messages))
  })

  it("does not leave the model without words", () => {
    const script = compacted(twoTurns())
    const { messages } = script
    script.feed({ _tag: "AboutCompaction", wish: { _tag: "Reword", text: "  " } })
    expect(script.messages).toEqual(messages)
  })
})

/** Steps of somebody who compacts, changes their mind and goes on. */
const step = fc.constantFrom("turn", "compact", "undo", "redo", "reword")

describe("any course of compactions and changes of mind", () => {
  it("is read back as it is in memory", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const script = afterOneTurn()
        steps.forEach((each, index) => {
          if (each === "turn") {
            script.begin(`prompt ${index}`)
            script.respond({ text: `answer ${index}`, calls: [read(`c${index}`)] })
            script.runCalls(`c${index}`)
            script.respond({ text: `done ${index}` })
          }
          if (each === "compact") {
            const asked = script.all("Compact").length
            script.feed({ _tag: "CompactionRequested", focus: "" })
            if (script.all("Compact").length > asked) script.compacted(`<summary>summary ${index}</summary>`)
          }
          if (each === "undo" || each === "redo") {
            const asked = script.all("ReadWindow").length
            script.feed({ _tag: "AboutCompaction", wish: { _tag: each === "undo" ? "Undo" : "Redo" } })
            if (script.all("ReadWindow").length > asked) answerRead(script)
          }
          if (each === "reword") script.feed({ _tag: "AboutCompaction", wish: { _tag: "Reword", text: `words ${index}` } })
          expect(said(readFile(fileOf(script.commands)).messages)).toEqual(said(script.messages))
        })
      }),
      { numRuns: 60 }
    )
  })
})
