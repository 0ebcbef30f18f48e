import { describe, expect, it } from "vitest"
import { configurationOf } from "../../../src/adapters/git/configuration.ts"
import { freshDirectory, putFile, putLink } from "../../support/temp-world.ts"

const keysOf = (directory: string) => configurationOf(directory).entries.map(({ key }) => key)

describe("what a repository configures", () => {
  it("is empty outside a repository", () => {
    expect(configurationOf(freshDirectory())).toEqual({ entries: [], looksBare: false })
  })

  it("is found from below, with what is included, whatever the condition says", () => {
    const root = freshDirectory()
    putFile(
      `${root}/.git/config`,
      '[core]\nbare = false\n[include]\npath = more\n[includeIf "gitdir:/nowhere/"]\npath = rare\n'
    )
    putFile(`${root}/.git/more`, "[alias]\nst = !x\n")
    putFile(`${root}/.git/rare`, "[core]\npager = x\n")
    putFile(`${root}/.git/config.worktree`, "[core]\nhooksPath = x\n")
    putFile(`${root}/a/b/file`, "")
    expect(keysOf(`${root}/a/b`)).toEqual([
      "core.bare",
      "include.path",
      "alias.st",
      "includeif.gitdir:/nowhere/.path",
      "core.pager",
      "core.hookspath"
    ])
  })

  it("is found through the file of a linked worktree and its common directory", () => {
    const root = freshDirectory()
    putFile(`${root}/main/.git/config`, "[core]\nfsmonitor = x\n")
    putFile(`${root}/main/.git/worktrees/w/commondir`, "../..\n")
    putFile(`${root}/main/.git/worktrees/w/config.worktree`, "[core]\npager = x\n")
    putFile(`${root}/w/.git`, `gitdir: ${root}/main/.git/worktrees/w\n`)
    expect(keysOf(`${root}/w`)).toEqual(["core.fsmonitor", "core.pager"])
  })

  it("says when it cannot be read or goes in circles", () => {
    const root = freshDirectory()
    putFile(`${root}/a/.git/config`, "[include]\npath = config\n")
    expect(configurationOf(`${root}/a`).unreadable).toBe(true)
    putFile(`${root}/b/.git/config/is/a/directory`, "")
    expect(configurationOf(`${root}/b`).unreadable).toBe(true)
    putFile(`${root}/c/.git`, "nothing that git understands")
    expect(configurationOf(`${root}/c`).unreadable).toBe(true)
    putLink(`${root}/d/.git`, `${root}/a/.git`)
    expect(configurationOf(`${root}/d`).unreadable).toBe(true)
  })

  it("knows a directory that is a repository itself", () => {
    const root = freshDirectory()
    for (const name of ["HEAD", "objects/x", "refs/x"]) putFile(`${root}/${name}`, "")
    expect(configurationOf(root).looksBare).toBe(true)
  })
})
