import { describe, expect, it } from "vitest"
import type { Verdict } from "../../../src/core/permission/verdict.ts"
import type { World } from "../../support/plain-facts.ts"
import { decideIn, shell } from "./fixture.ts"

/** Ways to a file that a rule names which are not an operand: values of flags, code, patterns of git, lists. */
const glob = (pattern: string) => ({ glob: `/work/${pattern}`, matches: ["/work/.env"], complete: true })

const WORLD: World = {
  globs: [".e*", ".e?v", ".[e]nv"].map(glob),
  tracked: [{ path: "/work", watched: [] }],
  below: [
    { path: "/work", protectedPaths: [], secrets: [], watched: ["/work/.env"], watchedAll: true, links: [], complete: true }
  ]
}

const decided = (command: string): Verdict =>
  decideIn({ mode: "bypassPermissions", deny: ["Read(.env)"] }, { need: shell(command), world: WORLD }).verdict

describe("paths that a rule names", () => {
  it.each([
    "grep -f .e* a",
    "sed -f .e?v a",
    "awk -f .[e]nv a",
    "grep --file=.e* a",
    "vim -es -c 'r .e*' -c q!",
    "vim -c 'r $PWD/.env' a",
    "vim -c 'r .en\\v' a",
    "ed -s .env"
  ])("%s is denied", (command) => {
    expect(decided(command)).toBe("deny")
  })

  it.each([
    "file -f list",
    "git add '[.]env'",
    "git rm --cached '*env'",
    "git stash -u",
    "git stash push --all",
    "python3 -c \"open('${X-.env}')\"",
    "node -e \"require('fs').readFileSync('$F')\"",
    "curl file://$PWD/{.env,a}",
    "curl -s file:///work/.en$Y'v'"
  ])("%s could be meant", (command) => {
    expect(decided(command)).toBe("ask")
  })

  it.each([
    "grep -f pats a",
    "file -b a",
    "git add src",
    "git add '*.ts'",
    "git stash",
    'python3 -c "print(1)"',
    "awk '{print $1 * 2}' a",
    "curl https://h/x",
    "vim -c 'set nu' a"
  ])("%s is about something else", (command) => {
    expect(decided(command)).toBe("allow")
  })
})
