import type { Size } from "../../../src/tui/screen/layout/size-class.ts"
import { returned, textBlock } from "../../core/loop/response-plan.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { SESSION, type TuiWorld } from "../../support/tui-world.ts"
import type { Script } from "../../core/loop/script.ts"

/** The five states in which the interface is looked at, reached by events and keys like in life. */

export const REFERENCE_SIZES: ReadonlyArray<Size> = [
  { columns: 200, rows: 60 },
  { columns: 160, rows: 45 },
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
  { columns: 40, rows: 12 }
]

const ANSWER = `The parser drops the last line when the file has no newline at its end. Two places are involved:

1. \`readLines\` splits at newlines and forgets the rest
2. \`countLines\` counts newlines instead of lines

| function | input | expected | got |
| --- | --- | --- | --- |
| readLines | \`"a\\nb"\` | 2 | 1 |
| countLines | \`""\` | 0 | 1 |

\`\`\`ts
export const readLines = (text: string): ReadonlyArray<string> =>
  text === "" ? [] : text.replace(/\\n$/, "").split("\\n")
\`\`\`

I will fix **readLines** first.`

const BEFORE = `const readLines = (text) => {
  const lines = text.split("\\n")
  lines.pop()
  return lines
}

module.exports = { readLines }
`

const AFTER = BEFORE.replace("  lines.pop()\n", '  if (lines.at(-1) === "") lines.pop()\n')

const READ = { id: "call_read", name: "Read", input: { file_path: "/project/src/lines.js" } }
const TEST = { id: "call_test", name: "Grep", input: { pattern: "readLines", path: "/project/src" } }
const TODOS = {
  id: "call_todo",
  name: "TodoWrite",
  input: {
    todos: [
      { content: "Find the lost line", status: "completed", activeForm: "Finding the lost line" },
      { content: "Fix readLines", status: "in_progress", activeForm: "Fixing readLines" },
      { content: "Run the tests", status: "pending", activeForm: "Running the tests" }
    ]
  }
}
const EDIT = {
  id: "call_edit",
  name: "Edit",
  input: {
    file_path: "/project/src/lines.js",
    old_string: "  lines.pop()",
    new_string: '  if (lines.at(-1) === "") lines.pop()'
  }
}

/** A turn that read, searched, planned and answered. */
const firstTurn = (script: Script): void => {
  script.begin("why does the parser lose the last line of my file?")
  const think = "The user lost a line. Look at how lines are split."
  script.respond({ think, text: "Let me look at the code.", calls: [READ, TEST, TODOS] })
  const results = [
    [
      READ.id,
      BEFORE.trimEnd()
        .split("\n")
        .map((line, index) => `${index + 1}\t${line}`)
        .join("\n")
    ],
    [TEST.id, "src/lines.js:1:const readLines = (text) => {\nsrc/lines.js:7:module.exports = { readLines }"],
    [TODOS.id, "ok"]
  ] as const
  for (const [id, content] of results) {
    script.prepare(id)
    script.settle(id, returned(content))
  }
  script.respond({ text: ANSWER, usage: { input_tokens: 12_400, cache_read_input_tokens: 11_000 } })
}

const start = (world: TuiWorld): void => void world.open()

const UNFINISHED =
  "A file is a row of characters. A **line** ends where a newline stands, and the text after the last newline " +
  "is a line too, unless it is"

const streaming = (world: TuiWorld): void => {
  const script = world.open()
  firstTurn(script)
  script.begin("now explain it to a newcomer")
  script.startResponse()
  script.say(...textBlock(0, UNFINISHED).slice(0, 2))
  world.wait(3_000)
}

const permission = (world: TuiWorld): void => {
  const script = world.open()
  firstTurn(script)
  script.begin("fix it")
  script.respond({ text: "This keeps the last line.", calls: [EDIT] })
  script.prepare(EDIT.id)
  const file = { path: "/project/src/lines.js", state: "M" as const, before: BEFORE, after: AFTER }
  world.tell({ _tag: "Session", session: world.model.current, news: { _tag: "Previewed", callId: EDIT.id, file } })
  world.wait(1_000)
}

const LONG_BEFORE = Array.from({ length: 80 }, (_, line) => `const value${line} = compute(${line})\n`).join("")
const LONG_AFTER = LONG_BEFORE.split("\n")
  .map((line, index) => (index >= 10 && index < 40 ? line.replace("compute(", "map(umlauts, ") : line))
  .join("\n")

/** A change of sixty lines, after a sentence that explains it. */
const longChange = (world: TuiWorld): void => {
  const script = world.open()
  firstTurn(script)
  script.begin("map the umlauts")
  const input = { file_path: "/project/src/slug.ts", old_string: LONG_BEFORE, new_string: LONG_AFTER }
  const text =
    "The filter drops umlauts before they are mapped. I map them first, so the thirty values go through the table."
  script.respond({ text, calls: [{ id: "call_long", name: "Edit", input }] })
  script.prepare("call_long")
  const file = { path: "/project/src/slug.ts", state: "M" as const, before: LONG_BEFORE, after: LONG_AFTER }
  world.tell({ _tag: "Session", session: world.model.current, news: { _tag: "Previewed", callId: "call_long", file } })
  world.wait(1_000)
}

/** A command with parts in a directory that is not the root of the project. */
const command = (world: TuiWorld): void => {
  const script = world.open(SESSION, { permission: permissions({ allow: ["Bash(make *)"] }) })
  script.begin("clean up")
  script.respond({ calls: [{ id: "call_make", name: "Bash", input: { command: "make clean" } }] })
  script.prepare("call_make")
  script.settle("call_make", returned("", { cwd: "/project/src" }))
  const call = { command: "git status && rm -rf ../build-cache && curl -s https://get.example/i.sh", description: "Clean" }
  script.respond({ text: "The cache is stale, so it goes.", calls: [{ id: "call_bash", name: "Bash", input: call }] })
  script.prepare("call_bash")
  world.wait(1_000)
}

/** The first of two questions, half answered. */
const question = (world: TuiWorld): void => {
  const script = world.open()
  script.begin("set up the tests")
  const options = [
    { label: "sqlite", description: "in memory, no server" },
    { label: "postgres", description: "as in production, needs docker" }
  ]
  const questions = [
    { question: "Which database should the tests use?", header: "Database", options },
    {
      question: "What else?",
      header: "Extras",
      multiSelect: true,
      options: [{ label: "lint", description: "" }, ...options]
    }
  ]
  script.respond({ text: "One thing I do not know.", calls: [{ id: "q", name: "AskUserQuestion", input: { questions } }] })
  script.prepare("q")
  world.wait(1_000)
  world.keys("3my", 400)
}

const WIDE = "漢字 and emoji 🚀 in a line that is long enough to be wrapped on a narrow screen, and once more at its end"
const LONG_PROMPT = Array.from(
  { length: 40 },
  (_, index) => `${index + 1}. ${index % 4 === 3 ? WIDE : "a line of a long prompt"}`
).join("\n")

const longPrompt = (world: TuiWorld): void => {
  firstTurn(world.open())
  world.tell({ _tag: "InsertText", session: world.model.current, text: LONG_PROMPT })
}

/** A window that is nearly full, and what fills it. */
const context = (world: TuiWorld): void => {
  const script = world.open()
  firstTurn(script)
  script.begin("read all of it")
  script.respond({ text: "Reading.", calls: [{ ...READ, id: "call_again", input: { file_path: "/project/src/all.js" } }] })
  script.prepare("call_again")
  script.settle("call_again", returned(BEFORE.repeat(400)))
  script.respond({ text: "That was long.", usage: { input_tokens: 152_400, cache_read_input_tokens: 1_000 } })
  world.wait(5_000)
  world.keys("/context<CR>")
  world.keys("/results<CR><CR>", 200)
}

const help = (world: TuiWorld): void => {
  world.open()
  world.keys("<F1>")
}

export const SCENES: Readonly<Record<string, (world: TuiWorld) => void>> = {
  start,
  streaming,
  permission,
  "long-change": longChange,
  command,
  question,
  "long-prompt": longPrompt,
  context,
  help
}
