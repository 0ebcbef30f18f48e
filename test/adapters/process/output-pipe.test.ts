import { execFileSync } from "node:child_process"
import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openOutputPipe } from "../../../src/adapters/process/output-pipe.ts"
import { temporaryDirectory, until } from "./harness.ts"

let dir: string
let made = 0
beforeAll(() => {
  dir = temporaryDirectory()
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const makePipe = (): string => {
  const path = join(dir, String(made++))
  execFileSync("mkfifo", [path])
  return path
}

describe("an output pipe", () => {
  it("delivers at the end what no event has brought yet", () => {
    const pipe = openOutputPipe(makePipe())
    const seen: Array<string> = []
    const fd = pipe.open((chunk) => seen.push(chunk.toString()))
    writeSync(fd, "last words")
    expect(pipe.finish()).toBe("free")
    expect(seen.join("")).toBe("last words")
    pipe.destroy()
  })

  it("serves one command after the other", async () => {
    const pipe = openOutputPipe(makePipe())
    for (const word of ["one", "two", "three"]) {
      let seen = ""
      writeSync(
        pipe.open((chunk) => (seen += chunk.toString())),
        word
      )
      await until("the text arrives by itself", () => seen === word)
      expect(pipe.finish()).toBe("free")
    }
    pipe.destroy()
  })

  it("is not free while somebody else holds it, and goes on delivering", async () => {
    const path = makePipe()
    const other = openSync(path, constants.O_RDWR)
    const pipe = openOutputPipe(path)
    let seen = ""
    pipe.open((chunk) => (seen += chunk.toString()))
    expect(pipe.finish()).toBe("held")
    writeSync(other, "late")
    await until("the late text arrives", () => seen === "late")
    closeSync(other)
  })

  it("does not wait for a writer that never stops", () => {
    const path = makePipe()
    const other = openSync(path, constants.O_RDWR)
    const pipe = openOutputPipe(path)
    let bytes = 0
    const chunk = Buffer.alloc(4_096)
    pipe.open((data) => {
      bytes += data.length
      writeSync(other, chunk)
    })
    writeSync(other, chunk)
    expect(pipe.finish()).toBe("held")
    expect(bytes).toBeLessThan(2 * 1024 * 1024)
    closeSync(other)
    pipe.destroy()
  })
})
