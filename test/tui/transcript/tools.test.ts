import { describe, expect, it } from "vitest"
import type { LayoutOptions } from "../../../src/tui/transcript/block.ts"
import { layoutBlock } from "../../../src/tui/transcript/blocks/block-layout.ts"
import { applyEmission } from "../../../src/tui/transcript/entries/project.ts"
import { plainCall } from "../../../src/tui/transcript/blocks/tool-rows.ts"
import { rendererOf } from "../../../src/tui/transcript/tools/registry.ts"
import { added, blocksOf, called, drawn, options, played, settledCall, started, textOf, type Returned } from "./sample.ts"

interface Case {
  readonly name: string
  readonly tool: string
  readonly input: unknown
  readonly outcome: Returned
  readonly layout?: Partial<LayoutOptions>
  readonly rows: ReadonlyArray<string>
}

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n")

const WATER = "/home/ada/orchard/src/irrigation/water-valve-controller.ts"
const PATCH = [
  {
    oldStart: 8,
    oldLines: 3,
    newStart: 8,
    newLines: 4,
    lines: [" open()", "-const rate = 1", "+const rate = 2", "+const max = 9", " close()"]
  }
]

const CASES: ReadonlyArray<Case> = [
  {
    name: "a short command",
    tool: "Bash",
    input: { command: "npm test", description: "Run the tests" },
    outcome: { content: "ok", data: { stdout: "ok", stderr: "" } },
    rows: ["● Bash  npm test  Run the tests", "  │ ok"]
  },
  {
    name: "a command of several lines",
    tool: "Bash",
    input: { command: "cd db\nmake migrate", description: "Migrate" },
    outcome: { content: "", data: { stdout: "", stderr: "" } },
    rows: ["● Bash  Migrate", "    cd db", "    make migrate"]
  },
  {
    name: "a command too wide for its head",
    tool: "Bash",
    input: { command: "grep -rn 'pear' orchard/rows --include '*.csv'" },
    outcome: { content: "x" },
    layout: { width: 40 },
    rows: ["● Bash", "    grep -rn 'pear' orchard/rows", "    --include '*.csv'", "  │ x"]
  },
  {
    name: "long output from both ends",
    tool: "Bash",
    input: { command: "seq 30", run_in_background: true, dangerouslyDisableSandbox: true },
    outcome: { content: "Exit code 2\n…", data: { stdout: numbered(30), stderr: "cwd is gone" }, isError: true },
    rows: [
      "✗ Bash  seq 30  exit 2  background  no sandbox",
      "  │ line 1",
      "  │ line 2",
      "  │ line 3",
      "  │ … 22 more lines (za)",
      "  │ line 26",
      "  │ line 27",
      "  │ line 28",
      "  │ line 29",
      "  │ line 30",
      "  ┃ cwd is gone"
    ]
  },
  {
    name: "output of which the record holds the beginning",
    tool: "Bash",
    input: { command: "seq 9000" },
    outcome: {
      content: "too long",
      data: { stdout: "1\n2", stderr: "", persistedOutputPath: "/tmp/all.txt", persistedOutputSize: 43_893 }
    },
    rows: ["● Bash  seq 9000", "  │ 1", "  │ 2", "  │ … cut here: 42.9 KB in all, o in activity shows it"]
  },
  {
    name: "a long output of which the end is known",
    tool: "Bash",
    input: { command: "seq 9000" },
    outcome: {
      content: "1\n2\n…",
      data: {
        stdout: "1\n\u001b[31m2",
        outputTail: "8999\n9000",
        stderr: "a notice",
        persistedOutputPath: "/tmp/all.txt",
        persistedOutputSize: 43_893
      }
    },
    rows: [
      "● Bash  seq 9000",
      "  │ 1",
      "  │ 2",
      "  │ … left out here",
      "  │ 8999",
      "  │ 9000",
      "  ┃ a notice",
      "  │ … 42.9 KB in all, o in activity shows it"
    ]
  },
  {
    name: "a command that was interrupted, with what it had printed",
    tool: "Bash",
    input: { command: "make" },
    outcome: {
      content: "one\ntwo\n[Interrupted before it finished.]",
      data: { stdout: "one\ntwo\n", stderr: "", interrupted: true },
      isError: true
    },
    rows: ["⊘ Bash  make  cancelled", "  │ one", "  │ two"]
  },
  {
    name: "a command that the user stopped",
    tool: "Bash",
    input: { command: "make" },
    outcome: {
      content: "Cancelled: the user stopped this call.\none\n[Interrupted before it finished.]",
      data: { stdout: "one\n", stderr: "", interrupted: true },
      isError: true
    },
    rows: ["⊘ Bash  make  cancelled", "  │ one"]
  },
  {
    name: "a command that took too long",
    tool: "Bash",
    input: { command: "make" },
    outcome: {
      content: "one\nCommand timed out after 2m",
      data: { stdout: "one\n", stderr: "", interrupted: true },
      isError: true
    },
    rows: ["✗ Bash  make  stopped", "  │ one"]
  },
  {
    name: "a read file",
    tool: "Read",
    input: { file_path: WATER, offset: 10, limit: 20 },
    outcome: { content: "10\tx", data: { type: "text", file: { filePath: WATER, content: "a\nb", numLines: 2 } } },
    rows: ["● Read  src/irrigation/water-valve-controller.ts  lines 10-29  2 lines"]
  },
  {
    name: "a read file in a narrow pane",
    tool: "Read",
    input: { file_path: WATER },
    outcome: { content: "10\tx", data: { type: "text", file: { filePath: WATER, content: "a\nb", numLines: 2 } } },
    layout: { width: 40 },
    rows: ["● Read  src/irrigation/w…e-controller.ts"]
  },
  {
    name: "a read file for whoever wants everything",
    tool: "Read",
    input: { file_path: WATER },
    outcome: {
      content: "10\tx",
      data: { type: "text", file: { filePath: WATER, content: "let a = 1\nlet b = 2", numLines: 2 } }
    },
    layout: { view: "verbose", fold: "open" },
    rows: ["● Read  src/irrigation/water-valve-controller.ts  2 lines", "  │ let a = 1", "  │ let b = 2"]
  },
  {
    name: "an edit",
    tool: "Edit",
    input: { file_path: WATER },
    outcome: { content: "Edited", data: { filePath: WATER, structuredPatch: PATCH } },
    rows: [
      "● Edit  src/irrigation/water-valve-controller.ts  +2 −1",
      "  │ @@ -8,3 +8,4 @@",
      "  │  8  8  open()",
      "  │  9    -const rate = 1",
      "  │     9 +const rate = 2",
      "  │    10 +const max = 9",
      "  │ 10 11  close()"
    ]
  },
  {
    name: "an edit in plain glyphs, focused",
    tool: "Edit",
    input: { file_path: WATER },
    outcome: { content: "Edited", data: { filePath: WATER, structuredPatch: PATCH } },
    layout: { glyphs: "ascii", view: "focus" },
    rows: ["* Edit  src/irrigation/water-valve-controller.ts  +2 -1"]
  },
  {
    name: "a new file",
    tool: "Write",
    input: { file_path: "/home/ada/orchard/a.ts", content: "one\ntwo\n" },
    outcome: {
      content: "Created",
      data: { type: "create", filePath: "/home/ada/orchard/a.ts", content: "one\ntwo\n" }
    },
    rows: ["● Write  a.ts  2 lines", "  │ 1 +one", "  │ 2 +two"]
  },
  {
    name: "blanks at the end of a new line",
    tool: "Write",
    input: { file_path: "/home/ada/orchard/a.ts", content: "one \n\t\n" },
    outcome: {
      content: "Created",
      data: { type: "create", filePath: "/home/ada/orchard/a.ts", content: "one \n\t\n" }
    },
    rows: ["● Write  a.ts  2 lines", "  │ 1 +one·", "  │ 2 +→"]
  },
  {
    name: "a changed cell",
    tool: "NotebookEdit",
    input: { notebook_path: "/home/ada/orchard/n.ipynb", cell_id: "c" },
    outcome: {
      content: "ok",
      data: { notebook_path: "/home/ada/orchard/n.ipynb", old_source: "x = 1", new_source: "x = 2" }
    },
    rows: ["● NotebookEdit  n.ipynb  cell  +1 −1", "  │ @@ -1,1 +1,1 @@", "  │ 1   -x = 1", "  │   1 +x = 2"]
  },
  {
    name: "a search",
    tool: "Grep",
    input: { pattern: "valve", path: "src", glob: "*.ts", "-i": true },
    outcome: {
      content: "…",
      data: { mode: "files_with_matches", numFiles: 7, filenames: ["a", "b", "c", "d", "e", "f", "g"] }
    },
    rows: [
      "● Grep  valve  in src, *.ts, ignoring case  7 files",
      "  │ a",
      "  │ b",
      "  │ c",
      "  │ d",
      "  │ e",
      "  │ … 2 more lines (za)"
    ]
  },
  {
    name: "a fetched page",
    tool: "WebFetch",
    input: { url: "https://orchard.example/pears?x=1", prompt: "p" },
    outcome: { content: "t", data: { code: 200, codeText: "OK", bytes: 2_048, result: "Pears are fine." } },
    rows: ["● WebFetch  orchard.example/pears?x=1  200 OK, 2 KB", "  │ Pears are fine."]
  },
  {
    name: "a web search",
    tool: "WebSearch",
    input: { query: "pear rust" },
    outcome: { content: "t", data: { results: [{ content: [{ title: "Rust on pears", url: "https://a.example" }] }] } },
    rows: ["● WebSearch  pear rust  1 result", "  │ Rust on pears  https://a.example"]
  },
  {
    name: "a checklist as it changed",
    tool: "TodoWrite",
    input: {
      todos: [
        { content: "Find", status: "completed" },
        { content: "Fix", status: "in_progress" },
        { content: "Tell", status: "pending" }
      ]
    },
    outcome: {
      content: "saved",
      data: {
        oldTodos: [
          { content: "Find", status: "completed" },
          { content: "Fix", status: "pending" },
          { content: "Tell", status: "pending" }
        ]
      }
    },
    rows: ["● TodoWrite  1/3 done", "      ☑ Find", "    → ▸ Fix", "      ☐ Tell"]
  },
  {
    name: "a checklist that did not change",
    tool: "TodoWrite",
    input: { todos: [{ content: "Find", status: "completed" }] },
    outcome: { content: "saved", data: { oldTodos: [{ content: "Find", status: "completed" }] } },
    rows: ["● TodoWrite  1/1 done, unchanged"]
  },
  {
    name: "a helper",
    tool: "Agent",
    input: { subagent_type: "Explore", description: "look around", prompt: "look at all trees" },
    outcome: {
      content: "x",
      data: { content: [{ type: "text", text: "All **quiet**." }], totalToolUseCount: 4, totalTokens: 34_000 }
    },
    rows: ["● Agent  Explore: look around  4 calls · 34k tokens", "  │ All quiet."]
  },
  {
    name: "an answered question",
    tool: "AskUserQuestion",
    input: { questions: [{ question: "Which valve?" }] },
    outcome: { content: "x", data: { answers: { "Which valve?": "Number 3" } } },
    rows: ["● AskUserQuestion  Which valve?", "  │ → Number 3"]
  },
  {
    name: "several questions",
    tool: "AskUserQuestion",
    input: { questions: [{ question: "Which valve?" }, { question: "When?" }] },
    outcome: { content: "x", data: { answers: { "Which valve?": "Number 3" } } },
    rows: ["● AskUserQuestion  2 questions", "    ? Which valve?", "    ? When?", "  │ → Number 3", "  │ → (not answered)"]
  },
  {
    name: "a skill",
    tool: "Skill",
    input: { skill: "prune", args: "row 3" },
    outcome: { content: "x", data: { status: "inline" } },
    rows: ["● Skill  prune row 3"]
  },
  {
    name: "a plan",
    tool: "ExitPlanMode",
    input: { plan: "# Plan\n\n- prune" },
    outcome: { content: "approved" },
    rows: ["● ExitPlanMode  accepted", "    Plan", "", "    • prune"]
  },
  {
    name: "a server's tool",
    tool: "mcp__slack__send",
    input: { channel: "#x" },
    outcome: { content: '{"ok":true,"ids":[1,2],"none":{}}' },
    rows: [
      '● slack send  {"channel":"#x"}',
      "  │ {",
      '  │   "ok": true,',
      '  │   "ids": [',
      "  │     1,",
      "  │     2",
      "  │   ],",
      '  │   "none": {}',
      "  │ }"
    ]
  },
  {
    name: "output of a task",
    tool: "TaskOutput",
    input: { task_id: "b1" },
    outcome: { content: "x", data: { task: { status: "running", output: "tick\ntock" } } },
    rows: ["● TaskOutput  b1  running", "  │ tick", "  │ tock"]
  },
  {
    name: "a task",
    tool: "TaskUpdate",
    input: { taskId: "3", status: "completed" },
    outcome: { content: "Updated" },
    rows: ["● TaskUpdate  #3 completed", "  │ Updated"]
  },
  {
    name: "an unknown tool",
    tool: "Graft",
    input: { tree: 3 },
    outcome: { content: "done\nwell" },
    rows: ['● Graft  {"tree":3}', "  │ done", "  │ well"]
  }
]

describe("settled calls", () => {
  it.each(CASES)("draws $name", ({ tool, input, outcome, layout, rows }) => {
    expect(drawn(settledCall(tool, input, outcome), { width: 80, ...layout }).split("\n")).toEqual(rows)
  })

  it.each([120, 80, 40])("fit into %i columns", (width) => {
    for (const { tool, input, outcome } of CASES) {
      for (const block of blocksOf(settledCall(tool, input, outcome))) {
        for (const row of layoutBlock(block, options({ width }))) expect(row.width).toBeLessThanOrEqual(width)
      }
    }
  })
})

describe("running calls", () => {
  const running = (tool: string, progress: unknown): string => {
    const begun = played([added(called("c1", tool, { description: "look", subagent_type: "Explore" })), started("c1", tool)])
    return drawn(applyEmission(begun, { _tag: "CallProgress", callId: "c1", tool, progress }, 1_000), { now: 1_000 })
  }

  it("shows an error without the tags that other programs put around it for the model", () => {
    const rows = (content: string) => drawn(settledCall("Glob", { pattern: "*" }, { content, isError: true }), { width: 80 })
    expect(rows("<tool_use_error>No such tool</tool_use_error>")).toBe(rows("No such tool"))
  })

  it("shows what a helper did last", () => {
    expect(running("Agent", { activities: ["Read a", "Read b", "Grep c", "Bash d"], tokens: 1_200, toolUses: 4 })).toBe(
      "⠋ Agent  Explore: look  4 calls · 1.2k tokens\n  │ Read b\n  │ Grep c\n  │ Bash d"
    )
  })

  it("shows how far a server's tool is", () => {
    expect(running("mcp__slack__send", { progress: 1, total: 4, message: "uploading" })).toContain(
      "  │ █████░░░░░░░░░░░░░░░ uploading"
    )
  })
})

describe("a renderer that fails", () => {
  it("leaves the words of its call", () => {
    const transcript = settledCall("Bash", { command: "ls" }, { content: "a\nb" })
    const renderer = rendererOf("Bash")
    const original = renderer.head
    Object.assign(renderer, {
      head: () => {
        throw new Error("broken")
      }
    })
    try {
      const [block] = blocksOf(transcript)
      const rows = block === undefined ? [] : layoutBlock(block, options())
      expect(rows.map(textOf)).toEqual(["● Bash  ls", "  │ a", "  │ b", "  │ (this call could not be drawn in its own way)"])
      expect(rows.at(-1)?.end).toBe(block?.source.length)
    } finally {
      Object.assign(renderer, { head: original })
    }
  })
})

describe("colours of output", () => {
  it("keeps what the program chose and yanks none of it", () => {
    const [block] = blocksOf(
      settledCall("Bash", { command: "ls" }, { content: "x", data: { stdout: "\u001b[31mred\u001b[0m\nplain", stderr: "" } })
    )
    expect(block?.source).toBe("ls\nred\nplain")
    const spans = block === undefined ? [] : layoutBlock(block, options()).flatMap((row) => row.spans)
    expect(spans.find((span) => span.text === "red")?.look.foreground).toBe(1)
  })
})

describe("one line about a call", () => {
  it.each([
    ["Bash", { command: "npm test\nls" }, "Bash npm test"],
    ["mcp__slack__send", {}, "slack send"],
    ["TodoWrite", { todos: [{ content: "Fix", status: "in_progress" }] }, "TodoWrite Fix"],
    ["Agent", { subagent_type: "Explore", description: "look" }, "Agent Explore: look"]
  ])("is plain for %s", (tool, input, text) => {
    const [block] = blocksOf(settledCall(tool, input, { content: "x" }))
    expect(block?.kind === "tool" ? plainCall(block) : "").toBe(text)
  })
})
