import { describe, expect, it } from "vitest"
import { repositoryProblem } from "../../../../../src/core/permission/bash/proofs/git-proof.ts"
import { QUIET_REPOSITORY, whyNotReading } from "../analysing.ts"

const READING = [
  "git status",
  "git status -sb",
  "git status --porcelain=v2",
  "git log",
  "git log -5",
  "git log -n 5 --oneline",
  "git log --format='%h %s'",
  "git log --since=yesterday --author=a",
  "git log -p -- src",
  "git log main..dev",
  "git diff",
  "git diff HEAD~1",
  "git diff --stat main...dev -- a b",
  "git diff --cached --name-only",
  "git show HEAD",
  "git show HEAD:src/a.ts",
  "git blame -L 1,5 a",
  "git shortlog -sn",
  "git describe --tags --always",
  "git rev-parse HEAD",
  "git rev-parse --abbrev-ref HEAD",
  "git rev-parse --show-toplevel",
  "git rev-list --count HEAD",
  "git name-rev HEAD",
  "git merge-base a b",
  "git ls-files",
  "git ls-files -o --exclude-standard",
  "git ls-tree -r HEAD --name-only",
  "git cat-file -p HEAD",
  "git for-each-ref --format='%(refname)'",
  "git show-ref --heads",
  "git count-objects -vH",
  "git check-ignore -v a",
  "git reflog",
  "git reflog show",
  "git reflog -5",
  "git stash list",
  "git stash show -p",
  "git worktree list",
  "git remote",
  "git remote -v",
  "git branch",
  "git branch -a",
  "git branch -vv",
  "git branch --show-current",
  "git branch --list 'x*'",
  "git branch --merged main",
  "git branch --contains HEAD",
  "git tag",
  "git tag -l",
  "git tag --list 'v*'",
  "git config --get user.name",
  "git config --list",
  "git config -l",
  "git grep foo",
  "git grep -n foo -- src",
  "git --no-pager log",
  "git -C . status",
  "git -C /work status",
  "git --no-optional-locks status"
]

const NOT_READING = [
  "git grep --untracked x",
  "git rev-parse --show-superproject-working-tree",
  "git",
  "git commit",
  "git add a",
  "git push",
  "git fetch",
  "git pull",
  "git ls-remote",
  "git remote show origin",
  "git remote add x y",
  "git branch x",
  "git branch -d x",
  "git branch -D x",
  "git branch -m x",
  "git branch -v x",
  "git tag x",
  "git tag -d x",
  "git tag -v x",
  "git stash",
  "git stash pop",
  "git stash drop",
  "git worktree add x",
  "git config user.name x",
  "git config --get --add x y",
  "git config --file x --list",
  "git config --unset x",
  "git reflog expire --all",
  "git reflog delete x",
  "git log --output=x",
  "git diff --output x",
  "git diff --outp=x",
  "git grep -O foo",
  "git grep --open-files-in-pager foo",
  "git grep -Oless foo",
  "git diff --ext-diff",
  "git log --ext-diff",
  "git show --textconv HEAD",
  "git cat-file --textconv HEAD:a",
  "git cat-file --filters HEAD:a",
  "git cat-file a",
  "git log --show-signature",
  "git log --format=%G?",
  "git log --pretty='%h %GK'",
  "git for-each-ref --format='%(signature)'",
  "git -c core.pager=x log",
  "git -c a=b status",
  "git --exec-path=x status",
  "git --git-dir=x status",
  "git --work-tree=/ status",
  "git --config-env=a=b log",
  "git -C sub status",
  "git -C /elsewhere log",
  "git -P log",
  'git log "--output=x"',
  "git lo\\g",
  "git log $X",
  "git log *",
  "git status; git fetch",
  "cd sub && git status",
  "git bisect run x",
  "git diff --no-index a b",
  "git archive HEAD",
  "git help log",
  "git notes",
  "git submodule status",
  "git rev-parse --parseopt",
  "git blame --contents x a",
  "git ls-files -X x",
  "git ls-files --exclude-from=x",
  "git diff -Ox"
]

describe("git that only shows", () => {
  it.each(READING.map((command) => [command]))("proven: %s", (command) => {
    expect(whyNotReading(command), command).toBeUndefined()
  })

  it.each(NOT_READING.map((command) => [command]))("not proven: %s", (command) => {
    expect(whyNotReading(command), command).toBeTypeOf("string")
  })

  it("`cd` to the directory one is in changes nothing", () => {
    expect(whyNotReading("cd /work && git status")).toBeUndefined()
    expect(whyNotReading("cd . && git status")).toBeUndefined()
  })
})

describe("what a repository says", () => {
  const EXECUTING = [
    "core.fsmonitor",
    "core.hooksPath",
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.gitProxy",
    "core.askPass",
    "pager.log",
    "diff.external",
    "diff.x.command",
    "diff.x.textconv",
    "filter.x.clean",
    "filter.x.smudge",
    "filter.x.process",
    "merge.x.driver",
    "gpg.program",
    "gpg.ssh.program",
    "alias.st",
    "credential.helper",
    "credential.https://x.helper",
    "include.path",
    "includeIf.gitdir:x.path",
    "interactive.diffFilter",
    "uploadpack.packObjectsHook"
  ]

  it.each(EXECUTING.map((key) => [key]))("names %s", (key) => {
    const repository = { entries: [{ key, value: "./x" }], looksBare: false }
    expect(whyNotReading("git status", { repository })).toContain(key)
    expect(whyNotReading("ls", { repository })).toBeUndefined()
  })

  it("knows what git-lfs writes", () => {
    const entry = (key: string, value: string) => ({ entries: [{ key, value }], looksBare: false })
    expect(repositoryProblem(entry("filter.lfs.clean", "git-lfs clean -- %f"))).toBeUndefined()
    expect(repositoryProblem(entry("filter.lfs.smudge", "git-lfs smudge -- %f"))).toBeUndefined()
    expect(repositoryProblem(entry("filter.lfs.process", "git-lfs filter-process"))).toBeUndefined()
    expect(repositoryProblem(entry("filter.lfs.process", "git-lfs filter-process; ./x"))).toContain("filter.lfs.process")
    expect(repositoryProblem(entry("core.fsmonitor", "false"))).toBeUndefined()
  })

  it("a format of the repository that checks signatures starts another program", () => {
    const entry = (value: string) => ({ entries: [{ key: "format.pretty", value }], looksBare: false })
    expect(repositoryProblem(entry("format:%h %G?"))).toContain("format.pretty")
    expect(repositoryProblem(entry("oneline"))).toBeUndefined()
  })

  it("needs facts, and no bare repository in the place itself", () => {
    expect(repositoryProblem(undefined)).toBeTypeOf("string")
    expect(repositoryProblem({ ...QUIET_REPOSITORY, looksBare: true })).toContain("bare")
    expect(repositoryProblem({ ...QUIET_REPOSITORY, unreadable: true })).toBeTypeOf("string")
    expect(repositoryProblem(QUIET_REPOSITORY)).toBeUndefined()
  })
})
