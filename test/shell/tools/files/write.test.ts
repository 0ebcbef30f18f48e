import fs from "node:fs"
import { describe, expect, it } from "vitest"
import { editExecutor } from "../../../../src/shell/tools/files/edit.ts"
import { readExecutor } from "../../../../src/shell/tools/files/read.ts"
import { writeExecutor } from "../../../../src/shell/tools/files/write.ts"
import { fileSession, type SessionOptions } from "../../../support/file-tools.ts"
import { freshDirectory, putFile } from "../../../support/temp-world.ts"

const world = (content?: string | Uint8Array, options: SessionOptions = {}) => {
  const root = freshDirectory()
  const file = `${root}/f.txt`
  if (content !== undefined) putFile(file, content)
  const session = fileSession(root, options)
  return {
    root,
    file,
    session,
    read: (input = {}) => session.run(readExecutor, { file_path: file, ...input }),
    write: (text: string) => session.run(writeExecutor, { file_path: file, content: text }),
    refusal: (text: string) => session.refusal(writeExecutor, { file_path: file, content: text })
  }
}

describe("Write", () => {
  it("creates a file without a read", async () => {
    const { write, file, session } = world()
    const output = await write("hello\r\n")
    expect(fs.readFileSync(file, "utf8")).toBe("hello\r\n")
    expect(output).toEqual({
      data: { type: "create", filePath: file, content: "hello\r\n", structuredPatch: [], originalFile: null },
      content: `Created ${file}.`
    })
    await session.run(editExecutor, { file_path: file, old_string: "hello", new_string: "bye" })
    expect(fs.readFileSync(file, "utf8")).toBe("bye\r\n")
  })

  it("replaces a file that was read whole", async () => {
    const { read, write, file } = world("a\nb\nc\n")
    await read()
    const output = await write("a\nB\nc\n")
    expect(output.data).toMatchObject({
      type: "update",
      originalFile: "a\nb\nc\n",
      structuredPatch: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [" a", "-b", "+B", " c"] }]
    })
    expect(output.content).toBe(`Wrote ${file}.\n1\ta\n2\tB\n3\tc`)
  })

  it("refuses an unread, a changed and a partly seen file, also under the relaxed policy", async () => {
    for (const policy of ["strict", "relaxed"] as const) {
      const { read, refusal, file } = world("a\nb\nc\n", { policy })
      expect(await refusal("new")).toMatch(/^UnreadFile: /)
      await read({ limit: 2 })
      expect(await refusal("new")).toMatch(/^PartialView: /)
      await read({ offset: 3 })
      expect(await refusal("a\nb\nc\n")).toBe("not refused")
      fs.writeFileSync(file, "other")
      expect(await refusal("new")).toMatch(/^StaleFile: /)
      expect(fs.readFileSync(file, "utf8")).toBe("other")
    }
  })

  it("does not touch a file that has the content already", async () => {
    const { read, write, file } = world("same\n")
    fs.utimesSync(file, 5, 5)
    await read()
    const output = await write("same\n")
    expect(output.content).toMatch(/^Unchanged: /)
    expect(output.data).toMatchObject({ type: "update", structuredPatch: [], originalFile: "same\n" })
    expect(fs.statSync(file).mtimeMs).toBe(5_000)
  })

  it("keeps UTF-16 and writes everything else as given", async () => {
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("old", "utf16le")])
    const utf16 = world(wide)
    await utf16.read()
    await utf16.write("neu ü")
    const expected = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("neu ü", "utf16le")])
    expect(fs.readFileSync(utf16.file)).toEqual(expected)
    const latin = world(Buffer.from([0x61, 0xe9]))
    await latin.read()
    await latin.write("é€")
    expect(fs.readFileSync(latin.file, "utf8")).toBe("é€")
  })

  it("refuses directories and paths that cannot be meant", async () => {
    const { root, session } = world()
    expect(await session.refusal(writeExecutor, { file_path: root, content: "" })).toMatch(/^IsDirectory: /)
    expect(await session.refusal(writeExecutor, { file_path: "~/x", content: "" })).toMatch(/^InvalidPath: /)
    expect(await session.refusal(writeExecutor, { file_path: `${root}/x `, content: "" })).toMatch(/^InvalidPath: /)
  })
})
