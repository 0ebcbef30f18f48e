import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { atDesk, type Desk, isNotice, isTold } from "./desk.ts"

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

const drop = (desk: Desk, ...names: ReadonlyArray<string>): void => {
  const paths = names.map((name) => join(desk.cwd, name))
  desk.performer.perform({ _tag: "TakeImages", session: "s", paths, text: paths.join(" ") })
}

describe("images dropped on the prompt", () => {
  it(
    "are taken into the cache",
    atDesk(async (desk) => {
      writeFileSync(join(desk.cwd, "a.png"), PNG)
      drop(desk, "a.png")
      const { reference } = await desk.until(isTold("ImagePasted"))
      expect(existsSync(join(desk.configHome, "image-cache", reference))).toBe(true)
    })
  )

  it(
    "stay the text that was pasted where one is missing or no image",
    atDesk(async (desk) => {
      writeFileSync(join(desk.cwd, "a.png"), PNG)
      writeFileSync(join(desk.cwd, "b.png"), "words")
      drop(desk, "a.png", "b.png")
      expect((await desk.until(isTold("InsertText"))).text).toContain("b.png")
      expect(desk.heard.some(isTold("ImagePasted"))).toBe(false)
    })
  )

  it(
    "are refused with the limit when they are too large",
    atDesk(async (desk) => {
      writeFileSync(join(desk.cwd, "big.png"), Buffer.concat([PNG, Buffer.alloc(5_000_000)]))
      drop(desk, "big.png")
      await desk.until(isTold("InsertText"))
      await desk.until(isNotice("at most 3750000 can be sent"))
    })
  )
})
