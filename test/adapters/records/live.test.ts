import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import path from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/records/node.ts"
import { Records, type LiveSession } from "../../../src/core/ports/Records.ts"
import { SESSION } from "../../support/session/build.ts"
import { makeHome } from "../../support/session/disk.ts"

const setUp = () => {
  const { home } = makeHome()
  const run = <A, E>(use: (records: Records["Service"]) => Effect.Effect<A, E>): Promise<A> =>
    Effect.runPromise(Effect.flatMap(Records, use).pipe(Effect.provide(layer({ home }))))
  const place = (pid: number): string => path.join(home, "sessions", `${pid}.json`)
  return { home, run, place }
}

const own: LiveSession = {
  pid: process.pid,
  sessionId: SESSION,
  cwd: "/home/ada/orchard",
  startedAt: 1,
  version: "0.1.0",
  kind: "interactive",
  status: "idle"
}

/** The number of a process that has ended. */
const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ["-e", ""])
  await once(child, "exit")
  return child.pid ?? 0
}

describe("the list of live sessions", () => {
  it("holds this process while it runs, privately", async () => {
    const { run, place } = setUp()
    const handle = await run((records) => records.announce(own))
    expect(statSync(place(process.pid)).mode & 0o777).toBe(0o600)
    expect(await run((records) => records.live)).toEqual([own])
    await Effect.runPromise(handle.update({ status: "busy", name: "pears" }))
    const entry: unknown = JSON.parse(readFileSync(place(process.pid), "utf8"))
    expect(entry).toMatchObject({ ...own, status: "busy", name: "pears" })
    handle.removeNow()
    await Effect.runPromise(handle.update({ status: "late" }))
    expect(existsSync(place(process.pid))).toBe(false)
  })

  it("forgets processes that are gone, at the next start", async () => {
    const { home, run, place } = setUp()
    const gone = await deadPid()
    mkdirSync(path.join(home, "sessions"))
    writeFileSync(place(gone), JSON.stringify({ ...own, pid: gone }))
    writeFileSync(path.join(home, "sessions", "notes.txt"), "kept")
    expect(await run((records) => records.live)).toEqual([])
    await run((records) => records.announce(own))
    expect(readdirSync(path.join(home, "sessions")).toSorted()).toEqual([`${process.pid}.json`, "notes.txt"].toSorted())
  })

  it("tells when another process has a session open, but not this one", async () => {
    const { home, run, place } = setUp()
    await run((records) => records.announce(own))
    expect(await run((records) => records.holder(SESSION))).toBeNull()
    const parent = process.ppid
    const foreign = { pid: parent, sessionId: SESSION, cwd: home, startedAt: 2, kind: "interactive" }
    writeFileSync(place(parent), JSON.stringify(foreign))
    expect(await run((records) => records.holder(SESSION))).toMatchObject({ pid: parent, cwd: home })
    writeFileSync(place(parent), JSON.stringify({ pid: parent, sessionId: SESSION, nacreProcessStart: "1" }))
    const expected = process.platform === "linux" ? null : expect.anything()
    expect(await run((records) => records.holder(SESSION))).toEqual(expected)
  })
})
