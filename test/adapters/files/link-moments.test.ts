import { createHash } from "node:crypto"
import fs from "node:fs"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeFiles } from "../../../src/adapters/files/node.ts"
import type { FileOps } from "../../../src/adapters/files/ops.ts"
import type { FileError } from "../../../src/core/ports/Files.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"
import { observed } from "./observed.ts"

/** A link to the outside comes into the place of a directory and goes away again, between any two calls of the system. */
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const hash = createHash("sha256").update("seen").digest("hex")

class World {
  readonly root = freshDirectory()
  readonly place = `${this.root}/d`
  readonly outside = `${this.root}/outside`

  /** The directory in its place; a link, with the same names behind it, beside it. */
  reset(): void {
    for (const name of fs.readdirSync(this.root)) fs.rmSync(`${this.root}/${name}`, { recursive: true })
    for (const directory of [this.place, this.outside]) {
      putFile(`${directory}/f`, "seen")
      putFile(`${directory}/twin`, "seen")
    }
    fs.linkSync(`${this.place}/twin`, `${this.root}/second`)
    putFile(`${this.place}/mine`, "inside")
    putFile(`${this.outside}/mine`, "OUTSIDE")
    putFile(`${this.outside}/only-there`, "")
    fs.symlinkSync(this.outside, `${this.root}/link`)
  }

  flip(): void {
    const isLink = fs.lstatSync(this.place, { throwIfNoEntry: false })?.isSymbolicLink() === true
    const [leaves, comes] = isLink ? ["link", "parked"] : ["parked", "link"]
    if (fs.existsSync(this.place)) fs.renameSync(this.place, `${this.root}/${leaves}`)
    fs.renameSync(`${this.root}/${comes}`, this.place)
  }

  stateOutside(): string {
    const stateOf = (name: string): string => {
      const { ino, nlink } = fs.statSync(`${this.outside}/${name}`)
      return `${name} ${ino} ${nlink} ${fs.readFileSync(`${this.outside}/${name}`, "utf8")}`
    }
    return fs.readdirSync(this.outside).map(stateOf).join("\n")
  }
}

type Use = (ops: FileOps, world: World) => Effect.Effect<string, FileError>

const writes =
  (name: string, expectedHash: string | null): Use =>
  (ops, { place }) => {
    const path = `${place}/${name}`
    return Effect.as(makeFiles(ops).write({ path, approvedRealPath: path, bytes: bytes("ours"), expectedHash }), "written")
  }

const USES: ReadonlyArray<readonly [what: string, use: Use]> = [
  [
    "reading",
    (ops, { place }) =>
      Effect.map(makeFiles(ops).read(`${place}/mine`, { approvedRealPath: `${place}/mine` }), (content) =>
        new TextDecoder().decode(content.bytes)
      )
  ],
  [
    "listing",
    (ops, { place }) =>
      Effect.map(makeFiles(ops).list(place, { approvedRealPath: place }), (found) => found.map(({ name }) => name).join())
  ],
  ["replacing", writes("f", hash)],
  ["writing in place", writes("twin", hash)],
  ["creating", writes("new", null)],
  ["creating with directories", writes("new/deep/er", null)]
]

/** The moments at which the place changes: every choice of them where there are few, else many. */
const choices = (calls: number): ReadonlyArray<ReadonlyArray<number>> => {
  const moments = Array.from({ length: calls }, (_, index) => index + 1)
  return calls <= 8
    ? Array.from({ length: 2 ** calls }, (_, set) => moments.filter((moment) => (set >> (moment - 1)) % 2 === 1))
    : fc.sample(fc.subarray(moments, { minLength: 1, maxLength: 4 }), 120)
}

describe.skipIf(process.platform !== "linux")("a link that comes and goes at any moments", () => {
  it.each(USES)("%s never gets outside", { timeout: 60_000 }, async (_, use) => {
    const world = new World()
    world.reset()
    let calls = 0
    await Effect.runPromise(
      use(
        observed(() => (calls += 1)),
        world
      )
    )
    for (const moments of choices(calls)) {
      world.reset()
      const before = world.stateOutside()
      let call = 0
      const ops = observed(() => {
        call += 1
        if (moments.includes(call)) world.flip()
      })
      const result = await Effect.runPromise(Effect.result(use(ops, world)))
      expect(world.stateOutside(), `flipped at ${moments.join()}`).toBe(before)
      const shown = Result.isSuccess(result) ? result.success : ""
      expect(shown, `flipped at ${moments.join()}`).not.toMatch(/OUTSIDE|only-there/)
    }
  })
})
