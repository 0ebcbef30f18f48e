import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textWidth } from "../../../src/tui/screen/cell/width.ts"
import type { Row } from "../../../src/tui/screen/style/row.ts"
import type { Block, LayoutOptions } from "../../../src/tui/transcript/block.ts"
import { layoutBlock } from "../../../src/tui/transcript/blocks/block-layout.ts"
import { showArriving } from "../../../src/tui/transcript/entries/arriving.ts"
import { applyEmission } from "../../../src/tui/transcript/entries/project.ts"
import { emptyTranscript, type Transcript } from "../../../src/tui/transcript/state.ts"
import {
  added,
  answered,
  arriving,
  blocksOf,
  called,
  options,
  played,
  returned,
  said,
  started,
  system,
  wrote
} from "./sample.ts"

const NASTY = [
  "\u001b[31mred\u001b[0m",
  "\u202eevil",
  "日本語のテキスト",
  "👩‍👩‍👧‍👦",
  "a\tb",
  "\r\n",
  "e\u0301",
  "-".repeat(90),
  "\u0000",
  "```ts\nlet x = 1\n```",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "- item",
  "# head",
  "line\n".repeat(45)
]

const words = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.lorem({ maxCount: 4 }), fc.constant("\n")), { maxLength: 12 })
  .map((parts) => parts.join(" "))

const hunkLine = fc.tuple(fc.constantFrom(" ", "+", "-"), fc.constantFrom("const a = 1", "x\ty", "日本", ""))

const hunk = fc.array(hunkLine, { minLength: 1, maxLength: 40 }).map((lines) => ({
  oldStart: 1,
  oldLines: lines.filter(([sign]) => sign !== "+").length,
  newStart: 1,
  newLines: lines.filter(([sign]) => sign !== "-").length,
  lines: lines.map(([sign, text]) => `${sign}${text}`)
}))

const TOOLS = [
  "Bash",
  "Read",
  "Write",
  "Edit",
  "NotebookEdit",
  "Glob",
  "Grep",
  "WebFetch",
  "WebSearch",
  "TodoWrite",
  "TaskUpdate",
  "TaskOutput",
  "Agent",
  "AskUserQuestion",
  "Skill",
  "ExitPlanMode",
  "mcp__slack__send",
  "Unheard"
]

const input = fc.oneof(
  fc.record({
    command: words,
    file_path: words,
    notebook_path: words,
    content: words,
    pattern: words,
    url: words,
    query: words,
    description: words,
    prompt: words,
    skill: words,
    plan: words,
    questions: fc.array(fc.record({ question: words }), { maxLength: 3 }),
    todos: fc.array(fc.record({ content: words, status: fc.constantFrom("pending", "in_progress", "completed", 7) }), {
      maxLength: 4
    })
  }),
  fc.anything({ maxDepth: 2 })
)

const data = fc.oneof(
  fc.record({ stdout: words, stderr: words }),
  fc.record({ filePath: words, structuredPatch: fc.array(hunk, { maxLength: 3 }) }),
  fc.record({ type: fc.constant("create"), filePath: words, content: words }),
  fc.record({ filenames: fc.array(words), numFiles: fc.nat() }),
  fc.record({ oldTodos: fc.array(fc.record({ content: words })), answers: fc.dictionary(words, words) }),
  fc.anything({ maxDepth: 2 })
)

const call = fc.record({
  tool: fc.constantFrom(...TOOLS),
  input,
  data,
  content: fc.oneof(words, fc.constant('{"a":[1,{"b":"c"}]}')),
  isError: fc.boolean(),
  stage: fc.constantFrom("queued", "running", "settled", "settled")
})

const callTranscript = (value: {
  tool: string
  input: unknown
  data: unknown
  content: string
  isError: boolean
  stage: string
}): Transcript => {
  const queued = played([added(called("c1", value.tool, value.input))])
  if (value.stage === "queued") return queued
  const running = applyEmission(queued, started("c1", value.tool), 0)
  const progress = applyEmission(
    running,
    {
      _tag: "CallProgress",
      callId: "c1",
      tool: value.tool,
      progress: { output: value.content, activities: [value.content], progress: 1, total: 3 }
    },
    100
  )
  if (value.stage === "running") return progress
  return applyEmission(
    progress,
    added(
      returned("c1", { content: value.content, data: value.data, ...(value.isError ? { isError: true as const } : {}) })
    ),
    9_000
  )
}

const sayings = fc.oneof(
  words.map((text) => played([added(said("p", text))])),
  words.map((text) => played([added(wrote("a", text))])),
  words.map((text) => played([added(answered("a", { type: "thinking", thinking: text, signature: "" }))])),
  words.map((text) => played([{ _tag: "Notice", level: "warning", text }])),
  words.map((text) => played([{ _tag: "Notice", level: "error", text }])),
  words.map((text) =>
    played([
      added(system("s", { subtype: "compact_boundary", content: "x", compactMetadata: {} })),
      added({ ...said("p", text), isCompactSummary: true })
    ])
  ),
  { weight: 8, arbitrary: call.map(callTranscript) },
  words.map((text) =>
    played(
      ["c1", "c2"].flatMap((id) => [added(called(id, "mcp__slack__send", { text })), added(returned(id, { content: text }))])
    )
  )
)

const layouts: fc.Arbitrary<LayoutOptions> = fc
  .record({
    width: fc.constantFrom(1, 3, 8, 20, 20, 40, 80, 120),
    fold: fc.constantFrom("open" as const, "closed" as const),
    view: fc.constantFrom("default" as const, "verbose" as const, "focus" as const),
    glyphs: fc.constantFrom("unicode" as const, "ascii" as const),
    thinking: fc.constantFrom("fold" as const, "show" as const),
    codeWrap: fc.boolean()
  })
  .map((fields) => options({ ...fields, meta: true, now: 8_000 }))

const offered = (transcript: Transcript): ReadonlyArray<Block> => blocksOf(transcript)

/** What a yank of these rows gives: everything from the first to the last. */
const yanked = (rows: ReadonlyArray<Row>, source: string): string => source.slice(rows[0]?.start, rows.at(-1)?.end)

const blank = (text: string): string => text.replaceAll(/[\s\u00a0]/g, " ")

describe("every block, every width, fold and view", () => {
  it("yields its whole source, in order", () => {
    fc.assert(
      fc.property(sayings, layouts, (transcript, layout) => {
        for (const block of offered(transcript)) {
          const rows = layoutBlock(block, layout)
          if (rows.length === 0) continue
          expect(yanked(rows, block.source)).toBe(block.source)
          rows.forEach((row, index) => {
            expect(row.start).toBeGreaterThanOrEqual(rows[index - 1]?.end ?? 0)
            expect(row.end).toBeGreaterThanOrEqual(row.start)
          })
        }
      }),
      { numRuns: 400 }
    )
  })

  it("is never wider than the width, and says how wide it is", () => {
    fc.assert(
      fc.property(sayings, layouts, (transcript, layout) => {
        for (const block of offered(transcript)) {
          for (const row of layoutBlock(block, layout)) {
            const width = row.spans.reduce((sum, span) => sum + textWidth(span.text), 0)
            expect(row.width).toBe(width)
            if (layout.width >= 8) expect(width).toBeLessThanOrEqual(layout.width)
          }
        }
      }),
      { numRuns: 400 }
    )
  })

  it("shows source characters where it says they are", () => {
    fc.assert(
      fc.property(sayings, layouts, (transcript, layout) => {
        for (const block of offered(transcript)) {
          for (const span of layoutBlock(block, layout).flatMap((row) => row.spans)) {
            if (span.at === undefined) continue
            expect(span.at + (span.covers ?? span.text.length)).toBeLessThanOrEqual(block.source.length)
            if (span.covers !== undefined) continue
            if (block.kind === "turn") continue
            expect(blank(span.text)).toBe(blank(block.source.slice(span.at, span.at + span.text.length)))
          }
        }
      }),
      { numRuns: 400 }
    )
  })

  it("holds no control character", () => {
    fc.assert(
      fc.property(sayings, layouts, (transcript, layout) => {
        for (const block of offered(transcript)) {
          for (const span of layoutBlock(block, layout).flatMap((row) => row.spans)) {
            expect(span.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
          }
        }
      }),
      { numRuns: 200 }
    )
  })
})

describe("streaming", () => {
  it("ends with the rows of the whole text, whatever the pieces", () => {
    fc.assert(
      fc.property(words, fc.array(fc.integer({ min: 1, max: 30 })), fc.constantFrom(20, 60), (text, sizes, width) => {
        let transcript = emptyTranscript
        let at = 0
        for (const size of [...sizes, text.length]) {
          at = Math.min(text.length, at + size)
          transcript = showArriving(transcript, arriving({ text: text.slice(0, at) }), { upTo: at, now: 0 })
          for (const block of offered(transcript)) layoutBlock(block, options({ width }))
        }
        const streamed = offered(applyEmission(transcript, added(wrote("a", text)), 0)).flatMap((block) =>
          layoutBlock(block, options({ width }))
        )
        const whole = offered(played([added(wrote("a", text))])).flatMap((block) => layoutBlock(block, options({ width })))
        if (text.trim() !== "") expect(streamed).toEqual(whole)
      }),
      { numRuns: 100 }
    )
  })
})
