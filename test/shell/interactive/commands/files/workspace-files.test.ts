import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { atDesk, type Desk, isToldThat } from "../../desk.ts"

const make = (desk: Desk, ...paths: ReadonlyArray<string>): void => {
  for (const path of paths) {
    mkdirSync(dirname(join(desk.cwd, path)), { recursive: true })
    writeFileSync(join(desk.cwd, path), "")
  }
}

let request = 0

const find = async (desk: Desk, query: string): Promise<ReadonlyArray<string>> => {
  const mine = ++request
  desk.performer.perform({ _tag: "FindFiles", session: "s", query, request: mine, isMention: true })
  const { paths } = await desk.until(isToldThat("FilesFound", (found) => found.request === mine))
  return paths
}

describe("files to mention", () => {
  it(
    "are found by a few letters, with their directories, and without what is ignored or hidden",
    atDesk(async (desk) => {
      mkdirSync(join(desk.cwd, ".git"))
      make(desk, "src/app/model.ts", "src/app/view.ts", "docs/model.md", ".github/model.yml", "build/model.js")
      writeFileSync(join(desk.cwd, ".gitignore"), "build\n")
      expect((await find(desk, "model")).toSorted()).toEqual(["docs/model.md", "src/app/model.ts"])
      expect(await find(desk, "app")).toContain("src/app/")
      expect(await find(desk, ".git")).toEqual(expect.arrayContaining([".github/", ".gitignore"]))
      expect((await find(desk, ".gi")).some((path) => path.startsWith(".git/"))).toBe(false)
      expect(await find(desk, "model.ts")).toEqual(["src/app/model.ts"])
      expect(await find(desk, "nothing like it")).toEqual([])
    })
  )

  it(
    "are at most fifteen",
    atDesk(async (desk) => {
      make(desk, ...Array.from({ length: 40 }, (_, index) => `file-${index}.txt`))
      expect(await find(desk, "file")).toHaveLength(15)
      expect(await find(desk, "")).toHaveLength(15)
    })
  )

  it(
    "outside the workspace are listed as they are typed",
    atDesk(async (desk) => {
      make(desk, "../home/notes/one.md", "../home/notes/.secret", "../home/other.md")
      expect(await find(desk, "~/no")).toEqual(["~/notes/"])
      expect(await find(desk, "../home/notes/")).toEqual(["../home/notes/one.md"])
      expect(await find(desk, `${dirname(desk.cwd)}/home/o`)).toEqual([`${dirname(desk.cwd)}/home/other.md`])
      expect(await find(desk, "/no/such/place/")).toEqual([])
    })
  )

  it(
    "answer only the newest question of a session",
    atDesk(async (desk) => {
      make(desk, "alpha", "beta")
      desk.performer.perform({ _tag: "FindFiles", session: "s", query: "alp", request: 1_001, isMention: true })
      desk.performer.perform({ _tag: "FindFiles", session: "s", query: "bet", request: 1_002, isMention: true })
      const { paths } = await desk.until(isToldThat("FilesFound", (found) => found.request === 1_002))
      expect(paths).toEqual(["beta"])
      expect(desk.heard.some(isToldThat("FilesFound", (found) => found.request === 1_001))).toBe(false)
    })
  )
})
