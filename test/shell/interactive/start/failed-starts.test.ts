import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { hasFailedStarts, markStart } from "../../../../src/shell/interactive/start/failed-starts.ts"

const makeHome = (): string => mkdtempSync(join(tmpdir(), "nacre-starts-"))

/** A mark that a process left which is gone: no process has such a number. */
const leaveMark = (home: string, pid: number): void => {
  mkdirSync(join(home, "nacre", "starts"), { recursive: true })
  writeFileSync(join(home, "nacre", "starts", String(pid)), "")
}

describe("starts that failed", () => {
  it("are none in a new home, after one, or while the program runs", () => {
    const home = makeHome()
    expect(hasFailedStarts(home)).toBe(false)
    leaveMark(home, 99_999_991)
    expect(hasFailedStarts(home)).toBe(false)
    const mark = markStart(home)
    expect(hasFailedStarts(home)).toBe(false)
    mark.isFine()
  })

  it("are too many after two in a row, until one is fine", () => {
    const home = makeHome()
    leaveMark(home, 99_999_991)
    hasFailedStarts(home)
    leaveMark(home, 99_999_992)
    expect(hasFailedStarts(home)).toBe(true)
    expect(hasFailedStarts(home)).toBe(true)
    markStart(home).isFine()
    expect(hasFailedStarts(home)).toBe(false)
    expect(existsSync(join(home, "nacre", "starts", String(process.pid)))).toBe(false)
  })

  it("that were fine in between do not add up", () => {
    const home = makeHome()
    leaveMark(home, 99_999_991)
    hasFailedStarts(home)
    markStart(home).isFine()
    leaveMark(home, 99_999_992)
    expect(hasFailedStarts(home)).toBe(false)
  })
})
