import { describe, expect, it } from "vitest"
import { applyShellRun, type ShellRun, withoutShellRun } from "../../../../src/tui/transcript/entries/shell-run.ts"
import { append, emptyTranscript, type Transcript } from "../../../../src/tui/transcript/state.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"

const run = (more: Partial<ShellRun>): ShellRun => ({ id: "1", command: "ls", output: "", state: "running", ...more })

const shown = ({ entries }: Transcript) =>
  [...Vector.iterate(entries, 0)].map(({ blocks }) =>
    blocks.map(({ kind, source, revision }) => ({ kind, source, revision }))
  )

describe("a command of the user on the screen", () => {
  it("grows in its place, while other entries come", () => {
    const begun = applyShellRun(emptyTranscript, run({}))
    const other = append(begun, {
      id: "x",
      kind: "system",
      blocks: [{ id: "x", kind: "notice", revision: 1, source: "x", level: "info" }]
    })
    const grown = applyShellRun(other, run({ output: "\u001B[31ma.txt\u001B[0m\n", state: "ok" }))
    expect(shown(grown)).toEqual([
      [
        { kind: "user", source: "ls", revision: 1 },
        { kind: "notice", source: "a.txt", revision: 2 }
      ],
      [{ kind: "notice", source: "x", revision: 1 }]
    ])
  })

  it("goes when the conversation holds it, and an unknown one changes nothing", () => {
    const begun = applyShellRun(emptyTranscript, run({}))
    expect(shown(withoutShellRun(begun, "1"))).toEqual([])
    expect(withoutShellRun(begun, "2")).toBe(begun)
  })
})
