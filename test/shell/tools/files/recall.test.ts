import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Message } from "../../../../src/core/domain/message.ts"
import { recallFiles } from "../../../../src/core/tools/files/restore-file-state.ts"
import type { ToolExecutor } from "../../../../src/shell/tools/contract/executor.ts"
import { editExecutor } from "../../../../src/shell/tools/files/edit.ts"
import { readExecutor } from "../../../../src/shell/tools/files/read.ts"
import { writeExecutor } from "../../../../src/shell/tools/files/write.ts"
import type { FileState } from "../../../../src/shell/tools/services/file-state.ts"
import type { Files } from "../../../../src/core/ports/Files.ts"
import { fileSession } from "../../../support/file-tools.ts"
import { Maker } from "../../../support/session/build.ts"
import { freshDirectory } from "../../../support/temp-world.ts"

/** What a session knew about files, in the life after it: read back from the results that its transcript holds. */
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n") + "\n"

const NAMES = new Map<unknown, string>([
  [editExecutor, "Edit"],
  [readExecutor, "Read"],
  [writeExecutor, "Write"]
])

class FirstLife {
  readonly root = freshDirectory()
  readonly path = join(this.root, "a.txt")
  readonly messages: Array<Message> = []
  private readonly session = fileSession(this.root)
  private readonly maker = new Maker()
  private calls = 0

  constructor(content = LINES) {
    writeFileSync(this.path, content)
  }

  async call<I>(tool: ToolExecutor<I, Files | FileState>, input: I): Promise<void> {
    const { data, content } = await this.session.run(tool, input)
    const id = `c${++this.calls}`
    const caller = this.maker.fragment(`m${id}`, { type: "tool_use", id, name: NAMES.get(tool) ?? "", input })
    const text = typeof content === "string" ? content : "blocks"
    this.messages.push(caller, { ...this.maker.result(caller, id, text), toolUseResult: data })
  }

  next() {
    const fromDisk = JSON.parse(JSON.stringify(this.messages)) as Array<Message>
    return fileSession(this.root, { initial: () => recallFiles(fromDisk) })
  }

  get text(): string {
    return readFileSync(this.path, "utf8")
  }
}

const edit = (path: string, from: string, to: string) => ({ file_path: path, old_string: from, new_string: to })

describe("a file that was read before the session was taken up again", () => {
  it("can be edited and replaced while it is as it was", async () => {
    const life = new FirstLife()
    await life.call(readExecutor, { file_path: life.path })
    const session = life.next()
    await session.run(editExecutor, edit(life.path, "line 7\n", "seven\n"))
    await session.run(writeExecutor, { file_path: life.path, content: "new\n" })
    expect(life.text).toBe("new\n")
  })

  it("is refused as changed when it is not, and can be read again", async () => {
    const life = new FirstLife()
    await life.call(readExecutor, { file_path: life.path })
    writeFileSync(life.path, LINES.replace("line 7", "another 7"))
    const session = life.next()
    const wanted = edit(life.path, "another 7\n", "seven\n")
    expect(await session.refusal(editExecutor, wanted)).toContain("StaleFile")
    expect(await session.refusal(writeExecutor, { file_path: life.path, content: "new\n" })).toContain("StaleFile")
    expect(life.text).toContain("another 7\n")
    await session.run(readExecutor, { file_path: life.path })
    await session.run(editExecutor, wanted)
    expect(life.text).toContain("seven\n")
  })

  it("keeps its line ends and its encoding", async () => {
    const life = new FirstLife("one\r\ntwo\r\nthree\r\n")
    await life.call(readExecutor, { file_path: life.path })
    await life.next().run(editExecutor, edit(life.path, "two", "zwei"))
    expect(life.text).toBe("one\r\nzwei\r\nthree\r\n")
  })

  it("counts as unread when nothing of it was read", async () => {
    const life = new FirstLife()
    expect(await life.next().refusal(editExecutor, edit(life.path, "line 7\n", "seven\n"))).toContain("UnreadFile")
  })
})

describe("a file of which a part was read", () => {
  it("can be edited in that part and nowhere else, while that part is as it was", async () => {
    const life = new FirstLife()
    await life.call(readExecutor, { file_path: life.path, offset: 10, limit: 5 })
    const session = life.next()
    expect(await session.refusal(editExecutor, edit(life.path, "line 30\n", "x\n"))).toContain("PartialView")
    expect(await session.refusal(writeExecutor, { file_path: life.path, content: "new\n" })).toContain("PartialView")
    await session.run(editExecutor, edit(life.path, "line 12\n", "twelve\n"))
    expect(life.text).toContain("line 11\ntwelve\nline 13\n")
  })

  it("can be edited in that part although lines were put in before it, and nowhere else", async () => {
    const life = new FirstLife()
    await life.call(readExecutor, { file_path: life.path, offset: 10, limit: 5 })
    writeFileSync(life.path, `zero\n${LINES}`)
    const session = life.next()
    expect(await session.refusal(editExecutor, edit(life.path, "line 30\n", "x\n"))).toContain("StaleFile")
    await session.run(editExecutor, edit(life.path, "line 12\n", "twelve\n"))
    expect(life.text).toContain("line 11\ntwelve\nline 13\n")
  })

  it("is known whole when all its pages were read in order", async () => {
    const life = new FirstLife()
    await life.call(readExecutor, { file_path: life.path, offset: 1, limit: 20 })
    await life.call(readExecutor, { file_path: life.path, offset: 21, limit: 20 })
    await life.next().run(writeExecutor, { file_path: life.path, content: "new\n" })
    expect(life.text).toBe("new\n")
  })
})

describe("a file that was written before", () => {
  it("is known as the last change left it", async () => {
    const life = new FirstLife()
    await life.call(readExecutor, { file_path: life.path })
    await life.call(editExecutor, edit(life.path, "line 7\n", "seven\nand a half\n"))
    await life.call(editExecutor, { ...edit(life.path, "line 1", "row 1"), replace_all: true })
    const session = life.next()
    await session.run(editExecutor, edit(life.path, "seven\nand a half\n", "7\n"))
    await session.run(writeExecutor, { file_path: life.path, content: "new\n" })
    expect(life.text).toBe("new\n")
  })

  it("is refused when somebody changed it after that", async () => {
    const life = new FirstLife()
    await life.call(writeExecutor, { file_path: join(life.root, "b.txt"), content: "mine\n" })
    writeFileSync(join(life.root, "b.txt"), "theirs\n")
    const refusal = await life.next().refusal(editExecutor, edit(join(life.root, "b.txt"), "theirs", "x"))
    expect(refusal).toContain("StaleFile")
  })

  it("a part that was read and edited stays a part", async () => {
    const life = new FirstLife()
    await life.call(readExecutor, { file_path: life.path, offset: 10, limit: 5 })
    await life.call(editExecutor, edit(life.path, "line 12\n", "twelve\nand\n"))
    const session = life.next()
    expect(await session.refusal(editExecutor, edit(life.path, "line 30\n", "x\n"))).toContain("PartialView")
    await session.run(editExecutor, edit(life.path, "and\nline 13\n", "13\n"))
    expect(life.text).toContain("twelve\n13\nline 14\n")
  })
})

describe("results that say nothing", () => {
  it("errors, other shapes and calls without a result leave nothing behind", () => {
    const maker = new Maker()
    const caller = maker.fragment("m1", { type: "tool_use", id: "c1", name: "Read", input: {} })
    const shapes = [null, "text", 7, [], {}, { type: "text" }, { type: "text", file: { filePath: 1, content: "x" } }]
    const messages = shapes.map((toolUseResult) => ({ ...maker.result(caller, "c1", "x"), toolUseResult }))
    expect(recallFiles([caller, ...messages]).slots.size).toBe(0)
  })
})
