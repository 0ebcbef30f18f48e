import { describe, expect, it } from "vitest"
import { applyEmission } from "../../../../src/tui/transcript/entries/project.ts"
import {
  activities,
  changedFiles,
  focusEntries,
  todosOf,
  touchedFiles,
  turnsOf
} from "../../../../src/tui/transcript/entries/select.ts"
import { added, called, drawn, played, returned, said, started, wrote } from "../sample.ts"
import { append, emptyTranscript } from "../../../../src/tui/transcript/state.ts"

const patch = (lines: ReadonlyArray<string>) => [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }]

const edited = (id: string, path: string, lines: ReadonlyArray<string>) => [
  added(called(id, "Edit", { file_path: path })),
  started(id, "Edit"),
  added(returned(id, { content: "ok", data: { filePath: path, structuredPatch: patch(lines) } }))
]

const SESSION = played([
  added(said("p1", "fix @src/a.ts, please")),
  ...edited("e1", "/x/a.ts", ["-a", "+b"]),
  ...edited("e2", "/x/a.ts", ["+c"]),
  added(called("r1", "Read", { file_path: "/x/b.ts" })),
  added(returned("r1", { content: "x" })),
  added(wrote("a1", "First done.")),
  added(said("p2", "more")),
  ...edited("e3", "/x/c.ts", ["-z"]),
  added(called("t1", "TodoWrite", { todos: [{ content: "Tell", status: "pending", activeForm: "Telling" }] })),
  added(returned("t1", { content: "ok" })),
  added(called("b1", "Bash", { command: "npm test" })),
  started("b1", "Bash"),
  added(wrote("a2", "Second done."))
])

describe("what panes ask", () => {
  it("lists running and recent calls, newest last", () => {
    expect(activities(SESSION, 3).map(({ text, state }) => [text, state])).toEqual([
      ["Edit /x/c.ts", "ok"],
      ["TodoWrite 1 todos", "ok"],
      ["Bash npm test", "running"]
    ])
  })

  it("never crowds out a running call", () => {
    expect(activities(SESSION, 0).map(({ callId }) => callId)).toEqual(["b1"])
  })

  it("sums up changes by turn and session", () => {
    const counts = (files: ReturnType<typeof changedFiles>) =>
      files.map(({ path, added: more, removed, changes }) => [path, more, removed, changes.length])
    const [first, second] = turnsOf(SESSION)
    expect(counts(changedFiles(SESSION))).toEqual([
      ["/x/a.ts", 2, 1, 2],
      ["/x/c.ts", 0, 1, 1]
    ])
    expect(counts(changedFiles(SESSION, first))).toEqual([["/x/a.ts", 2, 1, 2]])
    expect(counts(changedFiles(SESSION, second))).toEqual([["/x/c.ts", 0, 1, 1]])
  })

  it("knows the turns", () => {
    expect(turnsOf(SESSION).map(({ prompt, start, end }) => [prompt, start, end])).toEqual([
      ["fix @src/a.ts, please", 0, 5],
      ["more", 5, 10]
    ])
  })

  it("begins no turn with a shell line of the user", () => {
    const shell = played([added(said("p1", "hello")), added(said("p2", "<bash-input>ls</bash-input>"))])
    expect(turnsOf(shell).map(({ prompt, end }) => [prompt, end])).toEqual([["hello", 2]])
  })

  it("lists the files that were touched", () => {
    expect(
      touchedFiles(SESSION).map(({ path, reads, writes, mentions, turnsAgo }) => [path, reads, writes, mentions, turnsAgo])
    ).toEqual([
      ["src/a.ts", 0, 0, 1, 1],
      ["/x/a.ts", 0, 2, 0, 1],
      ["/x/b.ts", 1, 0, 0, 1],
      ["/x/c.ts", 0, 1, 0, 0]
    ])
  })

  it("holds the todo list until it is done", () => {
    expect(todosOf(SESSION).map(({ content }) => content)).toEqual(["Tell"])
    const done = played(
      [
        added(called("t2", "TodoWrite", { todos: [{ content: "Tell", status: "completed", activeForm: "T" }] })),
        added(returned("t2", { content: "ok" }))
      ],
      SESSION
    )
    expect(todosOf(done)).toEqual([])
  })

  it("shows the last prompt, a sum and the last words in focus", () => {
    const focused = focusEntries(SESSION).reduce(append, emptyTranscript)
    expect(drawn(focused, { view: "focus" })).toBe("▌ more\n\n· 3 calls, 1 file changed (+0 −1)\n\nSecond done.")
  })

  it("answers after a change as if it had never been asked before", () => {
    const before = changedFiles(SESSION)
    const after = applyEmission(SESSION, added(returned("b1", { content: "x" })), 0)
    expect(changedFiles(after)).toEqual(before)
    expect(activities(after, 1)[0]?.state).toBe("ok")
  })
})
