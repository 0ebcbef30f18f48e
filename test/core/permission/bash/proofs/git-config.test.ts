import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readGitConfig } from "../../../../../src/core/permission/bash/proofs/git-config.ts"

const entriesOf = (text: string) => readGitConfig(text).entries.map(({ key, value }) => `${key}=${value}`)

describe("the configuration of a repository as data", () => {
  it("reads sections, subsections, names in any case and values", () => {
    const text = [
      "# comment",
      "[core]",
      "\trepositoryformatversion = 0 ; comment",
      '  FSMonitor = "./x y" # comment',
      '[Filter "LFS.x"]',
      "clean = git-lfs clean -- %f",
      "required",
      '[remote "a \\"b\\""] url = c',
      "[diff.old]",
      "command = one \\",
      "two"
    ].join("\n")
    expect(entriesOf(text)).toEqual([
      "core.repositoryformatversion=0",
      "core.fsmonitor=./x y",
      "filter.LFS.x.clean=git-lfs clean -- %f",
      "filter.LFS.x.required=true",
      'remote.a "b".url=c',
      "diff.old.command=one two"
    ])
    expect(readGitConfig(text).isSound).toBe(true)
  })

  it.each(["name = before any section", "[core", "[core]\n= value", "[core]\n1name = x"])("finds %j unsound", (text) => {
    expect(readGitConfig(text).isSound).toBe(false)
  })

  it("takes any text without failing, and quickly", () => {
    fc.assert(fc.property(fc.string(), (text) => readGitConfig(text).entries.every(({ key }) => key.includes("."))))
    const from = performance.now()
    readGitConfig(`[a]\n${"b = \\\n".repeat(50_000)}`)
    readGitConfig(`${'[a "'.repeat(20_000)}\n${"\\".repeat(100_000)}`)
    expect(performance.now() - from).toBeLessThan(2_000)
  })
})
