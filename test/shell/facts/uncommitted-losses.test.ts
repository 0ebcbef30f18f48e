import { execFileSync } from "node:child_process"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { analyse } from "../../../src/core/permission/bash/analysis/analyse.ts"
import { lossesOf } from "../../../src/shell/facts/uncommitted-losses.ts"
import { parseShell } from "../../support/plain-facts.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"
import { decideIn, shell } from "../../core/permission/fixture.ts"

/** What the question about a command that loses work says, in a real repository. */
let root = ""
let env: Readonly<Record<string, string>> = {}

const git = (...words: ReadonlyArray<string>): void => {
  execFileSync("git", words, { cwd: root, env, stdio: "pipe" })
}

beforeEach(() => {
  root = freshDirectory()
  const person = { NAME: "a", EMAIL: "a@b" }
  env = {
    PATH: process.env["PATH"] ?? "",
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(
      Object.entries(person).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value]
      ])
    )
  }
  git("init", "-q", "-b", "main")
  for (const name of ["a.txt", "b c.txt", "d.txt"]) putFile(`${root}/${name}`, "x")
  git("add", "-A")
  git("commit", "-qm", "first")
})

const lost = (command: string) => {
  const place = { home: "/h", cwd: root, workingDirs: [root] }
  return Effect.runPromise(lossesOf([analyse(command, { ...place, parse: parseShell })], { directory: root, env }))
}

describe("what would be lost", () => {
  it("names files with changes, files that git does not know, stashes and commits", async () => {
    putFile(`${root}/a.txt`, "y")
    putFile(`${root}/b c.txt`, "y")
    putFile(`${root}/new.txt`, "y")
    expect(await lost("git reset --hard")).toEqual([{ kind: "files", names: ["a.txt", "b c.txt"], count: 2 }])
    expect(await lost("git clean -fd")).toEqual([{ kind: "untracked", names: ["new.txt"], count: 1 }])
    git("stash")
    expect(await lost("git stash drop")).toMatchObject([
      { kind: "stashes", names: ["stash@{0} WIP on main: " + head()], count: 1 }
    ])
    git("checkout", "-q", "-b", "other")
    putFile(`${root}/d.txt`, "z")
    git("commit", "-qam", "only here")
    git("checkout", "-q", "main")
    expect(await lost("git branch -D other")).toMatchObject([
      { kind: "commits", names: [expect.stringContaining("only here")], count: 1 }
    ])
  })

  const head = (): string =>
    execFileSync("git", ["log", "-1", "--format=%h %s", "main"], { cwd: root, env }).toString().trim()

  it("asks nobody for commands that lose nothing, and does without a repository", async () => {
    expect(await lost("git status")).toEqual([])
    expect(await lost("ls")).toEqual([])
    expect(await lost("truncate -s 0 a.txt")).toEqual([])
    root = freshDirectory()
    expect(await lost("git reset --hard")).toEqual([])
  })

  it("the question names it", () => {
    const asked = (count: number, names: ReadonlyArray<string>) =>
      decideIn(
        { allow: ["Bash(git *)"] },
        { need: shell("git reset --hard"), world: { lost: [{ kind: "files", names, count }] } }
      ).loss
    expect(asked(2, ["a.txt", "b\u001bc"])).toMatch(/not committed: a\.txt, b.*c$/)
    expect(asked(2, ["a.txt", "b\u001bc"])).not.toContain("\u001b")
    expect(
      asked(
        20,
        Array.from({ length: 20 }, (_, index) => `f${index}`)
      )
    ).toMatch(/: f0, .*f7 and 12 more$/)
    expect(asked(0, [])).toContain("there are none now")
  })
})
