import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer as filesLayer } from "../../../../../src/adapters/files/node.ts"
import { previewChange } from "../../../../../src/shell/interactive/commands/questions/call-preview.ts"
import { atDesk, type Desk, isTold } from "../../desk.ts"

const preview = ({ cwd }: Desk, tool: string, input: unknown) =>
  Effect.runPromise(Effect.provide(previewChange(tool, input, cwd), filesLayer))

const file = (desk: Desk, name: string, content: string | Uint8Array): string => {
  const path = join(desk.cwd, name)
  writeFileSync(path, content)
  return path
}

describe("what a call would change", () => {
  it(
    "of an edit is the whole file before and after, and nothing is written",
    atDesk(async (desk) => {
      const path = file(desk, "a.txt", "one\r\ntwo\r\nthree\r\n")
      expect(await preview(desk, "Edit", { file_path: path, old_string: "one\ntwo", new_string: "1\n2" })).toEqual({
        path,
        state: "M",
        before: "one\ntwo\nthree\n",
        after: "1\n2\nthree\n"
      })
      expect(readFileSync(path, "utf8")).toBe("one\r\ntwo\r\nthree\r\n")
    })
  )

  it(
    "of an edit that would be refused is nothing",
    atDesk(async (desk) => {
      const path = file(desk, "a.txt", "x x\n")
      const edit = { file_path: path, old_string: "x", new_string: "y" }
      expect(await preview(desk, "Edit", edit)).toBeUndefined()
      expect(await preview(desk, "Edit", { ...edit, replace_all: true })).toMatchObject({ after: "y y\n" })
      expect(await preview(desk, "Edit", { ...edit, old_string: "z" })).toBeUndefined()
      expect(await preview(desk, "Edit", { ...edit, old_string: "" })).toBeUndefined()
      expect(await preview(desk, "Edit", { file_path: path })).toBeUndefined()
      expect(await preview(desk, "constructor", edit)).toBeUndefined()
    })
  )

  it(
    "of a write is the new file, with the old one where there is one",
    atDesk(async (desk) => {
      const path = file(desk, "old.txt", "old\n")
      expect(await preview(desk, "Write", { file_path: path, content: "new\n" })).toMatchObject({
        state: "M",
        before: "old\n",
        after: "new\n"
      })
      expect(await preview(desk, "Write", { file_path: "fresh.txt", content: "new\n" })).toEqual({
        path: join(desk.cwd, "fresh.txt"),
        state: "A",
        before: undefined,
        after: "new\n"
      })
      const binary = file(desk, "b.bin", Buffer.from([0, 1]))
      expect(await preview(desk, "Write", { file_path: binary, content: "text" })).toBeUndefined()
      expect(await preview(desk, "Write", { file_path: desk.cwd, content: "text" })).toBeUndefined()
    })
  )

  it(
    "of a notebook is its text with the cell changed",
    atDesk(async (desk) => {
      const notebook = {
        cells: [{ cell_type: "code", id: "c1", source: ["1"], outputs: [], execution_count: 1, metadata: {} }],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5
      }
      const path = file(desk, "n.ipynb", JSON.stringify(notebook, null, 1))
      const changed = await preview(desk, "NotebookEdit", { notebook_path: path, cell_id: "c1", new_source: "2 + 2" })
      expect(changed?.after).toContain("2 + 2")
      expect(changed?.before).not.toContain("2 + 2")
    })
  )

  it(
    "is told to the session that asks",
    atDesk(async (desk) => {
      const input = { file_path: "fresh.txt", content: "new" }
      desk.performer.perform({ _tag: "PreviewCall", session: "s", callId: "c", tool: "Bash", input: { command: "ls" } })
      desk.performer.perform({ _tag: "PreviewCall", session: "s", callId: "d", tool: "Write", input })
      expect(await desk.until(isTold("Session"))).toMatchObject({ session: "s", news: { _tag: "Previewed", callId: "d" } })
    })
  )
})
