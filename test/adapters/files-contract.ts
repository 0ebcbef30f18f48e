import { createHash } from "node:crypto"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import type { FileError, Files } from "../../src/core/ports/Files.ts"

/** A place with files, as each implementation of the port is tested in. All paths are below `root`. */
export interface FileWorld {
  readonly root: string
  readonly files: Files["Service"]
  readonly put: (path: string, content: string | Uint8Array, mode?: number) => void
  readonly link: (path: string, target: string) => void
  readonly pipe: (path: string) => void
  readonly content: (path: string) => Uint8Array | undefined
  readonly mode: (path: string) => number | undefined
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

const failureOf = async <A>(effect: Effect.Effect<A, FileError>): Promise<FileError> => {
  const result = await Effect.runPromise(Effect.result(effect))
  if (Result.isSuccess(result)) throw new Error("expected a failure")
  return result.failure
}

const textOf = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : new TextDecoder().decode(content)

/** What every implementation of the files port does. */
export const filesContract = (name: string, makeWorld: () => FileWorld): void => {
  describe(`${name}: where paths lead`, () => {
    it("resolves links of every component and keeps the missing tail", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/real/file`, "x")
      world.link(`${root}/door`, "real")
      world.link(`${root}/twice`, `${root}/door`)
      expect(await Effect.runPromise(files.resolve(`${root}/twice/./file`))).toMatchObject({
        path: `${root}/twice/file`,
        realPath: `${root}/real/file`,
        exists: true
      })
      expect(await Effect.runPromise(files.resolve(`${root}/door/new/deep`))).toEqual({
        path: `${root}/door/new/deep`,
        realPath: `${root}/real/new/deep`,
        exists: false
      })
    })

    it("resolves a link whose target climbs, and one that leads nowhere", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/a/b/file`, "x")
      world.link(`${root}/a/b/up`, "../../outside")
      const fact = await Effect.runPromise(files.resolve(`${root}/a/b/up/z`))
      expect(fact.realPath).toBe(`${root}/outside/z`)
      expect(fact.exists).toBe(false)
    })

    it("gives up on links that lead to themselves", async () => {
      const world = makeWorld()
      world.link(`${world.root}/loop`, "loop")
      expect((await failureOf(world.files.resolve(`${world.root}/loop`))).kind).toBe("other")
    })
  })

  describe(`${name}: looking and reading`, () => {
    it("says what is at many names at once", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/dir/f`, "hello")
      world.link(`${root}/link`, "dir/f")
      world.link(`${root}/loop`, "loop")
      world.pipe(`${root}/pipe`)
      const names = ["dir/f", "link", "dir", "loop", "missing/x", "dir/f/x", "pipe"]
      const found = await Effect.runPromise(files.present(names.map((each) => `${root}/${each}`)))
      expect(found.map((each) => each?.kind)).toEqual([
        "file",
        "file",
        "directory",
        undefined,
        undefined,
        undefined,
        "other"
      ])
      expect(found[1]).toEqual({ ...found[0], path: `${root}/link` })
      expect(found[0]).toMatchObject({ path: `${root}/dir/f`, realPath: `${root}/dir/f`, size: 5 })
      expect(found[0]?.mtimeMs).toBe((await Effect.runPromise(files.stat(`${root}/dir/f`))).mtimeMs)
      expect(found[2]?.identity).not.toBe(found[0]?.identity)
    })

    it("reads bytes with their hash and gives pieces to a consumer", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/f`, "hello")
      const content = await Effect.runPromise(files.read(`${root}/f`))
      expect(textOf(content.bytes)).toBe("hello")
      expect(content.hash).toBe(hash("hello"))
      expect(content.stat).toMatchObject({ kind: "file", size: 5 })
      let seen = ""
      const scan = await Effect.runPromise(
        files.scan(`${root}/f`, (piece) => {
          seen += textOf(piece)
          return true
        })
      )
      expect([seen, scan.hash]).toEqual(["hello", hash("hello")])
    })

    it("hands over full pieces and stops when told to", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/big`, new Uint8Array(600_000).fill(97))
      const sizes: Array<number> = []
      const stopped = await Effect.runPromise(
        files.scan(`${root}/big`, (piece) => {
          sizes.push(piece.length)
          return false
        })
      )
      expect(sizes).toHaveLength(1)
      expect(sizes[0]).toBeGreaterThanOrEqual(64 * 1024)
      expect(stopped.hash).toBeUndefined()
    })

    it("lists a directory by name without following links", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/d/b`, "")
      world.put(`${root}/d/a/x`, "")
      world.link(`${root}/d/c`, "b")
      expect(await Effect.runPromise(files.list(`${root}/d`))).toEqual([
        { name: "a", kind: "directory" },
        { name: "b", kind: "file" },
        { name: "c", kind: "link" }
      ])
      world.link(`${root}/door`, "d")
      expect(await Effect.runPromise(files.list(`${root}/door`, { approvedRealPath: `${root}/d` }))).toHaveLength(3)
      const elsewhere = await failureOf(files.list(`${root}/door`, { approvedRealPath: `${root}/door` }))
      expect(elsewhere.kind).toBe("linkChanged")
    })

    it("names what is wrong: missing, directory, pipe, too large, another place than approved", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/d/f`, "12345")
      world.pipe(`${root}/pipe`)
      world.link(`${root}/door`, "d/f")
      const kindOf = async (effect: Effect.Effect<unknown, FileError>): Promise<string> => (await failureOf(effect)).kind
      expect(await kindOf(files.read(`${root}/none`))).toBe("missing")
      expect(await kindOf(files.stat(`${root}/none`))).toBe("missing")
      expect(await kindOf(files.read(`${root}/d`))).toBe("isDirectory")
      expect(await kindOf(files.list(`${root}/d/f`))).toBe("notDirectory")
      expect(await kindOf(files.read(`${root}/pipe`))).toBe("notRegular")
      expect(await kindOf(files.scan("/dev/zero", () => true))).toBe("notRegular")
      expect(await kindOf(files.read(`${root}/d/f`, { maxBytes: 4 }))).toBe("tooLarge")
      const moved = await failureOf(files.read(`${root}/door`, { approvedRealPath: `${root}/elsewhere` }))
      expect(moved.kind).toBe("linkChanged")
      expect(moved.message).toContain(`${root}/elsewhere`)
      expect(moved.message).toContain(`${root}/d/f`)
    })
  })

  describe(`${name}: writing`, () => {
    it("creates a file with its directories, and only if it is new", async () => {
      const world = makeWorld()
      const { root, files } = world
      const request = { path: `${root}/x/y/new`, bytes: bytes("one"), expectedHash: null }
      const written = await Effect.runPromise(files.write(request))
      expect(textOf(world.content(request.path))).toBe("one")
      expect(written).toMatchObject({ hash: hash("one"), stat: { size: 3 } })
      expect((await failureOf(files.write({ ...request, bytes: bytes("two") }))).kind).toBe("stale")
      expect(textOf(world.content(request.path))).toBe("one")
    })

    it("replaces only what has the expected hash and keeps the mode", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/f`, "old", 0o754)
      const request = { path: `${root}/f`, bytes: bytes("new") }
      expect((await failureOf(files.write({ ...request, expectedHash: hash("other") }))).kind).toBe("stale")
      expect(textOf(world.content(`${root}/f`))).toBe("old")
      await Effect.runPromise(files.write({ ...request, expectedHash: hash("old") }))
      expect(textOf(world.content(`${root}/f`))).toBe("new")
      expect(world.mode(`${root}/f`)).toBe(0o754)
    })

    it("reports the same time and size afterwards as a look at the file does", async () => {
      const world = makeWorld()
      const { root, files } = world
      const written = await Effect.runPromise(files.write({ path: `${root}/f`, bytes: bytes("abc"), expectedHash: null }))
      expect(await Effect.runPromise(files.stat(`${root}/f`))).toEqual(written.stat)
    })

    it("refuses a vanished file, a directory, a pipe, and a file as directory", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/d/f`, "x")
      world.pipe(`${root}/pipe`)
      const kindOf = async (path: string, expectedHash: string | null): Promise<string> =>
        (await failureOf(files.write({ path, bytes: bytes("y"), expectedHash }))).kind
      expect(await kindOf(`${root}/gone`, hash("x"))).toBe("stale")
      expect(await kindOf(`${root}/d`, null)).toBe("isDirectory")
      expect(await kindOf(`${root}/pipe`, null)).toBe("notRegular")
      expect(await kindOf(`${root}/d/f/deeper`, null)).toBe("notDirectory")
    })

    it("writes through a link without replacing it", async () => {
      const world = makeWorld()
      const { root, files } = world
      world.put(`${root}/real`, "old")
      world.link(`${root}/door`, "real")
      await Effect.runPromise(files.write({ path: `${root}/door`, bytes: bytes("new"), expectedHash: hash("old") }))
      expect(textOf(world.content(`${root}/real`))).toBe("new")
      expect((await Effect.runPromise(files.resolve(`${root}/door`))).realPath).toBe(`${root}/real`)
    })

    it("makes private files and directories when asked", async () => {
      const world = makeWorld()
      const { root, files } = world
      const path = `${root}/secret/file`
      await Effect.runPromise(files.write({ path, bytes: bytes("x"), expectedHash: null, onlyForOwner: true }))
      expect(world.mode(path)).toBe(0o600)
    })
  })
}
