import { describe, expect, it } from "vitest"
import type { Block, Entry } from "../../../../src/tui/transcript/block.ts"
import {
  type ArrivingBlock,
  arrivingBlock,
  showArriving,
  shownLength
} from "../../../../src/tui/transcript/entries/arriving.ts"
import { Script } from "../../../core/loop/script.ts"
import { textBlock } from "../../../core/loop/response-plan.ts"
import { applyEmission, fromMessages, markAsking } from "../../../../src/tui/transcript/entries/project.ts"
import { emptyTranscript, type Transcript } from "../../../../src/tui/transcript/state.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import {
  added,
  answered,
  arriving,
  blocksOf,
  called,
  drawn,
  finished,
  played,
  returned,
  said,
  settledCall,
  started,
  system,
  wrote
} from "../sample.ts"

/** The transcript when so much of a block has arrived, and all of it is due. */
const shown = (transcript: Transcript, block: Partial<ArrivingBlock> | undefined, now = 0): Transcript =>
  showArriving(transcript, block && arriving(block), { upTo: block?.text?.length ?? 0, now })

const entryAt = (transcript: Transcript, place: number): Entry => {
  const entry = Vector.get(transcript.entries, place)
  if (entry === undefined) throw new Error(`no entry at ${place}`)
  return entry
}

const blockAt = (transcript: Transcript, place: number): Block => {
  const block = entryAt(transcript, place).blocks[0]
  if (block === undefined) throw new Error(`no block at ${place}`)
  return block
}

describe("streaming", () => {
  it("keeps one entry from the first letter to the finished block", () => {
    const begun = shown(played([added(said("p", "hi"))]), { text: "Hel" })
    const id = entryAt(begun, 1).id
    const grown = shown(begun, { text: "Hello.", isComplete: true })
    const settled = applyEmission(grown, added(wrote("a1", "Hello.")), 9_000)
    expect(entryAt(settled, 1).id).toBe(id)
    expect(settled.entries.length).toBe(2)
    expect(blockAt(settled, 1)).toMatchObject({ source: "Hello.", streaming: false })
    expect(blockAt(settled, 1).revision).toBeGreaterThan(blockAt(grown, 1).revision)
  })

  it("shows no more of a text than is due", () => {
    const block = arriving({ text: "one two three" })
    const some = showArriving(emptyTranscript, block, { upTo: 4, now: 0 })
    expect(drawn(some)).toBe("one")
    expect(shownLength(some, block)).toBe(4)
    const all = showArriving(some, block, { upTo: Number.POSITIVE_INFINITY, now: 0 })
    expect(drawn(all)).toBe("one two three")
    expect(showArriving(all, block, { upTo: 13, now: 9 })).toBe(all)
  })

  it("names an answer alike when it streams and when it is read back", () => {
    const message = wrote("a1", "Hello.")
    const live = applyEmission(shown(emptyTranscript, { text: "Hello." }), added(message), 0)
    expect(entryAt(live, 0).id).toBe(entryAt(fromMessages([message]), 0).id)
  })

  it("shows thoughts with their time", () => {
    const thinking = { kind: "thinking", text: "count the rows of every tree" } as const
    const thought = shown(emptyTranscript, thinking, 1_000)
    expect(drawn(thought, { now: 4_000 })).toBe("  thinking 3s, 7 tokens\n  count the rows of every tree")
    const over = shown(thought, { ...thinking, isComplete: true }, 3_000)
    expect(drawn(over, { now: 9_000 })).toMatch(/^ {2}thinking 2s, 7 tokens/)
    const settled = applyEmission(
      over,
      added(answered("a1", { type: "thinking", thinking: "count the rows", signature: "" })),
      9
    )
    expect(drawn(settled)).toMatch(/^ {2}thinking 2s, \d+ tokens$/)
    expect(drawn(settled, { thinking: "hide" })).toBe("")
  })

  it("fills a call while its input arrives", () => {
    const call = { id: "c1", name: "Bash" }
    const begun = shown(emptyTranscript, { call, text: '{"command":"np' })
    const partial = shown(begun, { call, text: '{"command":"npm te' })
    expect(drawn(partial)).toBe("○ Bash  npm te")
    const whole = applyEmission(
      shown(partial, { call, isComplete: true }),
      added(called("c1", "Bash", { command: "npm test" })),
      0
    )
    expect(whole.entries.length).toBe(1)
    expect(drawn(whole)).toBe("○ Bash  npm test")
  })

  it("takes back what was streamed since the last finished block", () => {
    const first = applyEmission(shown(emptyTranscript, { text: "Kept.", isComplete: true }), added(wrote("a1", "Kept.")), 0)
    const more = shown(first, { index: 1, text: "Lost" })
    expect(drawn(applyEmission(more, { _tag: "PartialDiscarded" }, 0))).toBe("Kept.")
    expect(drawn(shown(more, undefined))).toBe("Kept.")
    expect(drawn(shown(more, { messageId: "msg_2", text: "New." }))).toBe("Kept.\n\nNew.")
  })

  it("shows what the loop holds of an answer, block by block", () => {
    const loop = new Script()
    loop.begin()
    loop.startResponse()
    expect(arrivingBlock(loop.state)).toBeUndefined()
    const [start, delta, stop] = textBlock(0, "Hello.")
    for (const event of [start, delta]) if (event !== undefined) loop.say(event)
    expect(arrivingBlock(loop.state)).toMatchObject({ kind: "text", text: "Hello.", isComplete: false })
    if (stop !== undefined) loop.say(stop)
    expect(arrivingBlock(loop.state)).toMatchObject({ kind: "text", text: "Hello.", isComplete: true })
    loop.fireTimer()
    expect(arrivingBlock(loop.state)).toBeUndefined()
  })

  it("lets a tombstoned message disappear with its call", () => {
    const shown = played([
      added(said("p", "hi")),
      added(wrote("a1", "Wrong.")),
      added(called("c1", "Bash", { command: "ls" }))
    ])
    const gone = played(
      [
        { _tag: "Tombstone", uuid: "a1" },
        { _tag: "Tombstone", uuid: "u-c1" }
      ],
      shown
    )
    expect(drawn(gone)).toBe("▌ hi")
    expect(gone.openCalls.size).toBe(0)
  })
})

describe("calls", () => {
  const begun = played([added(called("c1", "Bash", { command: "npm test" })), started("c1", "Bash")])

  it.each([
    ["queued", played([added(called("c1", "Bash", { command: "npm test" }))]), "○ Bash  npm test"],
    [
      "asking",
      markAsking(played([added(called("c1", "Bash", { command: "npm test" }))]), "c1", true),
      "? Bash  npm test  waiting for you"
    ],
    ["running", begun, "⠋ Bash  npm test  4s"],
    ["ok", settledCall("Bash", { command: "npm test" }, { content: "ok" }), "● Bash  npm test\n  │ ok"],
    [
      "failed",
      settledCall("Read", { file_path: "/x" }, { content: "no such file", isError: true }),
      "✗ Read  /x\n  │ no such file"
    ],
    [
      "cancelled",
      settledCall("Bash", { command: "ls" }, { content: "Cancelled: the user interrupted.", isError: true }),
      "⊘ Bash  ls  cancelled"
    ],
    [
      "denied",
      settledCall("Bash", { command: "ls" }, { content: "no", isError: true, denial: "rule" }),
      "⊘ Bash  ls  denied\n  │ no"
    ]
  ])("shows a call that is %s", (state, transcript, text) => {
    expect(blockAt(transcript, 0).state).toBe(state)
    expect(drawn(transcript, { now: 5_000 })).toBe(text)
  })

  it("shows the end of live output with its counters", () => {
    const progress = {
      type: "bash_progress",
      output: "1\n2\n3\n4\n5\n6\n7\n8\n",
      totalLines: 812,
      totalBytes: 20_480,
      elapsedMs: 3_000
    }
    const live = applyEmission(begun, { _tag: "CallProgress", callId: "c1", tool: "Bash", progress }, 3_000)
    expect(drawn(live, { now: 3_000 })).toBe(
      ["⠋ Bash  npm test  2s", "  │ 3", "  │ 4", "  │ 5", "  │ 6", "  │ 7", "  │ 8", "  │ 812 lines, 20 KB"].join("\n")
    )
    expect(drawn(live, { now: 91_000 })).toContain("stops in 30s")
  })

  it("puts results under their calls, in whatever order they come", () => {
    const transcript = played([
      added(called("c1", "Bash", { command: "one" })),
      added(called("c2", "Bash", { command: "two" })),
      started("c2", "Bash"),
      started("c1", "Bash"),
      added(returned("c2", { content: "second" })),
      added(returned("c1", { content: "first" }))
    ])
    expect(drawn(transcript)).toBe("● Bash  one  2s\n  │ first\n● Bash  two  2s\n  │ second")
  })

  it("folds calls of one server in a row to one row, in whatever order they settle", () => {
    const slack = (id: string) => added(called(id, "mcp__slack__send", { to: id }))
    const done = (id: string) => added(returned(id, { content: `sent ${id}` }))
    const transcript = played([
      slack("c1"),
      slack("c2"),
      slack("c3"),
      done("c2"),
      done("c1"),
      done("c3"),
      added(called("c4", "mcp__mail__send", {})),
      done("c4")
    ])
    expect(drawn(transcript)).toBe("● called slack 3 times\n● mail send\n  │ sent c4")
    const [first] = blocksOf(transcript)
    expect(first?.source).toBe('{"to":"c1"}\nsent c1\n{"to":"c2"}\nsent c2\n{"to":"c3"}\nsent c3')
    expect(
      first?.parts?.filter((part) => part.name === "result").map(({ start, end }) => first.source.slice(start, end))
    ).toEqual(["sent c1", "sent c2", "sent c3"])
    expect(drawn(transcript, { fold: "open" })).toContain('● slack send  {"to":"c2"}\n  │ sent c2')
    expect(transcript.openCalls.size).toBe(0)
  })

  it("says why a call was denied", () => {
    const denied = played([
      added(called("c1", "Bash", { command: "rm -rf /" })),
      {
        _tag: "PermissionDenied",
        uuid: "d",
        callId: "c1",
        tool: "Bash",
        reasonType: "rule",
        reason: "A rule forbids it",
        message: "m"
      },
      added(returned("c1", { content: "m", isError: true, denial: "rule" }))
    ])
    expect(drawn(denied)).toBe("⊘ Bash  rm -rf /  denied\n  │ A rule forbids it")
  })

  it("gives up calls when the turn ends without their results", () => {
    expect(drawn(played([finished()], begun))).toMatch(/^⊘ Bash {2}npm test {2}cancelled/)
  })
})

describe("notices, errors and the end of a turn", () => {
  it("counts retries in one row", () => {
    const retry = (attempt: number) =>
      ({
        _tag: "RetryScheduled",
        uuid: `r${attempt}`,
        attempt,
        maxRetries: 10,
        delayMs: 8_000,
        status: 529,
        errorClass: "overloaded",
        text: "The API is overloaded"
      }) as const
    const transcript = played([added(said("p", "hi")), retry(1), retry(2), added(wrote("a", "There."))])
    expect(drawn(transcript)).toBe("▌ hi\n\n· The API is overloaded; retrying in 8s (attempt 2/10)\n\nThere.")
    expect(drawn(played([retry(3)], transcript))).toContain("(attempt 3/10)")
  })

  it("shows an API error with the next step", () => {
    const message = {
      ...wrote("a", "Prompt is too long\nrequest req_1\ndetails"),
      isApiErrorMessage: true,
      error: "prompt_too_long" as const
    }
    const transcript = played([added(message)])
    expect(drawn(transcript)).toBe("▌ Prompt is too long\n▌ … 2 more lines (za)\n▌ → /compact")
    expect(drawn(transcript, { fold: "open" })).toContain("▌ request req_1\n▌ details")
  })

  it("sums up the turn", () => {
    const data = {
      filePath: "/x/a.ts",
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }]
    }
    const before = settledCall("Edit", { file_path: "/x/a.ts" }, { content: "", data })
    const ended = played([finished()], before)
    expect(drawn(ended).split("\n").at(-1)).toBe("  42s · 12.3k in (91% cached) · 1.8k out · $0.0412 · 1 file")
    expect(drawn(ended, { width: 48 }).split("\n").at(-1)).toBe("  42s · 12.3k in (91% cached) · 1.8k out")
    expect(drawn(ended, { width: 20 }).split("\n").at(-1)).toBe("  42s")
    expect(drawn(ended, { showTurns: false })).not.toContain("42s")
    expect(drawn(ended, { width: 40 }).split("\n").at(-1)).toBe("  42s · 12.3k in (91% cached) · 1.8k out")
    expect(drawn(ended, { width: 39 }).split("\n").at(-1)).toBe("  42s · 12.3k in (91% cached)")
    const again = played([finished({ uuid: "turn-2", totalCostUsd: 0.0512 })], ended)
    expect(drawn(again).split("\n").at(-1)).toContain("$0.0100")
  })

  it("reports errors of the turn, but no error for an interruption", () => {
    expect(
      drawn(
        played([
          finished({
            subtype: "error_max_turns",
            terminalReason: "max_turns",
            errors: ["Reached maximum number of turns (3)"]
          })
        ])
      )
    ).toContain("▌ Reached maximum")
    const stopped = drawn(
      played([
        finished({
          terminalReason: "aborted_streaming",
          errors: ["Request was interrupted by the user."]
        })
      ])
    )
    expect(stopped).not.toContain("▌")
    expect(stopped).toContain("42s")
  })

  it("hides meta messages and shows them on request", () => {
    const transcript = played([added({ ...said("m", "be brief"), isMeta: true }), added(said("p", "hi"))])
    expect(drawn(transcript)).toBe("▌ hi")
    expect(drawn(transcript, { meta: true })).toContain("be brief")
  })

  it("marks a compaction and keeps its summary folded", () => {
    const boundary = system("b", {
      subtype: "compact_boundary",
      content: "Conversation compacted",
      compactMetadata: { trigger: "auto", preTokens: 180_000, postTokens: 12_300 }
    })
    const transcript = fromMessages([
      said("p", "hi"),
      boundary,
      { ...said("s", "We planned spring."), isCompactSummary: true }
    ])
    const closed = drawn(transcript, { width: 90 }).split("\n").at(-1)
    expect(closed).toMatch(/^── compacted automatically · 180k → 12.3k tokens · za shows the summary · u undoes it ─+$/)
    expect(drawn(transcript, { fold: "open", width: 90 })).toContain("  We planned spring.")
  })
})

describe("versions", () => {
  it("keeps the identity of what did not change", () => {
    const before = played([
      added(said("p", "hi")),
      added(wrote("a1", "One.")),
      added(called("c1", "Bash", { command: "ls" }))
    ])
    const after = played([started("c1", "Bash"), added(wrote("a2", "Two."))], before)
    expect(entryAt(after, 0)).toBe(entryAt(before, 0))
    expect(entryAt(after, 1)).toBe(entryAt(before, 1))
    expect(Vector.changedPlaces(before.entries, after.entries)).toEqual([2])
    expect(blockAt(before, 2).state).toBe("queued")
    expect(blockAt(after, 2).state).toBe("running")
  })

  it("gives every entry a name of its own", () => {
    const transcript = played([
      added(said("p", "hi")),
      added(wrote("a1", "One.")),
      added(called("c1", "Bash", { command: "ls" })),
      added(returned("c1", { content: "x" })),
      added(wrote("a2", "Two.")),
      { _tag: "Notice", level: "info", text: "n" },
      { _tag: "Notice", level: "info", text: "n" },
      finished()
    ])
    const ids = Vector.toArray(transcript.entries).map((entry) => entry.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(blocksOf(transcript).map((block) => block.id)).size).toBe(blocksOf(transcript).length)
  })

  it("appends to tens of thousands of records in the same order of time as to a few", () => {
    const records = Array.from({ length: 10_000 }, (_, turn) => [
      said(`p${turn}`, `prompt ${turn}`),
      called(`c${turn}`, "Bash", { command: `echo ${turn}` }, `m${turn}`),
      returned(`c${turn}`, { content: String(turn) }),
      wrote(`a${turn}`, `done ${turn}`, `m${turn}b`)
    ]).flat()
    const long = fromMessages(records)
    const short = fromMessages(records.slice(0, 400))
    expect(long.entries.length).toBe(30_000)
    const cost = (transcript: Transcript): number => {
      const from = performance.now()
      let next = transcript
      for (let index = 0; index < 500; index++) {
        next = applyEmission(next, added(wrote(`x${index}`, "x", `n${index}`)), 0)
      }
      return performance.now() - from
    }
    const best = (transcript: Transcript): number => Math.min(...Array.from({ length: 7 }, () => cost(transcript)))
    best(short)
    expect(best(long)).toBeLessThan(best(short) * 4 + 1)
  })
})
