import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import path from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/records/node.ts"
import { lookupMessage, Records } from "../../../src/core/ports/Records.ts"
import { isContinuable } from "../../../src/core/session/row.ts"
import { projectSlug } from "../../../src/core/session/slug.ts"
import { fixtureText } from "../../support/session/fixtures.ts"
import { makeDirectory, makeHome } from "../../support/session/disk.ts"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const prompt = (n: number, cwd: string, extra: object = {}) =>
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    type: "user",
    message: { role: "user", content: `prompt ${n}` },
    uuid: id(n),
    timestamp: "2026-05-01T10:00:00.000Z",
    userType: "external",
    entrypoint: "cli",
    cwd,
    sessionId: id(n),
    version: "2.1.325",
    gitBranch: "main",
    ...extra
  })

const setUp = () => {
  const { home } = makeHome()
  const cwd = makeDirectory()
  /** Later sessions are newer. */
  const put = (n: number, lines: string, directory = projectSlug(cwd)): string => {
    const place = path.join(home, "projects", directory, `${id(n)}.jsonl`)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, `${lines}\n`)
    utimesSync(place, 1_700_000_000 + n, 1_700_000_000 + n)
    return place
  }
  const run = <A, E>(use: (records: Records["Service"]) => Effect.Effect<A, E>): Promise<A> =>
    Effect.runPromise(Effect.flatMap(Records, use).pipe(Effect.provide(layer({ home }))))
  return { home, cwd, put, run }
}

describe("rows", () => {
  it("come from both ends of a file, newest first", async () => {
    const { cwd, put, run } = setUp()
    put(1, prompt(1, cwd))
    const filler = `${JSON.stringify({ type: "tools-used", fill: "x".repeat(999) })}\n`.repeat(300)
    const named = [
      { type: "custom-title", customTitle: "Named" },
      { type: "tag", tag: "t" }
    ]
    put(2, `${prompt(2, cwd)}\n${filler}${named.map((record) => JSON.stringify(record)).join("\n")}`)
    const rows = await run((records) => records.list([cwd]))
    expect(rows).toMatchObject([
      { sessionId: id(2), summary: "Named", firstPrompt: "prompt 2", tag: "t", cwd, gitBranch: "main" },
      { sessionId: id(1), summary: "prompt 1", createdAt: "2026-05-01T10:00:00.000Z", hasMessages: true }
    ])
    expect(rows[0]?.size).toBeGreaterThan(3 * 64 * 1024)
  })

  it("tell what kind of session it is", async () => {
    const { cwd, put, run } = setUp()
    put(1, prompt(1, cwd, { entrypoint: "sdk-cli" }))
    put(2, prompt(2, cwd, { sessionKind: "bg" }))
    put(3, prompt(3, cwd, { message: { role: "user", content: "<command-name>/loop</command-name>" } }))
    put(4, prompt(4, cwd, { isSidechain: true }))
    put(5, JSON.stringify({ type: "mode", mode: "normal" }))
    const rows = await run((records) => records.list([cwd]))
    expect(rows.map(({ kind, isLoop, isSidechain, hasMessages }) => [kind, isLoop, isSidechain, hasMessages])).toEqual([
      ["interactive", false, false, false],
      ["interactive", false, true, true],
      ["interactive", true, false, true],
      ["bg", false, false, true],
      ["headless", false, false, true]
    ])
    const newest = (headless: boolean) => run((records) => records.newest(cwd, (row) => isContinuable(row, headless)))
    expect(await newest(false)).toBeNull()
    expect(await newest(true)).toMatchObject({ sessionId: id(1) })
    put(6, prompt(6, cwd))
    expect(await newest(false)).toMatchObject({ sessionId: id(6) })
  })

  it("leave out links, other names and directories that only share the encoded name", async () => {
    const { home, cwd, put, run } = setUp()
    const other = `${path.dirname(cwd)}-${path.basename(cwd)}`
    expect(projectSlug(other)).toBe(projectSlug(cwd))
    put(1, prompt(1, other))
    const place = put(2, prompt(2, cwd))
    symlinkSync(place, path.join(path.dirname(place), `${id(3)}.jsonl`))
    writeFileSync(path.join(path.dirname(place), "notes.jsonl"), prompt(4, cwd))
    put(5, prompt(5, path.join(cwd, "sub")))
    const rows = await run((records) => records.list([cwd]))
    expect(rows.map((row) => row.sessionId)).toEqual([id(5), id(2)])
    expect((await run((records) => records.files([cwd]))).length).toBe(3)
    expect(home).not.toBe(cwd)
  })

  it("find long directory names under another tool's hash by their own cwd", async () => {
    const { put, run } = setUp()
    const cwd = path.join(makeDirectory(), "x".repeat(120), "y".repeat(120))
    mkdirSync(cwd, { recursive: true })
    const prefix = cwd.replace(/[^A-Za-z0-9]/g, "-").slice(0, 200)
    put(1, prompt(1, cwd), `${prefix}-otherhash`)
    put(2, prompt(2, `${cwd}-not`), `${prefix}-third`)
    put(3, prompt(3, cwd), projectSlug(cwd))
    expect((await run((records) => records.list([cwd]))).map((row) => row.sessionId)).toEqual([id(3), id(1)])
    expect(await run((records) => Effect.succeed(records.pathFor(cwd, id(9))))).toContain(`${projectSlug(cwd)}/`)
  })

  it("use a given directory name for every project", async () => {
    const { home, cwd, put } = setUp()
    put(1, prompt(1, cwd), "shared_name")
    const list = (projectDirName: string) =>
      Effect.runPromise(
        Effect.flatMap(Records, (records) => records.list([cwd])).pipe(Effect.provide(layer({ home, projectDirName })))
      )
    expect(await list("shared_name")).toHaveLength(1)
    expect(await list("../up")).toHaveLength(0)
  })
})

describe("finding a session", () => {
  it("works from any directory, and fails with both paths when two files have the id", async () => {
    const { cwd, put, run } = setUp()
    const elsewhere = put(1, prompt(1, "/far/away"), "-far-away")
    const find = () => run((records) => records.findById(id(1), [cwd]))
    expect(await find()).toMatchObject({ _tag: "Found", file: { path: elsewhere } })
    const second = put(1, prompt(1, "/other"), "-other")
    const found = await find()
    expect(found).toMatchObject({ _tag: "Ambiguous" })
    const message = found._tag === "Found" ? "" : lookupMessage(id(1), found)
    expect(message).toContain(`No conversation found with session ID: ${id(1)}`)
    expect(message).toContain(elsewhere)
    expect(message).toContain(second)
    const here = put(1, prompt(1, cwd))
    expect(await find()).toMatchObject({ _tag: "Found", file: { path: here } })
  })

  it("refuses what is not an id", async () => {
    const { run } = setUp()
    for (const text of ["", "../x", id(1)]) {
      expect(await run((records) => records.findById(text, []))).toEqual({ _tag: "Missing" })
    }
  })

  it("goes by exact title", async () => {
    const { cwd, put, run } = setUp()
    const title = JSON.stringify({ type: "custom-title", customTitle: "Pears" })
    for (const n of [1, 2]) put(n, `${prompt(n, cwd)}\n${title}`)
    put(3, prompt(3, cwd))
    expect(await run((records) => records.findByTitle("Pears", [cwd]))).toHaveLength(2)
    expect(await run((records) => records.findByTitle("prompt 3", [cwd]))).toHaveLength(1)
    expect(await run((records) => records.findByTitle("pears", [cwd]))).toHaveLength(0)
  })

  it("goes by path, with the id inside when the name is none", async () => {
    const { run } = setUp()
    const place = path.join(makeDirectory(), "copy.jsonl")
    writeFileSync(place, fixtureText("plain"))
    const sessionId = "5e551000-0001-4a00-8a00-00000000cafe"
    expect(await run((records) => records.fileAt(place))).toMatchObject({ path: place, sessionId })
    await expect(run((records) => records.fileAt(`${place}.none`))).rejects.toMatchObject({ code: "ENOENT" })
  })
})
