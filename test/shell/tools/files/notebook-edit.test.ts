import fs from "node:fs"
import { describe, expect, it } from "vitest"
import { notebookEditExecutor } from "../../../../src/shell/tools/files/notebook-edit.ts"
import { readExecutor } from "../../../../src/shell/tools/files/read.ts"
import { fileSession } from "../../../support/file-tools.ts"
import { freshDirectory, putFile } from "../../../support/temp-world.ts"

const notebook = JSON.stringify(
  {
    cells: [{ cell_type: "code", execution_count: 1, id: "one", metadata: {}, outputs: [], source: ["a = 1\n", "a"] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5
  },
  null,
  2
)

const world = () => {
  const root = freshDirectory()
  const file = `${root}/n.ipynb`
  putFile(file, `${notebook}\n`)
  const session = fileSession(root)
  return { root, file, session, read: () => session.run(readExecutor, { file_path: file }) }
}

describe("NotebookEdit", () => {
  it("replaces a cell of a notebook that was read, twice in a row", async () => {
    const { file, session, read } = world()
    const input = { notebook_path: file, cell_id: "one", new_source: "b = 2\n" }
    expect(await session.refusal(notebookEditExecutor, input)).toMatch(/^UnreadFile: /)
    await read()
    const output = await session.run(notebookEditExecutor, input)
    const after = fs.readFileSync(file, "utf8")
    const expected = notebook
      .replace('"a = 1\\n",\n        "a"', '"b = 2\\n"')
      .replace('"execution_count": 1', '"execution_count": null')
    expect(after).toBe(`${expected}\n`)
    expect(output.data).toEqual({
      new_source: "b = 2\n",
      old_source: "a = 1\na",
      cell_id: "one",
      cell_type: "code",
      language: "python",
      edit_mode: "replace",
      notebook_path: file,
      original_file: `${notebook}\n`,
      updated_file: after
    })
    expect(output.content).toBe(`Replaced cell one (code) in ${file}.`)
    await session.run(notebookEditExecutor, { ...input, new_source: "", edit_mode: "delete" })
    expect((JSON.parse(fs.readFileSync(file, "utf8")) as { cells: unknown }).cells).toEqual([])
  })

  it("inserts a cell with an id of its own", async () => {
    const { file, session, read } = world()
    await read()
    const output = await session.run(notebookEditExecutor, {
      notebook_path: file,
      cell_id: "one",
      new_source: "# note",
      cell_type: "markdown",
      edit_mode: "insert"
    })
    const { cells } = JSON.parse(fs.readFileSync(file, "utf8")) as { cells: ReadonlyArray<{ id: string }> }
    expect(cells).toHaveLength(2)
    expect(cells[1]?.id).toMatch(/^[0-9a-f]{8}$/)
    expect(output.data).toMatchObject({ cell_id: cells[1]?.id, cell_type: "markdown", edit_mode: "insert" })
  })

  it("refuses a changed file and an unknown cell", async () => {
    const { file, session, read } = world()
    await read()
    const input = { notebook_path: file, cell_id: "two", new_source: "" }
    expect(await session.refusal(notebookEditExecutor, input)).toMatch(/^CellNotFound: .*one/)
    fs.appendFileSync(file, " ")
    expect(await session.refusal(notebookEditExecutor, { ...input, cell_id: "one" })).toMatch(/^StaleFile: /)
    const missing = { ...input, notebook_path: `${file}x.ipynb` }
    expect(await session.refusal(notebookEditExecutor, missing)).toMatch(/^FileNotFound: /)
  })
})
