import { execFileSync } from "node:child_process"
import fs from "node:fs"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { readExecutor } from "../../../../src/shell/tools/files/read.ts"
import { fileSession } from "../../../support/file-tools.ts"
import { samplePdf } from "../../../support/sample-pdf.ts"
import { freshDirectory, putFile } from "../../../support/temp-world.ts"

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("")

const world = (name: string, content: string | Uint8Array, options = {}) => {
  const root = freshDirectory()
  putFile(`${root}/${name}`, content)
  const session = fileSession(root, options)
  const file = `${root}/${name}`
  const read = (input = {}, env = {}) => session.run(readExecutor, { file_path: file, ...input }, env)
  const refusal = (input = {}, env = {}) => session.refusal(readExecutor, { file_path: file, ...input }, env)
  return { root, file, session, read, refusal }
}

describe("Read of text", () => {
  it("gives numbered lines and the record that transcripts hold", async () => {
    const { file, read } = world("a.txt", "one\r\ntwo\n")
    const output = await read()
    expect(output.content).toBe("1\tone\n2\ttwo")
    expect(output.data).toEqual({
      type: "text",
      file: { filePath: file, content: "one\ntwo\n", numLines: 2, startLine: 1, totalLines: 2 }
    })
  })

  it("shows a first page of a long file and says how to go on", async () => {
    const { read } = world("long.txt", lines(2_500))
    const output = await read()
    expect(output.content).toContain("2000\tline 2000\n\n[PARTIAL view: lines 1-2000 of 2500. Go on with offset 2001")
    expect(output.data).toMatchObject({ file: { numLines: 2_000, totalLines: 2_500 } })
    expect((await read({ offset: 2_499 })).content).toBe("2499\tline 2499\n2500\tline 2500")
    expect((await read({ offset: 2, limit: 1 })).content).toBe("2\tline 2")
  })

  it("keeps to the tokens: a whole file is cut, an asked range is refused", async () => {
    const { read, refusal } = world("wide.txt", `${"x".repeat(90)}\n`.repeat(100))
    const env = { CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: "100" }
    const output = await read({}, env)
    expect(output.data).toMatchObject({ file: { numLines: 4, totalLines: 100, truncatedByTokenCap: true } })
    expect(output.content).toContain("PARTIAL view: lines 1-4 of 100")
    expect(await refusal({ limit: 50 }, env)).toMatch(/^TooManyTokens: .*4 lines would fit/)
  })

  it("says when there is nothing to show", async () => {
    const { read, file } = world("few.txt", "only\n")
    expect((await read({ offset: 9 })).content).toBe(`[${file} has 1 lines; there is nothing at line 9.]`)
    const empty = world("empty.txt", "")
    expect((await empty.read()).content).toBe(`[${empty.file} exists and is empty.]`)
  })

  it("does not repeat what is still in context", async () => {
    const { read, file, session } = world("same.txt", "text\n")
    await read()
    expect(await read()).toMatchObject({ data: { type: "file_unchanged", file: { filePath: file } } })
    expect((await read({ limit: 1 })).content).toBe("1\ttext")
    fs.writeFileSync(file, "other\n")
    expect((await read({ limit: 1 })).content).toBe("1\tother")
    await Effect.runPromise(session.state.clear)
    expect((await read({ limit: 1 })).content).toBe("1\tother")
  })

  it("decodes other encodings, and Latin-1 with a note", async () => {
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("grüße\r\n", "utf16le")])
    expect((await world("wide.txt", wide).read()).content).toBe("1\tgrüße")
    expect((await world("bom.txt", "\ufeffx\n").read()).content).toBe("1\tx")
    const latin = Buffer.concat([Buffer.from("ok\n".repeat(5)), Buffer.from([0xfc, 0x0a])])
    const sixth = await world("latin.txt", latin).read({ offset: 6 })
    expect(sixth.content).toBe("6\tü\n\n[Not UTF-8: shown as Latin-1.]")
  })

  it("resolves a relative path and says so", async () => {
    const { file, session } = world("r.txt", "x\n")
    const output = await session.run(readExecutor, { file_path: "r.txt" })
    expect(output.content).toBe(`1\tx\n\n[Relative path: resolved to ${file}.]`)
  })
})

describe("Read refuses", () => {
  it("devices, pipes and directories at once", async () => {
    const { root, session } = world("x", "")
    execFileSync("mkfifo", [`${root}/pipe`])
    expect(await session.refusal(readExecutor, { file_path: "/dev/zero" })).toMatch(/^NotARegularFile: /)
    expect(await session.refusal(readExecutor, { file_path: `${root}/pipe` })).toMatch(/^NotARegularFile: /)
    expect(await session.refusal(readExecutor, { file_path: root })).toMatch(/^IsDirectory: .*`ls`/)
  })

  it("a missing file, with names that may have been meant", async () => {
    const { root, session } = world("config.json", "{}")
    putFile(`${root}/Config.yaml`, "")
    const refusal = await session.refusal(readExecutor, { file_path: `${root}/config.jsn` })
    expect(refusal).toMatch(/^FileNotFound: /)
    expect(refusal).toContain(`current directory is ${root}`)
    expect(refusal).toContain("Config.yaml, config.json")
  })

  it("binary files by kind and size", async () => {
    const { file, session } = world("program", Buffer.from("\x7fELF\0\0\0\0", "latin1"))
    expect(await session.refusal(readExecutor, { file_path: file })).toMatch(/^BinaryFile: .*ELF executable, 8 bytes/)
  })

  it("a path that leads elsewhere than approved", async () => {
    const { root, session } = world("inside", "x")
    putFile(`${root}/secret`, "s")
    fs.symlinkSync("secret", `${root}/door`)
    const fact = { path: `${root}/door`, realPath: `${root}/inside`, exists: true }
    const approved: typeof readExecutor = {
      ...readExecutor,
      run: (input, context) => readExecutor.run(input, Object.assign({}, context, { pathFacts: [fact] }))
    }
    const refusal = await session.refusal(approved, { file_path: `${root}/door` })
    expect(refusal).toMatch(/^LinkChanged: /)
    expect(refusal).toContain(`${root}/inside`)
    expect(refusal).toContain(`${root}/secret`)
  })
})

describe("Read of other kinds", () => {
  const picture = async (width: number, height: number): Promise<Buffer> => {
    const { Transformer } = await import("@napi-rs/image")
    const pixels = new Uint8Array(width * height * 4)
    for (let index = 0; index < pixels.length; index++) pixels[index] = Math.imul(index, 2_654_435_761) >>> 24
    return Transformer.fromRgbaPixels(pixels, width, height).png()
  }

  it("a small picture goes as it is", async () => {
    const png = await picture(10, 5)
    const output = await world("p.bin", png).read()
    const source = { type: "base64", media_type: "image/png", data: png.toString("base64") }
    expect(output.content).toEqual([{ type: "image", source }])
    expect(output.data).toMatchObject({
      type: "image",
      file: { type: "image/png", originalSize: png.length, dimensions: { originalWidth: 10, displayWidth: 10 } }
    })
  })

  it("a large picture is scaled and becomes a JPEG", async () => {
    const output = await world("p.png", await picture(2_400, 600)).read()
    const dimensions = { originalWidth: 2_400, originalHeight: 600, displayWidth: 2_000, displayHeight: 500 }
    expect(output.data).toMatchObject({ type: "image", file: { type: "image/jpeg", dimensions } })
  })

  it("a picture that cannot be scaled is refused with its size", async () => {
    const gif = Buffer.concat([Buffer.from("GIF89a"), Buffer.from([0xb8, 0x0b, 10, 0]), Buffer.alloc(10)])
    const { file, session } = world("wide.gif", gif)
    expect(await session.refusal(readExecutor, { file_path: file })).toMatch(/^ImageTooLarge: .*3000x10 pixels/)
  })

  it("a short PDF goes whole, or as text where the model takes no documents", async () => {
    const pdf = samplePdf(["Hello page one", "Second page"])
    const whole = await world("d.pdf", pdf).read()
    const source = { type: "base64", media_type: "application/pdf", data: Buffer.from(pdf).toString("base64") }
    expect(whole.content).toEqual([{ type: "document", source }])
    const { read, root } = world("d.pdf", pdf, { model: "offline" })
    const texts = await read()
    expect(texts.content).toContain('<page number="2">\nSecond page\n</page>')
    expect(texts.data).toMatchObject({ type: "parts", file: { count: 2, originalSize: pdf.length } })
    const { outputDir } = (texts.data as { file: { outputDir: string } }).file
    expect(outputDir.startsWith(root)).toBe(true)
    expect(fs.readFileSync(`${outputDir}/page-1.txt`, "utf8")).toBe("Hello page one")
    expect(fs.statSync(outputDir).mode & 0o777).toBe(0o700)
  })

  it("a long PDF needs pages", async () => {
    const pages = Array.from({ length: 40 }, (_, index) => `page ${index + 1}`)
    const { read, refusal } = world("long.pdf", samplePdf(pages))
    expect(await refusal()).toMatch(/^TooManyPages: the PDF has 40 pages.*"1-5"/)
    expect((await read({ pages: "39-" })).content).toContain('<page number="40">\npage 40\n</page>')
    expect(await refusal({ pages: "41" })).toMatch(/page 41 does not exist/)
  })

  it("a damaged PDF is named so, and pages of a text are refused", async () => {
    const damaged = world("bad.pdf", "%PDF-1.4\nnothing here")
    expect(await damaged.session.refusal(readExecutor, { file_path: damaged.file })).toMatch(/^DamagedPdf: /)
    const text = world("a.txt", "x")
    expect(await text.session.refusal(readExecutor, { file_path: text.file, pages: "1" })).toMatch(/^InvalidPages: /)
  })

  it("a notebook goes cell by cell, and as text when lines are asked for", async () => {
    const notebook = JSON.stringify({ cells: [{ cell_type: "code", source: "1+1", outputs: [] }] })
    const { read } = world("n.ipynb", notebook)
    const output = await read()
    const text = '<cell id="cell-0" type="code" language="python">\n1+1\n</cell>'
    expect(output.content).toEqual([{ type: "text", text }])
    const cells = [{ cellType: "code", source: "1+1", cell_id: "cell-0" }]
    expect(output.data).toMatchObject({ type: "notebook", file: { cells } })
    expect(await read()).toMatchObject({ data: { type: "file_unchanged" } })
    expect((await read({ limit: 1 })).content).toBe(`1\t${notebook}`)
    const broken = world("b.ipynb", "{}")
    expect(await broken.session.refusal(readExecutor, { file_path: broken.file })).toMatch(/^InvalidNotebook: /)
  })
})

describe("Read of a very large file", () => {
  it("needs the memory of a page, not of the file", async () => {
    const { root, file, session } = world("large.log", lines(50_000))
    // The rest is a hole of 200 MB, which reads as one endless line.
    fs.truncateSync(file, 200_000_000)
    const used = (): number => {
      const { heapUsed, external, arrayBuffers } = process.memoryUsage()
      return heapUsed + external + arrayBuffers
    }
    const before = used()
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, used())), 20)
    const output = await session.run(readExecutor, { file_path: file })
    clearInterval(watch)
    expect(output.data).toMatchObject({ file: { numLines: 2_000, totalLines: 50_001 } })
    expect(most).toBeGreaterThan(0)
    expect(most - before).toBeLessThan(50_000_000)
    fs.rmSync(root, { recursive: true })
  })
})
