import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { loadWorkingDiff } from "../../../src/shell/interactive/working-diff.ts"
import { atDesk, type Desk, isNotice, isTold } from "./desk.ts"

const ENV = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" }

const git = ({ cwd }: Desk, ...args: ReadonlyArray<string>): void => {
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@e", ...args], { cwd, env: ENV, stdio: "pipe" })
}

const write = ({ cwd }: Desk, path: string, content: string | Uint8Array): void => writeFileSync(join(cwd, path), content)

const commitAll = (desk: Desk): void => {
  git(desk, "add", "-A")
  git(desk, "commit", "-qm", "all")
}

const changes = async ({ cwd }: Desk) => {
  const { files } = await loadWorkingDiff(cwd, ENV)
  return files.map(({ path, ...file }) => ({ path: path.slice(cwd.length + 1), ...file }))
}

describe("the working tree against the last commit", () => {
  it("has both sides of every kind of change", atDesk(async (desk) => {
    git(desk, "init", "-q")
    for (const name of ["kept", "changed", "deleted", "staged"]) write(desk, name, `${name}\n`)
    commitAll(desk)
    write(desk, "changed", "other\r\n")
    rmSync(join(desk.cwd, "deleted"))
    write(desk, "added", "added\n")
    write(desk, "staged", "in the index\n")
    git(desk, "add", "added", "staged")
    write(desk, "staged", "in the tree\n")
    write(desk, "new \"name\"\n", "new\n")
    write(desk, ".gitignore", "ignored\n")
    write(desk, "ignored", "x")
    expect(await changes(desk)).toEqual([
      { path: "added", state: "A", before: undefined, after: "added\n" },
      { path: "changed", state: "M", before: "changed\n", after: "other\n" },
      { path: "deleted", state: "D", before: "deleted\n", after: undefined },
      { path: "staged", state: "M", before: "staged\n", after: "in the tree\n" },
      { path: ".gitignore", state: "?", before: undefined, after: "ignored\n" },
      { path: "new \"name\"\n", state: "?", before: undefined, after: "new\n" }
    ])
  }))

  it("leaves out what was only touched, and what cannot be shown keeps its state", atDesk(async (desk) => {
    git(desk, "init", "-q")
    for (const name of ["touched", "binary", "huge", "link"]) write(desk, name, "text\n")
    write(desk, "latin", Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
    commitAll(desk)
    utimesSync(join(desk.cwd, "touched"), 1, 1)
    write(desk, "binary", Buffer.from([0, 1, 2]))
    write(desk, "huge", "x".repeat(2 * 1024 * 1024))
    write(desk, "latin", Buffer.from([0xe9, 0x0a]))
    rmSync(join(desk.cwd, "link"))
    symlinkSync("/etc/passwd", join(desk.cwd, "link"))
    expect(await changes(desk)).toEqual([
      { path: "binary", state: "M", before: undefined, after: undefined },
      { path: "huge", state: "M", before: undefined, after: undefined },
      { path: "latin", state: "M", before: "café\n", after: "é\n" },
      { path: "link", state: "M", before: "text\n", after: "/etc/passwd" }
    ])
  }))

  it("runs no program that the repository names", atDesk(async (desk) => {
    git(desk, "init", "-q")
    const marker = join(desk.cwd, "..", "ran")
    const program = join(desk.cwd, "..", "program")
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`)
    chmodSync(program, 0o755)
    write(desk, ".gitattributes", "* diff=own filter=own\n")
    write(desk, "file", "one\n")
    commitAll(desk)
    for (const key of ["diff.own.command", "diff.own.textconv", "diff.external", "filter.own.clean", "core.fsmonitor", "core.pager"]) {
      git(desk, "config", key, program)
    }
    write(desk, "file", "two\n")
    mkdirSync(join(desk.cwd, "below"))
    const { files } = await loadWorkingDiff(join(desk.cwd, "below"), ENV)
    expect(files).toMatchObject([{ before: "one\n", after: "two\n" }])
    expect(existsSync(marker)).toBe(false)
  }))

  it("of a repository without a commit is all new", atDesk(async (desk) => {
    git(desk, "init", "-q")
    write(desk, "staged", "a\n")
    git(desk, "add", "staged")
    write(desk, "loose", "b\n")
    expect(await changes(desk)).toMatchObject([{ path: "staged", state: "A" }, { path: "loose", state: "?" }])
  }))

  it("is told to the session, or why there is none", atDesk(async (desk) => {
    const { facts } = await desk.openSession()
    desk.performer.perform({ _tag: "LoadDiff", session: facts.sessionId })
    await desk.until(isNotice("not a git repository"))
    git(desk, "init", "-q")
    write(desk, "file", "new\n")
    desk.performer.perform({ _tag: "LoadDiff", session: facts.sessionId })
    const { files } = await desk.until(isTold("DiffLoaded"))
    expect(files).toMatchObject([{ path: join(desk.cwd, "file"), state: "?" }])
  }, { env: ENV }))
})
