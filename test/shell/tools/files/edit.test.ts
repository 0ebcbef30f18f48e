import fs from "node:fs"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { editExecutor } from "../../../../src/shell/tools/files/edit.ts"
import type { ToolOutput } from "../../../../src/shell/tools/contract/executor.ts"
import type { Hunk } from "../../../../src/shell/tools/files/change-hunks.ts"
import { readExecutor } from "../../../../src/shell/tools/files/read.ts"
import { writeExecutor } from "../../../../src/shell/tools/files/write.ts"
import { fileSession, type SessionOptions } from "../../../support/file-tools.ts"
import { MemoryFiles } from "../../../support/memory-files.ts"
import { freshDirectory, putFile } from "../../../support/temp-world.ts"

const world = (content: string | Uint8Array, options: SessionOptions = {}) => {
  const root = freshDirectory()
  const file = `${root}/f.txt`
  putFile(file, content)
  const session = fileSession(root, options)
  const change = (old_string: string, new_string: string, more: object) => ({
    file_path: file,
    old_string,
    new_string,
    ...more
  })
  return {
    root,
    file,
    session,
    read: (input = {}) => session.run(readExecutor, { file_path: file, ...input }),
    edit: (old: string, fresh: string, more = {}) => session.run(editExecutor, change(old, fresh, more)),
    refusal: (old: string, fresh: string, more = {}) => session.refusal(editExecutor, change(old, fresh, more)),
    text: () => fs.readFileSync(file, "utf8")
  }
}

const hunksOf = (output: ToolOutput): ReadonlyArray<Hunk> =>
  (output.data as { structuredPatch: ReadonlyArray<Hunk> }).structuredPatch

describe("Edit", () => {
  it("replaces text and reports what transcripts hold", async () => {
    const { read, edit, file, text } = world("one\ntwo\nthree\n")
    await read()
    const output = await edit("two", "2\n2.5")
    expect(text()).toBe("one\n2\n2.5\nthree\n")
    expect(output.data).toEqual({
      filePath: file,
      oldString: "two",
      newString: "2\n2.5",
      originalFile: "one\ntwo\nthree\n",
      structuredPatch: [
        { oldStart: 1, oldLines: 3, newStart: 1, newLines: 4, lines: [" one", "-two", "+2", "+2.5", " three"] }
      ],
      userModified: false,
      replaceAll: false
    })
    expect(output.content).toBe(`Edited ${file}: 1 occurrence replaced.\n1\tone\n2\t2\n3\t2.5\n4\tthree`)
  })

  it("applies to a file that changed since it was read when its text is as it was, and says so", async () => {
    const { read, edit, file, text } = world("a = 1\nb = 1\n")
    await read()
    fs.writeFileSync(file, "a = 1\nb = 2\n")
    const output = await edit("a = 1", "a = 2")
    expect(text()).toBe("a = 2\nb = 2\n")
    expect(output.content).toContain("was changed by somebody else")
  })

  it("refuses text that was changed, that nobody saw or that is there twice now, until it is read again", async () => {
    const { read, edit, refusal, file, text } = world("a = 1\n")
    await read()
    fs.writeFileSync(file, "a = 3 # edited elsewhere\n")
    expect(await refusal("a = 1", "a = 2")).toMatch(/^StaleFile: /)
    expect(await refusal("a = 3", "a = 2")).toMatch(/^StaleFile: /)
    fs.writeFileSync(file, "a = 1\na = 1\n")
    expect(await refusal("a = 1", "a = 2")).toMatch(/^AmbiguousMatch: /)
    expect(text()).toBe("a = 1\na = 1\n")
    fs.writeFileSync(file, "a = 3 # edited elsewhere\n")
    await read()
    await edit("a = 3", "a = 2")
    expect(text()).toBe("a = 2 # edited elsewhere\n")
  })

  it("does not mind a new time with the same content", async () => {
    const { read, edit, file, text } = world("x\n")
    await read()
    fs.utimesSync(file, 99, 99)
    await edit("x", "y")
    expect(text()).toBe("y\n")
  })

  it("of three occurrences names the lines; with replace_all three hunks change", async () => {
    const gap = "-\n".repeat(20)
    const { read, edit, refusal } = world(`old\n${gap}old\n${gap}old\n`)
    await read()
    expect(await refusal("old", "new")).toMatch(/3 times.*lines 1, 22, 43/)
    const output = await edit("old", "new", { replace_all: true })
    expect(hunksOf(output).map((hunk) => hunk.oldStart)).toEqual([1, 19, 40])
    expect(output.content).toContain("3 occurrences replaced")
  })

  it("goes on from its own result without a new read", async () => {
    const { read, edit, text } = world("a b c\n")
    await read()
    await edit("a", "1")
    await edit("b", "2")
    expect(text()).toBe("1 2 c\n")
  })

  it("never looks into a file that was not read", async () => {
    const { refusal, text } = world("secret\n")
    expect(await refusal("secret", "x")).toMatch(/^UnreadFile: /)
    expect(await refusal("secre", "x")).not.toContain("1\t")
    expect(text()).toBe("secret\n")
  })

  it("after a partial view changes what was shown and follows it through edits", async () => {
    const { read, edit, refusal } = world(Array.from({ length: 50 }, (_, index) => `line ${index + 1}\n`).join(""))
    await read({ offset: 10, limit: 5 })
    expect(await refusal("line 40\n", "x\n")).toMatch(/^PartialView: /)
    await edit("line 10\n", "a\nb\nc\n")
    await edit("line 14\n", "d\n")
    expect(await refusal("line 15\n", "x\n")).toMatch(/^PartialView: /)
  })

  it("creates a file, fills an empty one, and refuses to overwrite one", async () => {
    const { root, session, read, refusal } = world("content\n")
    await read()
    const fresh = { file_path: `${root}/deep/er/new.txt`, old_string: "", new_string: "hello\n" }
    const output = await session.run(editExecutor, fresh)
    expect(fs.readFileSync(fresh.file_path, "utf8")).toBe("hello\n")
    expect(output.content).toBe(`Created ${fresh.file_path}.`)
    putFile(`${root}/empty`, "")
    await session.run(editExecutor, { ...fresh, file_path: `${root}/empty` })
    expect(fs.readFileSync(`${root}/empty`, "utf8")).toBe("hello\n")
    expect(await refusal("", "x")).toMatch(/^FileExists: /)
    const missing = { ...fresh, file_path: `${root}/f2.txt`, old_string: "x" }
    expect(await session.refusal(editExecutor, missing)).toMatch(/^FileNotFound: .*f\.txt/)
  })

  it("keeps line ends, mark, mode and the name behind a link", async () => {
    const { root, session, file, text } = world("\ufeffa\r\nb\r\n")
    fs.chmodSync(file, 0o751)
    fs.symlinkSync("f.txt", `${root}/door`)
    await session.run(readExecutor, { file_path: `${root}/door` })
    await session.run(editExecutor, { file_path: `${root}/door`, old_string: "a\nb", new_string: "1\n2\n3" })
    expect(text()).toBe("\ufeff1\r\n2\r\n3\r\n")
    expect(fs.statSync(file).mode & 0o777).toBe(0o751)
    expect(fs.readlinkSync(`${root}/door`)).toBe("f.txt")
  })

  it("leaves large originals out of the record", async () => {
    const { read, edit } = world(`first\n${"filler line\n".repeat(30_000)}`)
    await read({ limit: 3 })
    expect((await edit("first", "changed")).data).toMatchObject({ originalFile: null })
  })

  it("under the relaxed policy tells the model about changes it has not seen", async () => {
    const { read, edit, file, text } = world("a\nb\n", { policy: "relaxed" })
    await read()
    fs.appendFileSync(file, "c\n")
    const output = await edit("a", "1")
    expect(output.content).toContain("was changed by somebody else")
    expect(text()).toBe("1\nb\nc\n")
  })

  it("leaves file and knowledge alone when the disk is full", async () => {
    const memory = new MemoryFiles()
    memory.put("/w/f", "old\n")
    const session = fileSession("/w", { files: memory.layer })
    await session.run(readExecutor, { file_path: "/w/f" })
    memory.failNextWrite("noSpace")
    const change = { file_path: "/w/f", old_string: "old", new_string: "new" }
    expect(await session.refusal(editExecutor, change)).toMatch(/^NoSpace: .*Nothing was written/)
    await session.run(editExecutor, change)
    expect(Buffer.from(memory.content("/w/f") ?? []).toString()).toBe("new\n")
  })
})

describe("Edit and Write beside other writers", () => {
  it("replace only what the model has seen, whatever the others do and when", async () => {
    const action = fc.constantFrom("read", "edit", "write", "outside", "outside during the next write")
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
        const memory = new MemoryFiles()
        const session = fileSession("/w", { files: memory.layer })
        const text = (): string => Buffer.from(memory.content("/w/f") ?? []).toString()
        let version = 0
        const outside = (): void => memory.put("/w/f", `key ${(version += 1)} by others\n`)
        outside()
        let seen: string | undefined
        for (const step of actions) {
          const before = text()
          if (step === "outside") outside()
          else if (step === "outside during the next write") memory.beforeCommit = outside
          else if (step === "read") {
            await session.run(readExecutor, { file_path: "/w/f" })
            seen = before
          } else {
            const interrupted = memory.beforeCommit
            memory.beforeCommit = () => {
              memory.beforeCommit = () => undefined
              interrupted()
            }
            const file_path = "/w/f"
            const refused =
              step === "edit"
                ? await session.refusal(editExecutor, { file_path, old_string: "key", new_string: "key key" })
                : await session.refusal(writeExecutor, { file_path, content: `all new ${(version += 1)} key\n` })
            if (refused === "not refused") {
              if (step === "write") expect(before).toBe(seen)
              else expect(text()).toBe(before.replace("key", "key key"))
              seen = before === seen ? text() : undefined
            } else expect(text().includes("others") || text() === before).toBe(true)
          }
        }
      }),
      { numRuns: 300 }
    )
  })
})

describe("Edit of a large file", () => {
  it("holds at most two copies of it", async () => {
    const size = 32 * 1024 * 1024
    const content = Buffer.alloc(size, "some text in a line\n")
    content.write("unique marker here\n", size / 2)
    const { session, read, file } = world(content)
    await read({ offset: Math.floor(size / 40) - 2, limit: 5 })
    const used = (): number => process.memoryUsage().arrayBuffers
    const before = used()
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, used())), 5)
    // Without the preparation, whose copy is garbage by now but may not have been collected yet.
    const { prepare: _, ...tool } = editExecutor
    await session.run(tool, { file_path: file, old_string: "unique marker", new_string: "changed marker" })
    clearInterval(watch)
    expect(fs.readFileSync(file).includes("changed marker here")).toBe(true)
    expect(most - before).toBeLessThan(2.2 * size)
  })
})
