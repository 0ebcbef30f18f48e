import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { shortest } from "../../support/shortest.ts"
import { type Harness, livingMembers, makeHarness, until } from "./harness.ts"

let harness: Harness
beforeAll(() => {
  harness = makeHarness()
})
afterAll(() => harness.close())

const outcomeOf = async (command: string) => {
  const running = await harness.start(command)
  const exit = await harness.run(running.exit)
  return { running, exit, text: await harness.run(running.readHead(100_000)) }
}

describe("a started command", () => {
  it("reports exit codes and signals", async () => {
    expect((await outcomeOf("exit 3")).exit).toEqual({ code: 3, signal: null, note: null })
    expect((await outcomeOf("kill -KILL $$")).exit).toEqual({ code: null, signal: "SIGKILL", note: null })
  })

  it("interleaves both streams in the order they were written", async () => {
    const { text } = await outcomeOf("for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done")
    expect(text).toBe([1, 2, 3, 4, 5].map((i) => `out${i}\nerr${i}\n`).join(""))
  })

  it("keeps what was printed before a program reopens its own output", async () => {
    const { text, exit } = await outcomeOf("echo first; echo second > /dev/stderr; echo third | tee /dev/stdout")
    expect(text).toBe("first\nsecond\nthird\nthird\n")
    expect(exit.code).toBe(0)
  })

  it("reads an end-of-file from stdin and has no terminal", async () => {
    const { text } = await outcomeOf("read line; echo read=$?; (: < /dev/tty) 2>/dev/null || echo no tty; wc -c")
    expect(text).toBe("read=1\nno tty\n0\n")
  })

  it("leads its own session and gets only the environment it was given", async () => {
    const running = await harness.start("env | sort; ps -o pgid=,sid= -p $$ | tr -s ' '", {
      env: { PATH: process.env["PATH"], GIVEN: "yes", ABSENT: undefined }
    })
    await harness.run(running.exit)
    const text = await harness.run(running.readHead(10_000))
    expect(text).toContain("GIVEN=yes")
    expect(text).not.toContain("ABSENT")
    expect(text).not.toContain("HOME=")
    expect(text.trim().split("\n").at(-1)?.trim()).toBe(`${running.pid} ${running.pid}`)
  })

  it("can be ended by what confines it, which says why in the output", async () => {
    const running = await harness.start("echo begun; sleep 1000", {
      confinement: {
        file: "env",
        args: [],
        env: {},
        inputs: [],
        onStart: ({ end, say }) => {
          end()
          say("ended: it was no longer safe")
        },
        onEnd: () => undefined
      }
    })
    expect(await harness.run(running.exit)).toMatchObject({ code: null, signal: "SIGKILL" })
    expect(await harness.run(running.readHead(1_000))).toContain("ended: it was no longer safe\n")
  })

  it("writes a private file in a private directory and replaces nothing", async () => {
    const { running } = await outcomeOf("echo x")
    expect(statSync(running.outputPath).mode & 0o777).toBe(0o600)
    expect(statSync(join(running.outputPath, "..")).mode & 0o777).toBe(0o700)
    const again = harness.start("echo y", { outputPath: running.outputPath })
    await expect(again).rejects.toMatchObject({ reason: "output" })
    expect(readFileSync(running.outputPath, "utf8")).toBe("x\n")
  })

  it("counts bytes and lines and keeps a short tail", async () => {
    const { running } = await outcomeOf("seq 1 5000; printf end")
    const seen = await harness.run(running.snapshot)
    expect(seen).toMatchObject({ totalLines: 5001, totalBytes: 23_896, overflowed: false, lost: null })
    expect(seen.tail.endsWith("4999\n5000\nend")).toBe(true)
    expect(seen.tail.length).toBeLessThanOrEqual(4_096)
  })

  it("cuts windows at characters and replaces invalid bytes", async () => {
    const { running } = await outcomeOf("printf 'äöü\\xff€'")
    expect(await harness.run(running.readHead(100))).toBe("äöü\ufffd€")
    expect(await harness.run(running.readHead(3))).toBe("ä")
    expect(await harness.run(running.readTail(4))).toBe("\ufffd€")
    expect(await harness.run(running.readTail(2))).toBe("")
  })

  it("says what is missing: the program or the directory", async () => {
    await expect(harness.start("", { file: "no-such-program" })).rejects.toMatchObject({ reason: "program-missing" })
    await expect(harness.start("true", { cwd: join(harness.dir, "gone") })).rejects.toMatchObject({
      reason: "directory-missing"
    })
    await expect(harness.start("x".repeat(200_000))).rejects.toMatchObject({ reason: "not-startable" })
    await expect(harness.start("nul\0")).rejects.toMatchObject({ reason: "not-startable" })
  })

  it("gives back the note and removes it", async () => {
    const note = { path: join(harness.dir, "notes", "n"), text: "before" }
    const running = await harness.start(`cat '${note.path}'; printf after > '${note.path}'`, { note })
    expect(await harness.run(running.exit)).toEqual({ code: 0, signal: null, note: "after" })
    expect(await harness.run(running.readHead(100))).toBe("before")
    await expect.poll(() => existsSync(note.path)).toBe(false)
  })
})

describe("large output", () => {
  it("takes 50 MB in constant memory", async () => {
    const before = process.memoryUsage().arrayBuffers
    const running = await harness.start("yes 0123456789012345678901234567890123456789012345678 | head -c 50000000")
    let peak = 0
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers)
    }, 1)
    await harness.run(running.exit)
    clearInterval(sampling)
    expect(await harness.run(running.snapshot)).toMatchObject({ totalBytes: 50_000_000, totalLines: 1_000_000 })
    expect(statSync(running.outputPath).size).toBe(50_000_000)
    expect(peak - before).toBeLessThan(4 * 1024 * 1024)
    await harness.run(running.discardOutput)
  })

  it("ends a foreground command that passes its limit", async () => {
    const running = await harness.start("yes", { outputLimitBytes: 1_000_000 })
    const exit = await harness.run(running.exit)
    expect(exit.signal).toBe("SIGINT")
    expect((await harness.run(running.snapshot)).overflowed).toBe(true)
    expect(statSync(running.outputPath).size).toBeLessThan(2_000_000)
    await until("the group is gone", () => livingMembers(running.pid).length === 0)
  })

  it("keeps the output under another name, bounded, and never over a file that is there", async () => {
    const kept = join(harness.dir, "kept", "a.txt")
    const { running } = await outcomeOf("seq 1 1000")
    await harness.run(running.keepOutput(kept, 100))
    expect(readFileSync(kept, "utf8")).toMatch(/^1\n2\n[^]{96}\n\[\.\.\. cut after 100 of 3893 bytes\]\n$/)
    await expect.poll(() => existsSync(running.outputPath)).toBe(false)
    const again = await outcomeOf("echo other")
    await harness.run(again.running.keepOutput(kept, 100))
    expect(readFileSync(kept, "utf8")).toContain("cut after")
  })
})

describe("cancelling", () => {
  it("ends children and grandchildren", async () => {
    const running = await harness.start("sh -c 'sleep 1000 & sleep 1000' & sleep 1000")
    await until("all sleep", () => livingMembers(running.pid).length >= 4)
    const started = performance.now()
    await harness.run(running.cancel)
    expect(livingMembers(running.pid)).toEqual([])
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it("kills what ignores SIGINT and SIGTERM", async () => {
    const running = await harness.start("trap '' INT TERM; echo ready; while :; do sleep 0.1; done")
    await until("the traps are set", () => readFileSync(running.outputPath, "utf8").includes("ready"))
    const started = performance.now()
    await harness.run(running.cancel)
    const took = performance.now() - started
    expect(livingMembers(running.pid)).toEqual([])
    expect((await harness.run(running.exit)).signal).toBe("SIGKILL")
    expect(took).toBeGreaterThan(2_400)
    expect(took).toBeLessThan(5_000)
  })

  it("waits 500 ms after SIGINT before SIGTERM", async () => {
    const running = await harness.start(
      "trap 'echo int' INT; trap 'echo term; exit 7' TERM; echo ready; while :; do sleep 0.02; done"
    )
    await until("the traps are set", () => readFileSync(running.outputPath, "utf8").includes("ready"))
    const started = performance.now()
    await harness.run(running.cancel)
    expect(performance.now() - started).toBeGreaterThan(490)
    expect(await harness.run(running.readHead(1_000))).toMatch(/^ready\nint\n[^]*term\n$/)
    expect((await harness.run(running.exit)).code).toBe(7)
  })

  it("does not wait for the end when only begun, yet reaches it", async () => {
    const beginning = async (): Promise<number> => {
      const running = await harness.start("trap '' INT; echo ready; sleep 1000 & wait")
      await until("the trap is set", () => readFileSync(running.outputPath, "utf8").includes("ready"))
      const started = performance.now()
      await harness.run(running.beginCancel)
      const took = performance.now() - started
      await until("the group is gone", () => livingMembers(running.pid).length === 0)
      return took
    }
    // Far below the 500 ms that the next signal waits.
    expect(await shortest(250, beginning)).toBeLessThan(250)
  })

  it("is harmless after the end", async () => {
    const { running } = await outcomeOf("true")
    await harness.run(running.cancel)
    await harness.run(Effect.andThen(running.beginCancel, running.cancel))
  })
})

describe("descendants that outlive the command", () => {
  it("do not hold up its end, and what they write still arrives", async () => {
    const go = join(harness.dir, "go")
    const running = await harness.start(`(until [ -e '${go}' ]; do sleep 0.01; done; echo late) & echo early`)
    expect((await harness.run(running.exit)).code).toBe(0)
    expect(await harness.run(running.readHead(100))).toBe("early\n")
    writeFileSync(go, "")
    await until("the late line is there", () => readFileSync(running.outputPath, "utf8") === "early\nlate\n")
  })

  it("never write into the output of a later command", async () => {
    const go = join(harness.dir, "go2")
    const first = await harness.start(`(until [ -e '${go}' ]; do sleep 0.01; done; echo late) & echo early`)
    await harness.run(first.exit)
    const later = await Promise.all(["a", "b", "c", "d", "e"].map((name) => harness.start(`echo ${name}; sleep 0.05`)))
    writeFileSync(go, "")
    await until("the late line is there", () => readFileSync(first.outputPath, "utf8") === "early\nlate\n")
    await Promise.all(later.map((running) => harness.run(running.exit)))
    const outputs = later.map((running) => readFileSync(running.outputPath, "utf8"))
    expect(outputs).toEqual(["a\n", "b\n", "c\n", "d\n", "e\n"])
  })
})
