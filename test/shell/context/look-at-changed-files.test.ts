import fs from "node:fs"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { layer as nodeFiles } from "../../../src/adapters/files/node.ts"
import { layer as git } from "../../../src/adapters/git/node.ts"
import { layer as shellParser } from "../../../src/adapters/shell-parser/layer.ts"
import { makeContext } from "../../../src/core/permission/configuration/make-context.ts"
import { lookAtChangedFiles } from "../../../src/shell/context/look-at-changed-files.ts"
import { FileState } from "../../../src/shell/tools/services/file-state.ts"
import { editExecutor } from "../../../src/shell/tools/files/edit.ts"
import { readExecutor } from "../../../src/shell/tools/files/read.ts"
import { writeExecutor } from "../../../src/shell/tools/files/write.ts"
import { fileSession } from "../../support/file-tools.ts"
import { freshDirectory, putFile, putLink } from "../../support/temp-world.ts"

const world = () => {
  const root = freshDirectory()
  const work = `${root}/work`
  fs.mkdirSync(work)
  const session = fileSession(work)
  const place = (path: string) => ({ path, realPath: path })
  const { context: permission } = makeContext({ cwd: place(work), home: place(root), canPrompt: true })
  const services = Layer.mergeAll(nodeFiles, git, shellParser, Layer.succeed(FileState, session.state))
  const file = `${work}/a.txt`
  return {
    root,
    file,
    session,
    write: (content: string) => session.run(writeExecutor, { file_path: file, content }),
    edit: (old_string: string, new_string: string) => session.run(editExecutor, { file_path: file, old_string, new_string }),
    read: () => session.run(readExecutor, { file_path: file }),
    /** Somebody else writes the file; the clock of the disk may be coarse, so the time is set. */
    change: (content: string) => {
      putFile(file, content)
      fs.utimesSync(file, 1_000_000, 1_000_000 + content.length)
    },
    look: () => Effect.runPromise(Effect.provide(lookAtChangedFiles({ permission, cwd: work }), services))
  }
}

const lines = (count: number, name = "line"): string =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}\n`).join("")

describe("files that somebody else changed", () => {
  it("are told with the changed lines and their numbers, once somebody of ours wrote them", async () => {
    const { write, change, look, file } = world()
    await write(lines(20))
    expect(await look()).toEqual([])
    change(lines(20).replace("line 5\n", "line five\nanother\n").replace("line 18\n", ""))
    const [item] = await look()
    expect(item).toMatchObject({ id: file, value: { path: file } })
    const window = [
      "2\tline 2",
      "3\tline 3",
      "4\tline 4",
      "5\tline five",
      "6\tanother",
      "7\tline 6",
      "8\tline 7",
      "9\tline 8"
    ]
    const end = ["16\tline 15", "17\tline 16", "18\tline 17", "19\tline 19", "20\tline 20"]
    expect(item?.value.snippet).toBe([...window, "...", ...end].join("\n"))
  })

  it("are no news when they hold the same, or were only read", async () => {
    const { write, change, look, file, session } = world()
    await write("one\n")
    change("one\n")
    expect(await look()).toEqual([])
    const other = file.replace("a.txt", "b.txt")
    putFile(other, "two\n")
    await session.run(readExecutor, { file_path: other })
    putFile(other, "three\n")
    expect(await look()).toEqual([])
  })

  it("stay ours when they are read again", async () => {
    const { write, read, change, look } = world()
    await write("one\n")
    change("two\n")
    await read()
    expect(await look()).toEqual([])
    change("three\n")
    expect((await look())[0]?.value.snippet).toBe("1\tthree")
  })

  it("are told without their lines when these are too many", async () => {
    const { write, change, look } = world()
    await write(lines(2_000))
    change(lines(2_000, "changed line"))
    const [item] = await look()
    expect(item?.value).not.toHaveProperty("snippet")
    expect(await look()).toEqual([item])
  })

  it("are told once for each change, and may be edited there", async () => {
    const { write, edit, change, look } = world()
    await write("one\nmore\n")
    change("two\nmore\n")
    const [first] = await look()
    expect(await look()).toEqual([])
    expect((await edit("two", "three")).content).toContain("Edited")
    change("two\nmore\n")
    const [second] = await look()
    expect(second?.value.snippet).toBe("1\ttwo\n2\tmore")
    expect(second?.value).not.toEqual(first?.value)
  })

  it("show nothing of another place when a link takes their place", async () => {
    const { write, look, file, root } = world()
    await write("one\n")
    putFile(`${root}/.ssh/id_rsa`, "secret\n")
    fs.rmSync(file)
    putLink(file, `${root}/.ssh/id_rsa`)
    expect(await look()).toEqual([])
  })
})
