import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs"
import { rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { Effect, Exit } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { TranscriptWriter, type WriterOptions } from "../../../src/adapters/records/writer.ts"
import { writeWarning, type WriteStatus } from "../../../src/core/ports/Records.ts"
import { SESSION } from "../../support/session/build.ts"
import { faultyDisk, makeHome, manualSchedule, type Fault } from "../../support/session/disk.ts"

const never = () => () => {}

/** Retries run when a test says so, or not at all. */
const setUp = (options: Partial<WriterOptions> = {}) => {
  const { home, file } = makeHome()
  const place = file(SESSION)
  return { home, place, writer: new TranscriptWriter({ home, path: place, schedule: never, ...options }) }
}
const text = (place: string): string => readFileSync(place, "utf8")
const modeOf = (place: string): number => statSync(place).mode & 0o777

describe("a transcript", () => {
  it("appears with the first line, private to the user", () => {
    const { home, place, writer } = setUp()
    expect(existsSync(path.join(home, "projects"))).toBe(false)
    writer.append(["one", "two"])
    expect(text(place)).toBe("one\ntwo\n")
    expect(modeOf(place)).toBe(0o600)
    expect(modeOf(path.dirname(place))).toBe(0o700)
    expect(modeOf(path.join(home, "projects"))).toBe(0o700)
  })

  it("is closed to others when it was open to them", () => {
    const { place, writer } = setUp()
    mkdirSync(path.dirname(place), { recursive: true, mode: 0o755 })
    writeFileSync(place, "old\n", { mode: 0o644 })
    chmodSync(place, 0o644)
    writer.openExisting()
    expect([modeOf(place), modeOf(path.dirname(place))]).toEqual([0o600, 0o700])
    expect(text(place)).toBe("old\n")
  })

  it("keeps a torn end apart and leaves it alone until something is appended", () => {
    const { place, writer } = setUp()
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, '{"a":1}\n{"b"')
    writer.openExisting()
    expect(text(place)).toBe('{"a":1}\n{"b"')
    writer.append(["new"])
    writer.append(["next"])
    expect(text(place)).toBe('{"a":1}\n{"b"\nnew\nnext\n')
  })

  it("takes one write per batch", () => {
    const disk = faultyDisk([])
    const { writer } = setUp({ disk })
    writer.append(["one", "two", "three"])
    expect(disk.writes()).toBe(1)
  })

  it("is never reached through a link", () => {
    const { home, place, writer } = setUp()
    const outside = makeHome().home
    symlinkSync(outside, path.join(home, "projects"))
    writer.append(["secret"])
    expect(writer.status()).toMatchObject({ _tag: "Failing", code: "LINK" })
    expect(existsSync(path.join(outside, path.basename(path.dirname(place))))).toBe(false)

    const other = setUp()
    mkdirSync(path.dirname(other.place), { recursive: true })
    symlinkSync(path.join(outside, "target"), other.place)
    expect(() => other.writer.openExisting()).toThrow(expect.objectContaining({ code: "ELOOP" }))
    other.writer.append(["secret"])
    expect(other.writer.status()).toMatchObject({ code: "LINK" })
    expect(existsSync(path.join(outside, "target"))).toBe(false)
  })

  it("is refused outside the config directory", () => {
    const { home } = makeHome()
    const writer = new TranscriptWriter({ home, path: path.join(makeHome().home, "x.jsonl"), schedule: never })
    writer.append(["line"])
    expect(writer.status()).toMatchObject({ code: "OUTSIDE" })
  })

  it("comes back whole when somebody deletes it, even with its directory", () => {
    const { home, place, writer } = setUp()
    writer.append(["one"])
    rmSync(place)
    writer.append(["two"])
    expect(text(place)).toBe("one\ntwo\n")
    rmSync(path.join(home, "projects"), { recursive: true })
    writer.append(["three"])
    expect(text(place)).toBe("one\ntwo\nthree\n")
    expect(modeOf(place)).toBe(0o600)
  })

  it("goes on in the file that replaced it", () => {
    const { place, writer } = setUp()
    writer.append(["one"])
    writeFileSync(`${place}.new`, "redacted")
    renameSync(`${place}.new`, place)
    writer.append(["two"])
    expect(text(place)).toBe("redacted\ntwo\n")
  })
})

describe("a disk that refuses", () => {
  const full: Fault = { bytes: 0, code: "ENOSPC" }

  it("loses nothing: lines wait and are written in order", () => {
    const timer = manualSchedule()
    const disk = faultyDisk([full, full])
    const { place, writer } = setUp({ disk, schedule: timer.schedule.bind(timer), now: () => 7 })
    const seen: Array<WriteStatus["_tag"]> = []
    writer.watch((status) => seen.push(status._tag))
    writer.append(["one"])
    writer.append(["two"])
    expect(writer.status()).toMatchObject({ code: "ENOSPC", sinceMs: 7, waitingBytes: 8, lostLines: 0 })
    expect(timer.run()).toBe(true)
    expect(writer.status()._tag).toBe("Failing")
    timer.run()
    expect(writer.status()).toEqual({ _tag: "Ok" })
    expect(seen.at(-1)).toBe("Ok")
    writer.append(["three"])
    expect(text(place)).toBe("one\ntwo\nthree\n")
    expect(timer.delays).toEqual([250, 500])
  })

  it("makes a sync fail, and the next one writes what waited", async () => {
    const timer = manualSchedule()
    const { place, writer } = setUp({ disk: faultyDisk([full, full]), schedule: timer.schedule.bind(timer) })
    writer.append(["one"])
    const failed = await Effect.runPromiseExit(writer.sync)
    expect(Exit.isFailure(failed)).toBe(true)
    await Effect.runPromise(writer.sync)
    expect(text(place)).toBe("one\n")
    expect(timer.waiting()).toBe(0)
  })

  it("finishes a line it stopped in, or starts it anew if somebody wrote meanwhile", () => {
    const timer = manualSchedule()
    const stop: Fault = { bytes: 2, code: "ENOSPC" }
    const { place, writer } = setUp({ disk: faultyDisk([stop, null, stop]), schedule: timer.schedule.bind(timer) })
    writer.append(["first"])
    expect(text(place)).toBe("fi")
    timer.run()
    expect(text(place)).toBe("first\n")
    writer.append(["second"])
    writeFileSync(place, "other\n", { flag: "a" })
    timer.run()
    expect(text(place)).toBe("first\nseother\n\nsecond\n")
  })

  it("keeps at most 64 MiB and says what it lost", () => {
    const timer = manualSchedule()
    const { writer } = setUp({ disk: faultyDisk([full]), schedule: timer.schedule.bind(timer) })
    const large = "x".repeat(30 * 1024 * 1024)
    for (let round = 0; round < 3; round++) writer.append([large])
    expect(writer.status()).toMatchObject({ lostLines: 1, waitingBytes: 2 * (large.length + 1) })
  })

  it("warns at once for causes that stay, later for others", () => {
    const failing = (code: string): WriteStatus => ({
      _tag: "Failing",
      code,
      message: "no",
      sinceMs: 0,
      waitingBytes: 1,
      lostLines: 0
    })
    expect(writeWarning({ _tag: "Ok" }, 1e9)).toBeNull()
    for (const code of ["ENOSPC", "EDQUOT", "EROFS", "ENAMETOOLONG", "EACCES", "EPERM"]) {
      expect(writeWarning(failing(code), 1)).toContain(code)
    }
    expect(writeWarning(failing("EIO"), 59_999)).toBeNull()
    expect(writeWarning(failing("EIO"), 60_000)).toContain("EIO")
  })
})

describe("any sequence of short writes and errors", () => {
  const fault: fc.Arbitrary<Fault> = fc.oneof(
    fc.constant(null),
    fc.record({ bytes: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ bytes: fc.nat(20), code: fc.constantFrom("ENOSPC", "EIO", "EDQUOT") })
  )

  const sizes = fc.array(fc.nat(3), { minLength: 1, maxLength: 10 })

  it("leaves every line once, in order, and at any moment a prefix with all that was confirmed", () => {
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 20 }), sizes, (faults, batches) => {
        const timer = manualSchedule()
        const { home, place, writer } = setUp({ disk: faultyDisk(faults), schedule: timer.schedule.bind(timer) })
        const lines: Array<string> = []
        let confirmed = 0
        for (const [batch, size] of batches.entries()) {
          const news = Array.from({ length: size + 1 }, (_, index) => JSON.stringify({ batch, index }))
          writer.append(news)
          lines.push(...news)
          if (writer.status()._tag === "Ok") confirmed = lines.length
          const whole = lines.map((line) => `${line}\n`).join("")
          const now = existsSync(place) ? text(place) : ""
          expect(whole.startsWith(now)).toBe(true)
          expect(now.split("\n").length - 1).toBeGreaterThanOrEqual(confirmed)
          if (size === 0) timer.run()
        }
        while (timer.run());
        expect(text(place)).toBe(lines.map((line) => `${line}\n`).join(""))
        rmSync(home, { recursive: true })
      }),
      { numRuns: 300 }
    )
  })
})

describe("closing", () => {
  it("makes a last attempt and ends", async () => {
    const timer = manualSchedule()
    const disk = faultyDisk([{ bytes: 0, code: "ENOSPC" }])
    const { place, writer } = setUp({ disk, schedule: timer.schedule.bind(timer) })
    writer.append(["one"])
    await Effect.runPromise(Effect.all([writer.sync, writer.close], { concurrency: "unbounded" }))
    await Effect.runPromise(writer.close)
    writer.append(["late"])
    expect(text(place)).toBe("one\n")
    expect(timer.waiting()).toBe(0)
  })

  it("leaves nothing behind when nothing was written", async () => {
    const { home, writer } = setUp()
    await Effect.runPromise(writer.close)
    expect(existsSync(path.join(home, "projects"))).toBe(false)
  })
})
