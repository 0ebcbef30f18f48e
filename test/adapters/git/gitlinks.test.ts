import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { configurationOf } from "../../../src/adapters/git/configuration.ts"
import { gitlinksIn } from "../../../src/adapters/git/gitlinks.ts"

const root = mkdtempSync(join(tmpdir(), "nacre-git-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const ENV = {
  PATH: process.env["PATH"] ?? "",
  HOME: root,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b"
}

const git = (directory: string, ...args: ReadonlyArray<string>): void => {
  execFileSync("git", args, { cwd: directory, env: ENV, stdio: "pipe" })
}

const repository = (name: string, ...options: ReadonlyArray<string>): string => {
  const directory = join(root, name)
  mkdirSync(directory, { recursive: true })
  git(directory, "init", "-q", ...options)
  writeFileSync(join(directory, "file"), "x\n")
  git(directory, "add", "file")
  git(directory, "commit", "-qm", "x")
  return directory
}

const keys = (directory: string): ReadonlyArray<string> => configurationOf(directory).entries.map(({ key }) => key)

describe("what a repository says about itself", () => {
  it("reads its own configuration, from below as well", () => {
    const outer = repository("plain")
    git(outer, "config", "core.fsmonitor", "./x")
    mkdirSync(join(outer, "sub"))
    expect(keys(outer)).toContain("core.fsmonitor")
    expect(keys(join(outer, "sub"))).toContain("core.fsmonitor")
    expect(configurationOf(outer)).toMatchObject({ looksBare: false })
    expect(configurationOf(join(outer, ".git")).looksBare).toBe(true)
  })

  it.each([2, 3, 4])("reads the repositories that an index of version %d names, at any depth", (version) => {
    const outer = repository(`outer${version}`)
    const inner = repository(`outer${version}/a/inner`)
    const innermost = repository(`outer${version}/a/inner/innermost`)
    git(innermost, "config", "filter.x.clean", "./y")
    git(inner, "add", "innermost")
    git(inner, "commit", "-qm", "x")
    git(outer, "add", "a/inner")
    // An entry that is only intended makes version 3.
    writeFileSync(join(outer, "b"), "")
    if (version === 3) git(outer, "add", "-N", "b")
    else git(outer, "update-index", "--index-version", String(version))
    expect(keys(outer)).toContain("filter.x.clean")
    expect(configurationOf(outer).unreadable).toBeUndefined()
  })

  it("does not trust an index that it cannot read", () => {
    expect(gitlinksIn(Buffer.from("DIRC link"), 20)).toBeUndefined()
    expect(gitlinksIn(Buffer.from("nothing that looks like a link to others"), 20)).toBeUndefined()
    expect(gitlinksIn(Buffer.from("DIRC"), 20)).toEqual([])
    const outer = repository("split")
    git(outer, "update-index", "--split-index")
    expect(configurationOf(outer).unreadable).toBe(true)
  })

  it("knows long hashes", () => {
    const outer = repository("long", "--object-format=sha256")
    const inner = repository("long/inner", "--object-format=sha256")
    git(inner, "config", "diff.x.textconv", "./y")
    git(outer, "add", "inner")
    expect(keys(outer)).toContain("diff.x.textconv")
  })
})
