import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { loadWorkingDiff } from "../../../../../src/shell/interactive/commands/files/working-diff.ts"
import { viewsOfTree } from "../../../../../src/tui/panes/changes/changes.ts"
import { hunkPatch, unifiedSource } from "../../../../../src/tui/text/diff/diff-source.ts"
import { atDesk, type Desk, isNotice, isTold } from "../../desk.ts"

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

const applied = ({ cwd }: Desk, patch: string): void => {
  execFileSync("git", ["apply", "-"], { cwd, env: ENV, input: patch, stdio: "pipe" })
}

const NUMBERS = Array.from({ length: 40 }, (_, index) => `${index + 1}\n`).join("")

describe("the working tree against the last commit", () => {
  it(
    "has both sides of every kind of change",
    atDesk(async (desk) => {
      git(desk, "init", "-q")
      for (const name of ["kept", "changed", "deleted", "staged"]) write(desk, name, `${name}\n`)
      commitAll(desk)
      write(desk, "changed", "other\r\n")
      rmSync(join(desk.cwd, "deleted"))
      write(desk, "added", "added\n")
      write(desk, "staged", "in the index\n")
      git(desk, "add", "added", "staged")
      write(desk, "staged", "in the tree\n")
      write(desk, 'new "name"\n', "new\n")
      write(desk, ".gitignore", "ignored\n")
      write(desk, "ignored", "x")
      expect(await changes(desk)).toEqual([
        { path: "added", state: "A", before: undefined, after: "added\n" },
        { path: "changed", state: "M", before: "changed\n", after: "other\n" },
        { path: "deleted", state: "D", before: "deleted\n", after: undefined },
        { path: "staged", state: "M", before: "staged\n", after: "in the tree\n" },
        { path: ".gitignore", state: "?", before: undefined, after: "ignored\n" },
        { path: 'new "name"\n', state: "?", before: undefined, after: "new\n" }
      ])
    })
  )

  it(
    "leaves out what was only touched, and what cannot be shown keeps its state",
    atDesk(async (desk) => {
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
        { path: "binary", state: "M", before: undefined, after: undefined, unseen: "binary" },
        { path: "huge", state: "M", before: undefined, after: undefined, unseen: "large" },
        { path: "latin", state: "M", before: "café\n", after: "é\n" },
        { path: "link", state: "M", before: "text\n", after: "/etc/passwd", modes: { before: "100644", after: "120000" } }
      ])
    })
  )

  it(
    "knows a renamed file, another mode and the ends of the lines that are committed",
    atDesk(async (desk) => {
      git(desk, "init", "-q")
      write(desk, "old name", NUMBERS)
      write(desk, "script", "echo\n")
      write(desk, "windows", "one\r\ntwo\r\n")
      write(desk, "image", Buffer.from([0, 1, 2, 3]))
      commitAll(desk)
      git(desk, "mv", "old name", "new name")
      git(desk, "mv", "image", "picture")
      write(desk, "new name", NUMBERS.replace("\n20\n", "\ntwenty\n"))
      chmodSync(join(desk.cwd, "script"), 0o755)
      write(desk, "windows", "one\r\n2\r\n")
      const files = await changes(desk)
      expect(
        files.map(({ path, state, oldPath, modes, unseen }) => [
          state,
          path,
          oldPath?.slice(desk.cwd.length + 1),
          modes,
          unseen
        ])
      ).toEqual([
        ["R", "new name", "old name", undefined, undefined],
        ["R", "picture", "image", undefined, "binary"],
        ["M", "script", undefined, { before: "100644", after: "100755" }, undefined],
        ["M", "windows", undefined, undefined, undefined]
      ])
      expect(files.at(-1)).toMatchObject({ before: "one\r\ntwo\r\n", after: "one\r\n2\r\n" })
    })
  )

  /** Name, committed, in the tree; undefined: there is none. */
  it.each<readonly [string, string | undefined, string | undefined]>([
    ["changed", NUMBERS, NUMBERS.replace("3\n", "three\n").replace("\n30\n", "\nthirty\n")],
    ["new", undefined, "a\nb\n"],
    ["gone", "a\nb\n", undefined],
    ["no line feed", "a", "b"],
    ["windows", "a\r\nb\r\n", "a\r\nc\r\n"],
    ["mixed", "a\r\nb\nc\r\n", "a\r\nB\nc\r\n"],
    ["new windows", undefined, "a\r\n"],
    ["with blank", "a\n", "b\n"],
    ["tab\there", "a\n", "b\n"],
    ['quote"and\\back', "a\n", "b\n"],
    ["feed\nin name", "a\n", "b\n"],
    ["ünïcode 名", "a\n", "b\n"],
    ["below/deep/new", undefined, "x\n"]
  ])("of %j is yanked as patches that git applies", (name, before, after) =>
    atDesk(async (desk) => {
      git(desk, "init", "-q")
      mkdirSync(join(desk.cwd, "below", "deep"), { recursive: true })
      write(desk, "other", "stays\n")
      if (before !== undefined) write(desk, name, before)
      commitAll(desk)
      if (after === undefined) rmSync(join(desk.cwd, name))
      else write(desk, name, after)
      const { files } = await loadWorkingDiff(desk.cwd, ENV)
      const patches = viewsOfTree(files, desk.cwd).flatMap(({ diff }) => diff.hunks.map((hunk) => hunkPatch(diff, hunk)))
      expect(patches.length).toBeGreaterThan(0)
      git(desk, "stash", "-qu")
      for (const patch of patches) applied(desk, patch)
      expect(existsSync(join(desk.cwd, name)) ? readFileSync(join(desk.cwd, name), "utf8") : undefined).toBe(after)
    })()
  )

  it(
    "is yanked as a whole with its name and its mode",
    atDesk(async (desk) => {
      git(desk, "init", "-q")
      write(desk, "old name", NUMBERS)
      commitAll(desk)
      git(desk, "mv", "old name", "new")
      write(desk, "new", NUMBERS.replace("\n20\n", "\ntwenty\n"))
      chmodSync(join(desk.cwd, "new"), 0o755)
      const { files } = await loadWorkingDiff(desk.cwd, ENV)
      const { source } = unifiedSource(viewsOfTree(files, desk.cwd).map(({ diff }) => diff))
      git(desk, "reset", "-q", "--hard")
      applied(desk, source)
      expect(existsSync(join(desk.cwd, "old name"))).toBe(false)
      expect(readFileSync(join(desk.cwd, "new"), "utf8")).toContain("twenty")
      expect(statSync(join(desk.cwd, "new")).mode & 0o100).toBe(0o100)
    })
  )

  it(
    "runs no program that the repository names",
    atDesk(async (desk) => {
      git(desk, "init", "-q")
      const marker = join(desk.cwd, "..", "ran")
      const program = join(desk.cwd, "..", "program")
      writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`)
      chmodSync(program, 0o755)
      write(desk, ".gitattributes", "* diff=own filter=own\n")
      write(desk, "file", "one\n")
      commitAll(desk)
      for (const key of [
        "diff.own.command",
        "diff.own.textconv",
        "diff.external",
        "filter.own.clean",
        "core.fsmonitor",
        "core.pager"
      ]) {
        git(desk, "config", key, program)
      }
      write(desk, "file", "two\n")
      mkdirSync(join(desk.cwd, "below"))
      const { files } = await loadWorkingDiff(join(desk.cwd, "below"), ENV)
      expect(files).toMatchObject([{ before: "one\n", after: "two\n" }])
      expect(existsSync(marker)).toBe(false)
    })
  )

  it(
    "of a repository without a commit is all new",
    atDesk(async (desk) => {
      git(desk, "init", "-q")
      write(desk, "staged", "a\n")
      git(desk, "add", "staged")
      write(desk, "loose", "b\n")
      expect(await changes(desk)).toMatchObject([
        { path: "staged", state: "A" },
        { path: "loose", state: "?" }
      ])
    })
  )

  it(
    "is told to the session, or why there is none",
    atDesk(
      async (desk) => {
        const { facts } = await desk.openSession()
        desk.performer.perform({ _tag: "LoadDiff", session: facts.sessionId })
        await desk.until(isNotice("not a git repository"))
        git(desk, "init", "-q")
        write(desk, "file", "new\n")
        desk.performer.perform({ _tag: "LoadDiff", session: facts.sessionId })
        const { files } = await desk.until(isTold("DiffLoaded"))
        expect(files).toMatchObject([{ path: join(desk.cwd, "file"), state: "?" }])
      },
      { env: ENV }
    )
  )
})
