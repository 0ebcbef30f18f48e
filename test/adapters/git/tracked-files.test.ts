import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/git/node.ts"
import { Git } from "../../../src/core/ports/Git.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"

const trackedFiles = (directory: string): ReadonlyArray<string> | undefined =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Git, (git) => git.trackedFiles(directory)),
      layer
    )
  )

const repository = (...options: ReadonlyArray<string>): string => {
  const root = freshDirectory()
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" }
  const git = (...words: ReadonlyArray<string>) => execFileSync("git", words, { cwd: root, env, stdio: "pipe" })
  git("init", "-q", ...options)
  for (const name of [".env", "a b.txt", "src/deep/x.ts", "src/y.ts"]) putFile(join(root, name), "x")
  git("add", "-A")
  putFile(join(root, "new.txt"), "x")
  return root
}

const names = (root: string, found: ReadonlyArray<string> | undefined) => found?.map((path) => path.slice(root.length + 1))

describe("files that git knows", () => {
  it.each([[[]], [["--object-format=sha256"]]])("are read from the index %j", (options) => {
    const root = repository(...options)
    const expected = [".env", "a b.txt", "src/deep/x.ts", "src/y.ts"]
    expect(names(root, trackedFiles(root))).toEqual(expected)
    expect(names(root, trackedFiles(join(root, "src/deep")))).toEqual(expected)
    expect(names(root, trackedFiles(join(root, "src/y.ts")))).toEqual(expected)
    expect(names(root, trackedFiles(join(root, "missing")))).toEqual(expected)
  })

  it("are none outside of a repository and in one without an index", () => {
    const root = freshDirectory()
    expect(trackedFiles(root)).toEqual([])
    mkdirSync(join(root, ".git"))
    writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n")
    expect(trackedFiles(root)).toEqual([])
  })

  it("are not known when the index is damaged", () => {
    const root = repository()
    writeFileSync(join(root, ".git/index"), "DIRC")
    expect(trackedFiles(root)).toBeUndefined()
  })
})
