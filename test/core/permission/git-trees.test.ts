import { describe, expect, it } from "vitest"
import type { Verdict } from "../../../src/core/permission/verdict.ts"
import { plainPath } from "../../support/plain-facts.ts"
import { decideIn, shell, type Setting } from "./fixture.ts"

/** Sub-commands of git that show or replace files which nobody names, in a repository that knows `.env` and `a`. */
const decided = (setting: Setting, command: string, watched: ReadonlyArray<string> | undefined): Verdict =>
  decideIn(setting, {
    need: shell(command),
    world: {
      repository: { root: "/work", entries: [], looksBare: false },
      tracked: [{ path: "/work", watched }],
      paths: ["main", "HEAD", "HEAD~1", "abc1234", "main...HEAD"].map((name) => ({
        ...plainPath(`/work/${name}`),
        exists: false
      }))
    }
  }).verdict

const SHOWING = [
  "git diff",
  "git diff HEAD~1",
  "git diff --cached",
  "git diff main...HEAD",
  "git diff --stat -p",
  "git diff -- .",
  "git diff -- ':!a'",
  "git diff ':!a'",
  "git show",
  "git show abc1234",
  "git show --oneline",
  "git log -p",
  "git log -u -1",
  "git log --patch",
  "git log -S x -p",
  "git log --cc",
  "git log -W",
  "git log -U3",
  "git log --word-diff",
  "git reflog -p",
  "git stash show -p",
  "git stash list -p",
  "git cat-file -p abc1234",
  "git cat-file --batch",
  "git format-patch -1",
  "git archive HEAD",
  "git fast-export HEAD",
  "git grep x",
  "git log -p -- '.e*'",
  "git diff '*env'",
  "git show HEAD -- ':(glob).[e]nv'"
]

const TELLING = [
  "git log",
  "git log --stat",
  "git diff --stat",
  "git diff --name-only",
  "git diff --quiet",
  "git show -s",
  "git show --stat",
  "git stash list",
  "git stash show",
  "git diff a",
  "git diff -- a",
  "git log -p a",
  "git log -p -- src",
  "git show HEAD:a",
  "git show HEAD -- a",
  "git diff '*.ts'",
  "git grep x src",
  "git cat-file -p HEAD",
  "git blame a",
  "git status"
]

const REPLACING = [
  "git reset --hard",
  "git reset --keep HEAD~1",
  "git checkout main",
  "git checkout -f",
  "git checkout -",
  "git switch main",
  "git checkout -b x main",
  "git stash",
  "git stash pop",
  "git pull",
  "git merge main",
  "git rebase main",
  "git cherry-pick abc1234",
  "git revert HEAD",
  "git bisect start",
  "git read-tree -u -m HEAD",
  "git checkout-index -a -f"
]

const KEEPING = [
  "git reset",
  "git reset --soft HEAD~1",
  "git checkout -b x",
  "git switch -c x",
  "git checkout a",
  "git checkout HEAD~1 -- a",
  "git stash list",
  "git stash drop",
  "git fetch",
  "git push",
  "git commit -m x",
  "git add a",
  "git read-tree HEAD"
]

describe("git and files that a rule names", () => {
  it.each(SHOWING)("%s could show them", (command) => {
    expect(decided({ mode: "bypassPermissions", deny: ["Read(.env)"] }, command, ["/work/.env"])).toBe("ask")
    expect(decided({ mode: "bypassPermissions", deny: ["Read(.env)"] }, command, undefined)).toBe("ask")
  })

  it.each(TELLING)("%s does not show them", (command) => {
    expect(decided({ mode: "bypassPermissions", deny: ["Read(.env)"] }, command, ["/work/.env"])).toBe("allow")
  })

  it.each([...SHOWING, ...REPLACING])("%s is not asked about when git does not know them", (command) => {
    expect(decided({ mode: "bypassPermissions", deny: ["Read(.env)", "Edit(.env)"] }, command, [])).toBe("allow")
  })

  it.each(REPLACING)("%s could replace them", (command) => {
    expect(decided({ mode: "bypassPermissions", deny: ["Edit(.env)"] }, command, ["/work/.env"])).toBe("ask")
  })

  it.each(KEEPING)("%s does not replace them", (command) => {
    expect(decided({ mode: "bypassPermissions", deny: ["Edit(.env)"] }, command, ["/work/.env"])).toBe("allow")
  })

  it.each(["git show :0:.env", "git show HEAD:.env", "git show :.env", "git cat-file -p HEAD:./.env", "git log -L1,2:.env"])(
    "%s names one of them",
    (command) => {
      expect(decided({ mode: "bypassPermissions", deny: ["Read(.env)"] }, command, [])).toBe("deny")
    }
  )
})
