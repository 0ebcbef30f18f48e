import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { layer as nodeFiles } from "../../../src/adapters/files/node.ts"
import { layer as git } from "../../../src/adapters/git/node.ts"
import { layer as shellParser } from "../../../src/adapters/shell-parser/layer.ts"
import type { MentionValue } from "../../../src/core/context/sources/source.ts"
import { makeContext } from "../../../src/core/permission/configuration/make-context.ts"
import { lookAtMentions } from "../../../src/shell/context/look-at-mentions.ts"
import { FileState } from "../../../src/shell/tools/services/file-state.ts"
import { editExecutor } from "../../../src/shell/tools/files/edit.ts"
import { readExecutor } from "../../../src/shell/tools/files/read.ts"
import { fileSession } from "../../support/file-tools.ts"
import { samplePdf } from "../../support/sample-pdf.ts"
import { freshDirectory, putFile, putLink } from "../../support/temp-world.ts"

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const world = (files: Readonly<Record<string, string | Uint8Array>>, rules: { deny?: ReadonlyArray<string> } = {}) => {
  const root = freshDirectory()
  const [work, home] = [`${root}/work`, `${root}/home`]
  for (const [name, content] of Object.entries(files)) putFile(`${root}/${name}`, content)
  const session = fileSession(work)
  const place = (path: string) => ({ path, realPath: path })
  const { context } = makeContext({ cwd: place(work), home: place(home), canPrompt: true, ...rules })
  const services = Layer.mergeAll(nodeFiles, git, shellParser, Layer.succeed(FileState, session.state))
  const told: Array<string> = []
  const look = async (text: string, env = {}) => {
    const call = { ...session.context, cwd: work, env }
    const asked = { prompt: { uuid: "p1", text }, permission: context, call, tell: (remark: string) => told.push(remark) }
    return Effect.runPromise(Effect.provide(lookAtMentions(asked), services))
  }
  const contents = async (text: string, env = {}) => (await look(text, env)).map(({ value }) => contentOf(value))
  return { work, home, session, told, look, contents }
}

const contentOf = (value: MentionValue): unknown => (value.kind === "agent" ? value.name : value.content)

const FILES = {
  "work/a.txt": "one\ntwo\nthree\n",
  "work/sp ace.txt": "spaced\n",
  "work/dir/b.txt": "b\n",
  "work/dir/sub/c.txt": "c\n",
  "home/notes.md": "mine\n",
  "work/.env": "TOKEN=1\n",
  "home/.ssh/id_rsa": "key\n"
}

describe("what a prompt mentions", () => {
  it("is read as the Read tool reads it, wherever it is", async () => {
    const { work, home, look, told } = world(FILES)
    const items = await look(
      `see @a.txt, @"sp ace.txt" and @~/notes.md @../home/notes.md @${work}/dir/b.txt @nowhere @types/node`
    )
    expect(items.map(({ id }) => id)).toEqual([
      `file:${work}/a.txt`,
      `file:${work}/sp ace.txt`,
      `file:${home}/notes.md`,
      `file:${work}/dir/b.txt`
    ])
    expect(items[0]?.value).toEqual({
      kind: "file",
      path: `${work}/a.txt`,
      name: "a.txt",
      content: "1\tone\n2\ttwo\n3\tthree",
      record: { filePath: `${work}/a.txt`, content: "one\ntwo\nthree\n", numLines: 3, startLine: 1, totalLines: 3 }
    })
    expect(told).toEqual([])
  })

  it("shows only the lines that were asked for", async () => {
    const { contents } = world(FILES)
    expect(await contents("@a.txt#L2-3 and @a.txt#L1")).toEqual(["2\ttwo\n3\tthree", "1\tone"])
  })

  it("lists directories, at most 200 names", async () => {
    const many = Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`work/many/${1000 + index}`, ""]))
    const { contents } = world({ ...FILES, ...many })
    const [dir, listed] = await contents("@dir @many/")
    expect(dir).toBe("b.txt\nsub/")
    expect(String(listed).split("\n")).toHaveLength(201)
    expect(String(listed)).toMatch(/\n1199\n\.\.\. and 30 more$/)
  })

  it("shows pictures, documents and notebooks", async () => {
    const notebook = JSON.stringify({
      cells: [{ cell_type: "code", source: "1+1", outputs: [] }],
      metadata: {},
      nbformat: 4
    })
    const { contents } = world({ "work/p.png": PNG, "work/d.pdf": samplePdf(["hello"]), "work/n.ipynb": notebook })
    const [picture, document, cells] = await contents("@p.png @d.pdf @n.ipynb")
    expect(picture).toMatchObject([{ type: "image", source: { media_type: "image/png" } }])
    expect(document).toMatchObject([{ type: "document" }])
    expect(JSON.stringify(cells)).toContain("1+1")
  })

  it("may be edited afterwards", async () => {
    const { work, look, session } = world(FILES)
    await look("@a.txt")
    const edit = { file_path: `${work}/a.txt`, old_string: "two", new_string: "2" }
    expect((await session.run(editExecutor, edit)).content).toContain("Edited")
  })

  it("is left out when a rule denies it, a secret may be in it, or it is too long, and the user hears why", async () => {
    const long = `${"x".repeat(99)}\n`
    const { work, look, told, session } = world(
      { ...FILES, "work/big.txt": long.repeat(1_100), "work/no/x.txt": "x" },
      { deny: ["Read(./no/**)"] }
    )
    putLink(`${work}/way`, "../home/.ssh/id_rsa")
    const items = await look("@no/x.txt @.env @~/.ssh/id_rsa @way @big.txt @big.txt#L1 @/dev/null")
    expect(items.map(({ id }) => id)).toEqual([`file:${work}/big.txt#L1-1`])
    expect(told).toHaveLength(6)
    expect(told.join("\n")).toMatch(/@no\/x.txt was not attached: .*no\/\*\*/)
    expect(told.join("\n")).toMatch(/@\.env was not attached: .*secret/)
    expect(told.join("\n")).toMatch(/@~\/\.ssh\/id_rsa was not attached: .*secret/)
    expect(told.join("\n")).toMatch(/@way was not attached: .*secret/)
    expect(told.join("\n")).toMatch(/@big\.txt was not attached: it is longer than 25000 tokens/)
    const { policy: _, ...known } = session.state
    const entry = await Effect.runPromise(known.get(`${work}/big.txt`))
    expect(entry?.seen).toEqual([{ first: 1, last: 1 }])
  })

  it("together stays within bounds", async () => {
    const file = `${"word ".repeat(20)}\n`.repeat(30)
    const names = Array.from({ length: 8 }, (_, index) => `f${index}.txt`)
    const { contents, told } = world(Object.fromEntries(names.map((name) => [`work/${name}`, file])))
    const shown = await contents(names.map((name) => `@${name}`).join(" "), {
      CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: "900"
    })
    expect(shown).toHaveLength(4)
    expect(told[0]).toMatch(/@f4.txt was not attached: .*too long together/)
  })

  it("is not shown again when the Read tool has shown it, and is when it was only mentioned", async () => {
    const { work, contents, session } = world(FILES)
    expect(await contents("@a.txt")).toHaveLength(1)
    expect(await contents("@a.txt")).toHaveLength(1)
    await session.run(readExecutor, { file_path: `${work}/a.txt` })
    expect(await contents("@a.txt")).toEqual([])
    putFile(`${work}/a.txt`, "new\n")
    expect(await contents("@a.txt")).toEqual(["1\tnew"])
  })

  it("may be an agent, unless a file has that name", async () => {
    const { contents } = world({ ...FILES, "work/agent-notes": "not an agent\n" })
    expect(await contents("@agent-Explore and @agent-notes")).toEqual(["Explore", "1\tnot an agent"])
  })
})
