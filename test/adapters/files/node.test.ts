import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeFiles } from "../../../src/adapters/files/node.ts"
import { type FileOps, nodeOps } from "../../../src/adapters/files/ops.ts"
import type { FileError, WriteRequest, Written } from "../../../src/core/ports/Files.ts"
import { freshDirectory, putFile, putLink, putPipe } from "../../support/temp-world.ts"
import { filesContract, type FileWorld } from "../files-contract.ts"
import { observed } from "./observed.ts"

const worldOf = (ops: FileOps) => (): FileWorld => ({
  root: freshDirectory(),
  files: makeFiles(ops),
  put: putFile,
  link: putLink,
  pipe: putPipe,
  content: (file) => (fs.existsSync(file) ? fs.readFileSync(file) : undefined),
  mode: (file) => fs.statSync(file).mode & 0o7777
})

filesContract("node files", worldOf(nodeOps))
filesContract("node files where directories cannot be held", worldOf({ ...nodeOps, hold: () => undefined }))

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const hash = (text: string): string => createHash("sha256").update(text).digest("hex")
const failing = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code })
}

const write = (ops: FileOps, request: WriteRequest): Promise<Result.Result<Written, FileError>> =>
  Effect.runPromise(Effect.result(makeFiles(ops).write(request)))

const failureKind = (result: Result.Result<Written, FileError>): string =>
  Result.isFailure(result) ? result.failure.kind : "written"

it("a path with very many names that are not there is followed in one go", async () => {
  const root = freshDirectory()
  const long = `${root}/${"a/".repeat(200_000)}b`
  expect(await Effect.runPromise(makeFiles(nodeOps).resolve(long))).toEqual({ path: long, realPath: long, exists: false })
})

describe("all or nothing", () => {
  it.each(["ENOSPC", "EIO"])("a rename that fails with %s leaves the file and no trace", async (code) => {
    const root = freshDirectory()
    putFile(`${root}/f`, "old")
    const result = await write(
      { ...nodeOps, replace: failing(code) },
      { path: `${root}/f`, bytes: bytes("new"), expectedHash: hash("old") }
    )
    expect(failureKind(result)).toBe(code === "ENOSPC" ? "noSpace" : "other")
    expect(fs.readFileSync(`${root}/f`, "utf8")).toBe("old")
    expect(fs.readdirSync(root)).toEqual(["f"])
  })

  it("takes back directories of a file that could not be created", async () => {
    const root = freshDirectory()
    const result = await write(
      { ...nodeOps, link: failing("ENOSPC") },
      { path: `${root}/a/b/c`, bytes: bytes("new"), expectedHash: null }
    )
    expect(failureKind(result)).toBe("noSpace")
    expect(fs.readdirSync(root)).toEqual([])
  })

  it("creates without hard links where the file system has none", async () => {
    const root = freshDirectory()
    const ops = { ...nodeOps, link: failing("EOPNOTSUPP") }
    const request = { path: `${root}/f`, bytes: bytes("new"), expectedHash: null }
    expect(failureKind(await write(ops, request))).toBe("written")
    expect(failureKind(await write(ops, request))).toBe("stale")
    expect(fs.readdirSync(root)).toEqual(["f"])
  })

  it("is not hindered by what a killed process left, and makes names of bounded length", async () => {
    const root = freshDirectory()
    const long = "n".repeat(250)
    putFile(`${root}/.nacre-left-behind.tmp`, "half")
    const temps: Array<string> = []
    const link: FileOps["link"] = (temp, target) => {
      temps.push(path.basename(temp))
      nodeOps.link(temp, target)
    }
    for (const name of [long, "short"]) {
      const request = { path: `${root}/${name}`, bytes: bytes("x"), expectedHash: null }
      expect(failureKind(await write({ ...nodeOps, link }, request))).toBe("written")
    }
    expect(new Set(temps).size).toBe(2)
    expect(temps.every((name) => name.startsWith(".nacre-") && name.length < 40)).toBe(true)
  })

  it("writes a file with several names in place, and restores it when that fails", async () => {
    const root = freshDirectory()
    putFile(`${root}/one`, "old text")
    fs.linkSync(`${root}/one`, `${root}/two`)
    const request = { path: `${root}/one`, bytes: bytes("new"), expectedHash: hash("old text") }
    const open: FileOps["open"] = async (file, flags, mode) => {
      const handle = await nodeOps.open(file, flags, mode)
      let failed = false
      const truncate = handle.truncate.bind(handle)
      handle.truncate = (length) => {
        if (failed) return truncate(length)
        failed = true
        return Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
      }
      return handle
    }
    expect(failureKind(await write({ ...nodeOps, open }, request))).toBe("noSpace")
    expect(fs.readFileSync(`${root}/two`, "utf8")).toBe("old text")
    expect(failureKind(await write(nodeOps, request))).toBe("written")
    expect(fs.readFileSync(`${root}/two`, "utf8")).toBe("new")
    expect(fs.statSync(`${root}/one`).ino).toBe(fs.statSync(`${root}/two`).ino)
  })

  it("falls back to writing in place where the name cannot be replaced", async () => {
    const root = freshDirectory()
    putFile(`${root}/f`, "old")
    const inode = fs.statSync(`${root}/f`).ino
    const request = { path: `${root}/f`, bytes: bytes("new"), expectedHash: hash("old") }
    expect(failureKind(await write({ ...nodeOps, replace: failing("EBUSY") }, request))).toBe("written")
    expect(fs.readFileSync(`${root}/f`, "utf8")).toBe("new")
    expect(fs.statSync(`${root}/f`).ino).toBe(inode)
    expect(fs.readdirSync(root)).toEqual(["f"])
  })

  it.runIf(process.getuid?.() === 0)("keeps owner and group", async () => {
    const root = freshDirectory()
    putFile(`${root}/f`, "old", 0o640)
    fs.chownSync(`${root}/f`, 1234, 2345)
    const request = { path: `${root}/f`, bytes: bytes("new"), expectedHash: hash("old") }
    expect(failureKind(await write(nodeOps, request))).toBe("written")
    expect(fs.statSync(`${root}/f`)).toMatchObject({ uid: 1234, gid: 2345 })
    expect(fs.statSync(`${root}/f`).mode & 0o7777).toBe(0o640)
  })

  it.runIf(process.getuid?.() !== 0)("does not replace a file that may not be written", async () => {
    const root = freshDirectory()
    putFile(`${root}/f`, "old", 0o444)
    const request = { path: `${root}/f`, bytes: bytes("new"), expectedHash: hash("old") }
    expect(failureKind(await write(nodeOps, request))).toBe("denied")
  })
})

const callsOf = async (root: string, request: WriteRequest): Promise<number> => {
  let calls = 0
  putFile(`${root}/f`, "seen")
  await write(
    observed(() => (calls += 1)),
    request
  )
  return calls
}

describe("other programs", () => {
  const outside = {
    "in place": (file: string) => fs.writeFileSync(file, "theirs"),
    "by rename": (file: string) => {
      fs.writeFileSync(`${file}.theirs`, "theirs")
      fs.renameSync(`${file}.theirs`, file)
    }
  }

  it.each(Object.entries(outside))("never lose what they wrote %s, whenever they wrote it", async (_, interfere) => {
    const root = freshDirectory()
    const request = { path: `${root}/f`, bytes: bytes("ours"), expectedHash: hash("seen") }
    const calls = await callsOf(root, request)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: calls }), async (moment) => {
        putFile(`${root}/f`, "seen")
        fs.utimesSync(`${root}/f`, 1, 1)
        let call = 0
        const result = await write(
          observed(() => {
            call += 1
            if (call === moment) interfere(`${root}/f`)
          }),
          request
        )
        expect(call).toBeGreaterThanOrEqual(moment)
        const committed = Result.isSuccess(result)
        const text = fs.readFileSync(`${root}/f`, "utf8")
        // A write that was committed came first; in every case theirs is what stands in the end.
        expect(text, `moment ${moment}, ${committed ? "written" : "refused"}`).toBe("theirs")
        if (Result.isFailure(result)) expect(result.failure.kind).toBe("stale")
        expect(fs.readdirSync(root)).toEqual(["f"])
      }),
      { numRuns: 60 }
    )
  })

  it("a link that takes the place of the file or of its directory is refused with both ends named", async () => {
    for (const swap of ["file", "directory"] as const) {
      const root = freshDirectory()
      putFile(`${root}/d/f`, "seen")
      putFile(`${root}/other/f`, "seen")
      const interfere = (): void => {
        if (swap === "file") {
          fs.rmSync(`${root}/d/f`)
          fs.symlinkSync(`${root}/other/f`, `${root}/d/f`)
        } else {
          fs.renameSync(`${root}/d`, `${root}/moved`)
          fs.symlinkSync(`${root}/other`, `${root}/d`)
        }
      }
      let done = false
      const ops = observed((name) => {
        if (name === "open" && !done) {
          done = true
          interfere()
        }
      })
      const result = await write(ops, { path: `${root}/d/f`, bytes: bytes("ours"), expectedHash: hash("seen") })
      expect(failureKind(result)).toBe("linkChanged")
      expect(Result.isFailure(result) ? result.failure.message : "").toMatch(/\/d.*\/other/)
      expect(fs.readFileSync(`${root}/other/f`, "utf8")).toBe("seen")
      expect(fs.readdirSync(`${root}/other`)).toEqual(["f"])
    }
  })

  it("a new file is not created in a directory that a link has put there", async () => {
    const root = freshDirectory()
    fs.mkdirSync(`${root}/d`)
    fs.mkdirSync(`${root}/other`)
    const ops = observed((name) => {
      if (name === "open" && fs.existsSync(`${root}/d`) && !fs.existsSync(`${root}/moved`)) {
        fs.renameSync(`${root}/d`, `${root}/moved`)
        fs.symlinkSync(`${root}/other`, `${root}/d`)
      }
    })
    const result = await write(ops, { path: `${root}/d/new`, bytes: bytes("ours"), expectedHash: null })
    expect(failureKind(result)).toBe("linkChanged")
    expect(fs.readdirSync(`${root}/other`)).toEqual([])
  })

  it("a link that changed after approval is refused", async () => {
    const root = freshDirectory()
    putFile(`${root}/inside`, "seen")
    putFile(`${root}/secret`, "seen")
    putLink(`${root}/door`, "secret")
    const result = await write(nodeOps, {
      path: `${root}/door`,
      bytes: bytes("ours"),
      expectedHash: hash("seen"),
      approvedRealPath: `${root}/inside`
    })
    expect(failureKind(result)).toBe("linkChanged")
    expect(fs.readFileSync(`${root}/secret`, "utf8")).toBe("seen")
  })
})

describe("what would block", () => {
  it("is refused at once: devices, pipes, other processes' descriptors", async () => {
    const root = freshDirectory()
    putPipe(`${root}/pipe`)
    putLink(`${root}/link-to-pipe`, "pipe")
    putLink(`${root}/link-to-device`, "/dev/zero")
    const files = makeFiles(nodeOps)
    const own = ["pipe", "link-to-pipe", "link-to-device"].map((name) => `${root}/${name}`)
    for (const file of ["/dev/zero", "/dev/stdin", "/proc/self/fd/0", ...own]) {
      const result = await Effect.runPromise(Effect.result(files.read(file)))
      expect(Result.isFailure(result) ? result.failure.kind : "read", file).toBe("notRegular")
    }
  })

  it("a file whose reported size is wrong is read to its end", async () => {
    const content = await Effect.runPromise(makeFiles(nodeOps).read("/proc/self/status"))
    expect(content.stat.size).toBe(0)
    expect(content.bytes.length).toBeGreaterThan(100)
  })
})
