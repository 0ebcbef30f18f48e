import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type CheckoutFacts, trustPlace } from "../../../../src/core/settings/trust/trusted-folder.ts"

const home = "/home/me"
const place = (start: string, repository?: CheckoutFacts) =>
  trustPlace({ start, home, ...(repository === undefined ? {} : { repository }) })

const linked = (gitDir: string, listed: string | undefined): CheckoutFacts => ({
  root: "/w/tree",
  linked: { gitDir, listed }
})

describe("the folder that is trusted", () => {
  it.each([
    ["no repository: the folder itself", "/w/a", undefined, { key: "/w/a", kind: "folder" }],
    ["inside a repository: its root", "/w/a/sub", { root: "/w/a" }, { key: "/w/a", kind: "repository" }],
    ["the home directory: for the session", home, undefined, { key: home, kind: "home" }],
    ["above the home directory: for the session", "/", { root: "/" }, { key: "/", kind: "home" }],
    ["a repository at home covers nothing below it", `${home}/a`, { root: home }, { key: `${home}/a`, kind: "folder" }],
    [
      "a worktree that its repository lists",
      "/w/tree",
      linked("/w/main/.git/worktrees/tree", "/w/tree/.git"),
      { key: "/w/main", kind: "worktree" }
    ],
    [
      "a worktree that its repository does not list",
      "/w/tree",
      linked("/w/main/.git/worktrees/tree", undefined),
      { key: "/w/tree", kind: "repository" }
    ],
    [
      "a worktree that is listed at another place",
      "/w/tree",
      linked("/w/main/.git/worktrees/tree", "/w/other/.git"),
      { key: "/w/tree", kind: "repository" }
    ],
    ["a submodule", "/w/tree", linked("/w/main/.git/modules/tree", "/w/tree/.git"), { key: "/w/tree", kind: "repository" }],
    [
      "a .git file that names a whole repository",
      "/w/tree",
      linked("/w/main/.git", "/w/tree/.git"),
      { key: "/w/tree", kind: "repository" }
    ],
    [
      "a worktree of a repository at home",
      "/w/tree",
      linked(`${home}/.git/worktrees/tree`, "/w/tree/.git"),
      { key: "/w/tree", kind: "folder" }
    ]
  ] as const)("%s", (_, start, repository, expected) => {
    expect(place(start, repository)).toEqual(expected)
  })

  it("lies outside the folder only where another repository says so", () => {
    const path = fc
      .array(fc.constantFrom("main", "tree", ".git", "worktrees", "modules", "x"), { maxLength: 5 })
      .map((parts) => `/w/${parts.join("/")}`)
    fc.assert(
      fc.property(path, fc.option(path, { nil: undefined }), (gitDir, listed) => {
        const { key } = place("/w/tree", linked(gitDir, listed))
        if (key !== "/w/tree") expect([listed, gitDir.startsWith(`${key}/.git/worktrees/`)]).toEqual(["/w/tree/.git", true])
      })
    )
  })
})
