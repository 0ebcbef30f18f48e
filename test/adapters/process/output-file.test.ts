import { closeSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openOutputFile, type OutputFile, type OutputLimit } from "../../../src/adapters/process/output-file.ts"
import { temporaryDirectory } from "./harness.ts"

let dir: string
let made = 0
beforeAll(() => {
  dir = temporaryDirectory()
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const NO_LIMIT: OutputLimit = { bytes: Number.POSITIVE_INFINITY, onPassed: () => undefined }

const open = (limit = NO_LIMIT): { readonly path: string; readonly file: OutputFile } => {
  const path = join(dir, String(made++))
  return { path, file: openOutputFile(path, limit) }
}

describe("the output file", () => {
  it("holds exactly what was written, and the snapshot agrees with it", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 6_000 }), { maxLength: 8 }), (chunks) => {
        const { path, file } = open()
        for (const chunk of chunks) file.write(Buffer.from(chunk))
        const whole = Buffer.concat(chunks)
        const seen = file.snapshot()
        file.seal()
        expect(readFileSync(path).equals(whole)).toBe(true)
        expect(seen.totalBytes).toBe(whole.length)
        const newlines = whole.filter((byte) => byte === 10).length
        expect(seen.totalLines).toBe(newlines + (whole.length > 0 && whole.at(-1) !== 10 ? 1 : 0))
      }),
      { numRuns: 50 }
    )
  })

  it("keeps a tail that is the end of the text", () => {
    const lines = fc.string({ unit: fc.constantFrom("a", "ä", "€", "😀", "\n"), minLength: 1, maxLength: 3_000 })
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 6 }), (texts) => {
        const { file } = open()
        for (const text of texts) file.write(Buffer.from(text))
        file.seal()
        expect(texts.join("").endsWith(file.snapshot().tail)).toBe(true)
      }),
      { numRuns: 50 }
    )
  })

  it("tells once that the limit is passed and stores no more", () => {
    let passed = 0
    const { path, file } = open({ bytes: 10, onPassed: () => void passed++ })
    for (const text of ["12345", "67890", "x", "y"]) file.write(Buffer.from(text))
    expect(passed).toBe(1)
    expect(file.snapshot()).toMatchObject({ overflowed: true, totalBytes: 12 })
    expect(readFileSync(path, "utf8")).toBe("1234567890x")
  })

  it("keeps head and tail of an output that is rotated, however long it grows", () => {
    const { path, file } = open({ bytes: 10, onPassed: () => expect.unreachable() })
    file.rotateAt({ limitBytes: 1_000, headBytes: 300, tailBytes: 200 })
    const all = Array.from({ length: 900 }, (_, index) => `line ${index}\n`).join("")
    for (let at = 0; at < all.length; at += 70) {
      file.write(Buffer.from(all.slice(at, at + 70)))
      expect(statSync(path).size).toBeLessThanOrEqual(1_000)
    }
    const [head, tail] = readFileSync(path, "utf8").split(/\n\[\.\.\. +\d+ bytes of output removed here[^\]]+\]\n/)
    expect(head).toBe(all.slice(0, 300))
    expect(tail?.length).toBeGreaterThanOrEqual(200)
    expect(all.endsWith(tail ?? "?")).toBe(true)
    expect(file.snapshot().totalBytes).toBe(all.length)
  })

  it("counts removed bytes correctly", () => {
    const { path, file } = open()
    file.rotateAt({ limitBytes: 1_000, headBytes: 300, tailBytes: 200 })
    for (let round = 0; round < 40; round++) file.write(Buffer.alloc(100, 97))
    const text = readFileSync(path, "utf8")
    const removed = Number(/ (\d+) bytes of output removed/.exec(text)?.[1])
    expect(removed + (text.match(/a/g) ?? []).length).toBe(4_000)
  })

  it("goes on counting when the file cannot be written", () => {
    const { path, file } = open()
    const fd = readdirSync("/proc/self/fd").find((entry) => {
      try {
        return readlinkSync(`/proc/self/fd/${entry}`) === path
      } catch {
        return false
      }
    })
    closeSync(Number(fd))
    file.write(Buffer.from("text\n"))
    expect(file.snapshot()).toMatchObject({ totalBytes: 5, totalLines: 1, tail: "text\n" })
    expect(file.snapshot().lost).toContain("EBADF")
  })
})
