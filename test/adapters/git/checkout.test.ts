import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/git/node.ts"
import { Git } from "../../../src/core/ports/Git.ts"
import { PLACEHOLDER_MODE } from "../../../src/core/sandbox/platform/placeholder.ts"
import { trustPlace } from "../../../src/core/settings/trust/trusted-folder.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"

/** What repositories look like on the disk, and what a folder can only pretend to be. */
const git = Effect.runSync(Git.pipe(Effect.provide(layer)))

const run = (cwd: string, ...args: ReadonlyArray<string>): void =>
  void execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main", ...args], {
    cwd,
    stdio: "ignore"
  })

const repository = (): string => {
  const root = join(realpathSync(freshDirectory()), "main")
  mkdirSync(root)
  run(root, "init")
  run(root, "commit", "--allow-empty", "-m", "first")
  return root
}

const keyOf = (start: string): string => {
  const found = git.checkout(start)
  return trustPlace({ start, home: "/nobody", ...(found === undefined ? {} : { repository: found }) }).key
}

describe("the repository around a directory", () => {
  it("is found from below", () => {
    const root = repository()
    mkdirSync(join(root, "a/b"), { recursive: true })
    expect(keyOf(join(root, "a/b"))).toBe(root)
    expect(git.facts(join(root, "a/b"))).toEqual({ isRepository: true, branch: "main" })
  })

  it("is not what only stands in for one while sandboxed commands run", () => {
    const folder = realpathSync(freshDirectory())
    mkdirSync(join(folder, "sub"))
    mkdirSync(join(folder, ".git"), { mode: PLACEHOLDER_MODE })
    expect(keyOf(join(folder, "sub"))).toBe(join(folder, "sub"))
    chmodSync(join(folder, ".git"), 0o755)
    expect(keyOf(join(folder, "sub"))).toBe(folder)
  })

  it("of a real worktree is the main checkout", () => {
    const root = repository()
    const tree = `${root}-tree`
    run(root, "worktree", "add", "-b", "other", tree)
    expect(keyOf(tree)).toBe(root)
    expect(git.facts(tree).branch).toBe("other")
  })

  it("of a pretended worktree is the folder itself", () => {
    const trusted = repository()
    run(trusted, "worktree", "add", "-b", "other", `${trusted}-tree`)
    const evil = join(realpathSync(freshDirectory()), "evil")
    putFile(join(evil, ".git"), `gitdir: ${trusted}/.git/worktrees/main-tree\n`)
    expect(keyOf(evil)).toBe(evil)
  })

  it("does not follow commondir or a link", () => {
    const trusted = repository()
    const evil = join(realpathSync(freshDirectory()), "evil")
    putFile(join(evil, ".git/commondir"), `${trusted}/.git\n`)
    putFile(join(evil, ".git/gitdir"), `${evil}/.git\n`)
    expect(keyOf(evil)).toBe(evil)
    const linked = join(realpathSync(freshDirectory()), "linked")
    mkdirSync(linked)
    symlinkSync(join(trusted, ".git"), join(linked, ".git"))
    expect(keyOf(linked)).toBe(linked)
  })

  it("is not waited for where a pipe or a device stands", () => {
    const root = realpathSync(freshDirectory())
    execFileSync("mkfifo", [join(root, ".git")])
    expect(git.facts(root)).toEqual({ isRepository: false })
    expect(keyOf(root)).toBe(root)
    const other = realpathSync(freshDirectory())
    mkdirSync(join(other, ".git"))
    symlinkSync("/dev/zero", join(other, ".git/HEAD"))
    expect(git.facts(other)).toEqual({ isRepository: true })
  })
})

describe("files that came with a repository", () => {
  it("are those of the index", () => {
    const root = repository()
    putFile(join(root, "sub/.claude/settings.local.json"), "{}")
    const file = join(root, "sub/.claude/settings.local.json")
    expect(git.isTracked(file)).toBe(false)
    run(root, "add", "-f", "sub/.claude/settings.local.json")
    expect(git.isTracked(file)).toBe(true)
    expect(git.isTracked(join(root, "other/.claude/settings.local.json"))).toBe(false)
  })

  it("are all of them when the index cannot be understood", () => {
    const root = repository()
    const file = join(root, ".claude/settings.local.json")
    putFile(join(root, "a"), "a")
    run(root, "add", "a")
    expect(git.isTracked(file)).toBe(false)
    run(root, "update-index", "--index-version", "4")
    expect(git.isTracked(file)).toBe(true)
    writeFileSync(join(root, ".git/index"), "broken")
    expect(git.isTracked(file)).toBe(true)
    expect(git.isTracked(join(realpathSync(freshDirectory()), "x"))).toBe(false)
  })
})
