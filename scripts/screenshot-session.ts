import { returned } from "../test/core/loop/response-plan.ts"
import { permissions } from "../test/support/loop-fixture.ts"
import { CAPS, TuiWorld } from "../test/support/tui-world.ts"
import type { Screen } from "../src/tui/terminal/render/screen.ts"

/** The session of docs/screenshot.svg: played through the real loop and the real interface. */
const FILE = "/project/src/parse.ts"

const hunk = {
  oldStart: 12,
  oldLines: 6,
  newStart: 12,
  newLines: 6,
  lines: [
    " export const parse = (text: string): Row[] => {",
    "   const rows: Row[] = []",
    '-  for (const line of text.split("\\n")) {',
    "-    rows.push(readRow(line.trim()))",
    "+  for (const line of linesOf(text)) {",
    "+    rows.push(readRow(line))",
    "   }",
    "   return rows"
  ]
}

const todo = (content: string, status: "completed" | "in_progress" | "pending", activeForm = content) => ({
  content,
  status,
  activeForm
})

const TODOS = {
  todos: [
    todo("Find where the time goes", "completed"),
    todo("Read lines without copies", "completed"),
    todo("Run the tests", "in_progress", "Running the tests")
  ]
}

const ANSWER = `The parser **no longer copies** the text before it reads it:

- \`linesOf\` yields one line at a time, already without the blank ends
- \`parse\` keeps its signature, so callers do not change

\`\`\`ts
for (const row of parse(text)) console.log(row.name)
\`\`\`

All 42 tests pass. Shall I write a benchmark too?`

export const screenshotScreen = (): Screen => {
  const world = new TuiWorld({ size: { columns: 120, rows: 40 }, caps: { ...CAPS, colourDepth: "24bit" } })
  const script = world.open(undefined, { permission: permissions({ mode: "acceptEdits", allow: ["Bash(npm test)"] }) })
  script.begin("parse() is slow on large files. Find out why and make it fast.")
  script.respond({ calls: [{ id: "read", name: "Read", input: { file_path: FILE } }] })
  script.prepare("read")
  script.settle(
    "read",
    returned('1\timport type { Row } from "./row.ts"\n', {
      data: { type: "text", file: { filePath: FILE, numLines: 31, totalLines: 31 } }
    })
  )
  script.respond({
    text: "`split` copies the whole text and `trim` copies every line. One pass is enough.",
    calls: [
      { id: "edit", name: "Edit", input: { file_path: FILE, old_string: "a", new_string: "b" } },
      { id: "todos", name: "TodoWrite", input: TODOS }
    ]
  })
  script.prepare("edit")
  script.settle("edit", returned("The file was changed.", { data: { filePath: FILE, structuredPatch: [hunk] } }))
  script.prepare("todos")
  script.settle("todos", returned("The list was changed.", { data: { oldTodos: [], newTodos: TODOS.todos } }))
  script.respond({ calls: [{ id: "test", name: "Bash", input: { command: "npm test", description: "Run the tests" } }] })
  script.prepare("test")
  script.settle(
    "test",
    returned("42 passed (1.2 s)", { data: { stdout: "42 passed (1.2 s)", stderr: "", interrupted: false } })
  )
  script.now += 38_000
  script.respond({ text: ANSWER, usage: { input_tokens: 18_400, output_tokens: 612 } })
  world.keys("yes, and run it")
  world.wait(1_000)
  return world.screen()
}
