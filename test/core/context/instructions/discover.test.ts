import { describe, expect, it } from "vitest"
import { begin, beginNested, MOST_RULES } from "../../../../src/core/context/instructions/discover.ts"
import type { SearchPlace } from "../../../../src/core/context/instructions/place.ts"
import type { Done } from "../../../../src/core/context/instructions/search.ts"
import { CWD, type Disk, finish, HOME, placeOf, smallDisk } from "./small-disk.ts"

const start = (disk: Disk, over: Partial<SearchPlace> = {}): Done => finish(begin(placeOf(over)), smallDisk(disk).answer)

const texts = ({ files }: Pick<Done, "files">): ReadonlyArray<string> => files.map(({ text }) => text)

const why = ({ skipped }: Done, path: string): string | undefined => skipped.find((each) => each.path === path)?.why

const FULL: Disk = {
  "/etc/claude-code/CLAUDE.md": "managed",
  [`${HOME}/.claude/CLAUDE.md`]: "user",
  [`${HOME}/.claude/rules/u.md`]: "user rule",
  "/home/CLAUDE.md": "outer",
  "/home/.claude/CLAUDE.md": "outer dot",
  "/home/.claude/rules/o.md": "outer rule",
  "/home/CLAUDE.local.md": "outer local",
  [`${CWD}/CLAUDE.md`]: "project",
  [`${CWD}/.claude/CLAUDE.md`]: "dot",
  [`${CWD}/.claude/rules/b.md`]: "rule b",
  [`${CWD}/.claude/rules/a/x.md`]: "rule a/x",
  [`${CWD}/.claude/rules/notes.txt`]: "no rule",
  [`${CWD}/CLAUDE.local.md`]: "local",
  [`${CWD}/AGENTS.md`]: "agents"
}

describe("instruction files of a session", () => {
  it("come in the order of how particular they are", () => {
    expect(texts(start(FULL, { managedText: "managed text" }))).toEqual([
      "managed",
      "managed text",
      "user",
      "user rule",
      "outer",
      "outer dot",
      "outer rule",
      "outer local",
      "project",
      "dot",
      "rule a/x",
      "rule b",
      "local"
    ])
  })

  it("have the kind of who wrote them", () => {
    const kinds = Object.fromEntries(start(FULL).files.map(({ text, kind }) => [text, kind]))
    expect(kinds).toMatchObject({ managed: "managed", "user rule": "user", "outer rule": "project", "outer local": "local" })
  })

  it.each<[name: string, over: Partial<SearchPlace>, expected: ReadonlyArray<string>]>([
    ["none of the folders'", { sources: new Set(["user"]) }, ["managed", "user", "user rule"]],
    ["only the local ones", { sources: new Set(["local"]) }, ["managed", "outer local", "local"]],
    ["nothing", { sources: new Set() }, ["managed"]],
    ["only the organisation's", { isOff: true }, ["managed"]]
  ])("are chosen by source: %s", (_, over, expected) => {
    expect(texts(start(FULL, over))).toEqual(expected)
  })

  it("are left out where the user says so, apart from the organisation's", () => {
    const excludes = ["/home/.claude/**", `${HOME}/.claude/rules/{u,v}.md`, "**/work/CLAUDE.local.md", "/etc/**", "outer"]
    const found = start(FULL, { excludes })
    expect(texts(found)).toEqual(["managed", "user", "outer", "outer local", "project", "dot", "rule a/x", "rule b"])
    expect(why(found, `${CWD}/CLAUDE.local.md`)).toContain("claudeMdExcludes")
  })

  it("count once by whichever name they come first", () => {
    const found = start({
      [`${CWD}/CLAUDE.md`]: "one @AGENTS.md @link.md",
      [`${CWD}/AGENTS.md`]: "two",
      [`${CWD}/link.md`]: { link: "AGENTS.md" },
      [`${CWD}/CLAUDE.local.md`]: { sameAs: `${CWD}/AGENTS.md` }
    })
    expect(texts(found)).toEqual(["one @AGENTS.md @link.md", "two"])
    expect(why(found, `${CWD}/CLAUDE.local.md`)).toBe(`it is the same file as ${CWD}/AGENTS.md`)
  })

  it("count once when a copy stands beside them", () => {
    const found = start({ [`${CWD}/AGENTS.md`]: "same\n", [`${CWD}/CLAUDE.md`]: "same" }, { agentsMd: "always" })
    expect(found.files.map(({ path }) => path)).toEqual([`${CWD}/AGENTS.md`])
  })

  it("are not there when they are blank, too large, binary or a directory", () => {
    const found = start({
      [`${CWD}/CLAUDE.md`]: "---\na: b\n---\n<!-- nothing -->\n",
      [`${CWD}/.claude/CLAUDE.md`]: { bytes: new Uint8Array([65, 0, 66]) },
      [`${CWD}/CLAUDE.local.md/x`]: "in a directory",
      "/home/CLAUDE.md": { bytes: new Uint8Array(4 * 1024 * 1024 + 1) }
    })
    expect(found.files).toEqual([])
    expect(found.skipped.filter(({ isWarning }) => isWarning).map(({ path }) => path)).toEqual(["/home/CLAUDE.md"])
  })

  it("of somebody else are reported and left out", () => {
    const disk = { "/home/CLAUDE.md": { text: "planted", owner: 7 }, [`${CWD}/CLAUDE.md`]: { text: "mine", owner: 0 } }
    expect(texts(start(disk))).toEqual(["mine"])
    expect(start(disk).skipped).toMatchObject([{ path: "/home/CLAUDE.md", isWarning: true }])
    expect(texts(start(disk, { owners: undefined }))).toEqual(["planted", "mine"])
  })

  it("of the main checkout do not come twice into its worktree", () => {
    const root = `${CWD}/.claude/worktrees/w`
    const disk = {
      [`${CWD}/CLAUDE.md`]: "main",
      [`${CWD}/CLAUDE.local.md`]: "main local",
      [`${root}/CLAUDE.md`]: "worktree",
      "/home/CLAUDE.md": "above"
    }
    const over = { cwd: root, worktree: { root, main: CWD } }
    expect(texts(start(disk, over))).toEqual(["above", "main local", "worktree"])
  })

  it("of added directories come when asked for", () => {
    const disk = { "/lib/CLAUDE.md": "lib", "/lib/sub/CLAUDE.md": "deep", "/other/AGENTS.md": "other" }
    expect(texts(start(disk))).toEqual([])
    expect(texts(start(disk, { searched: ["/lib", "/other"], roots: [CWD, "/lib", "/other"] }))).toEqual(["lib", "other"])
  })

  it("are read as the text that they are", () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62])
    expect(texts(start({ [`${CWD}/CLAUDE.md`]: { bytes } }))).toEqual(["a\ufffdb"])
    const utf16 = new Uint8Array([0xff, 0xfe, 0x61, 0, 0x62, 0])
    expect(texts(start({ [`${CWD}/CLAUDE.md`]: { bytes: utf16 } }))).toEqual(["ab"])
  })
})

describe("AGENTS.md", () => {
  const chain = { "/home/AGENTS.md": "outer agents @imp.md", "/home/imp.md": "imported", [`${CWD}/AGENTS.md`]: "agents" }

  it("speaks for folders where nothing else does, after their rules", () => {
    const disk = { ...chain, [`${CWD}/.claude/rules/r.md`]: "rule", [`${HOME}/.claude/CLAUDE.md`]: "user" }
    const found = start(disk, { approved: "everything" })
    expect(texts(found)).toEqual(["user", "rule", "outer agents @imp.md", "imported", "agents"])
  })

  it.each([["CLAUDE.md"], [".claude/CLAUDE.md"], ["CLAUDE.local.md"]])("is silent beside %s", (name) => {
    expect(texts(start({ ...chain, [`${CWD}/${name}`]: "own" }))).toEqual(["own"])
    expect(texts(start({ ...chain, [`/home/${name}`]: "own" }))).toEqual(["own"])
  })

  it("is read always or never, as the user likes, and other names with it", () => {
    const disk = { ...chain, [`${CWD}/CLAUDE.md`]: "own", [`${CWD}/GEMINI.md`]: "gemini" }
    const always = { agentsMd: "always", extraNames: ["GEMINI.md"], approved: "everything" } as const
    expect(texts(start(disk, always))).toEqual(["outer agents @imp.md", "imported", "agents", "gemini", "own"])
    expect(texts(start(chain, { agentsMd: "never" }))).toEqual([])
  })
})

describe("imports", () => {
  const chainOf = (length: number): Disk =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`${CWD}/docs/${at + 1}.md`, `hop ${at + 1} @${at + 2}.md`]))

  it("follow their file, hop by hop, four times", () => {
    const found = start({ [`${CWD}/CLAUDE.md`]: "top @docs/1.md @last.md", [`${CWD}/last.md`]: "last", ...chainOf(6) })
    expect(texts(found).map((text) => text.split(" @")[0])).toEqual(["top", "hop 1", "hop 2", "hop 3", "hop 4", "last"])
    expect(why(found, `${CWD}/docs/5.md`)).toContain("4 times at most")
    expect(found.files[2]).toMatchObject({ reason: "include", parent: `${CWD}/docs/1.md`, kind: "project" })
  })

  it("out of the project wait for approval, and what was approved counts", () => {
    const disk = { [`${CWD}/CLAUDE.md`]: "top @/srv/a.md @/srv/b.md @l.md", "/srv/a.md": "a", "/srv/b.md": "b", [`${CWD}/l.md`]: { link: "/srv/c.md" }, "/srv/c.md": "c" } // prettier-ignore
    const found = start(disk)
    expect(texts(found)).toHaveLength(1)
    expect(found.askFor).toEqual(["/srv/a.md", "/srv/b.md", "/srv/c.md"])
    const approved = start(disk, { approved: new Set(["/srv/b.md"]) })
    expect(texts(approved).slice(1)).toEqual(["b"])
    expect(approved.askFor).toEqual(["/srv/a.md", "/srv/c.md"])
    expect(texts(start(disk, { approved: "everything" })).slice(1)).toEqual(["a", "b", "c"])
    const restricted = start(disk, { approved: "everything", isRestricted: true })
    expect([texts(restricted).length, restricted.askFor]).toEqual([1, []])
    expect(why(restricted, "/srv/a.md")).toContain("not trusted")
  })

  it("of the user's own file may be anywhere", () => {
    const disk = {
      [`${HOME}/.claude/CLAUDE.md`]: "user @/srv/a.md @~/notes.md",
      "/srv/a.md": "a",
      [`${HOME}/notes.md`]: "notes"
    }
    expect(texts(start(disk)).slice(1)).toEqual(["a", "notes"])
  })

  it("never show secrets, whoever asks", () => {
    const disk = {
      [`${HOME}/.claude/CLAUDE.md`]: "@~/.ssh/config.md @~/k.md",
      [`${HOME}/.ssh/config.md`]: "secret",
      [`${HOME}/k.md`]: { link: `${HOME}/.ssh/config.md` }
    }
    const found = start(disk, { approved: "everything" })
    expect(texts(found)).toHaveLength(1)
    expect(why(found, `${HOME}/k.md`)).toContain("secrets")
  })

  it("that lead nowhere are noted unless they look like a mention", () => {
    const found = start({ [`${CWD}/CLAUDE.md`]: "@someone @missing.md @gone/x.md @prog.bin", [`${CWD}/prog.bin`]: "binary" })
    expect(found.skipped.map(({ path }) => path)).toEqual([`${CWD}/missing.md`, `${CWD}/gone/x.md`])
  })

  it("and rules that are links out of the project wait as well", () => {
    const disk = {
      [`${CWD}/.claude/rules/all`]: { link: "/" },
      [`${CWD}/CLAUDE.md`]: { link: "/srv/x.md" },
      "/srv/x.md": "x"
    }
    const small = smallDisk(disk)
    const found = finish(begin(placeOf()), small.answer)
    expect(found.askFor).toEqual(["/", "/srv/x.md"])
    expect([...small.opened].filter((path) => !path.startsWith(CWD))).toEqual([])
  })
})

describe("rules", () => {
  it("with paths wait for a file that they are about, with their imports", () => {
    const found = start({
      [`${CWD}/.claude/rules/api.md`]: "---\npaths: src/api/**\n---\napi @../../docs/api.md",
      [`${CWD}/docs/api.md`]: "more"
    })
    expect(found.files).toEqual([])
    expect(found.rules).toMatchObject([{ base: CWD, patterns: ["src/api/**"] }])
    expect(found.rules[0]?.files.map(({ text, reason }) => [text, reason])).toEqual([
      ["api @../../docs/api.md", "path_glob_match"],
      ["more", "include"]
    ])
  })

  it("whose front matter is broken count always, and the user hears where", () => {
    const found = start({ [`${CWD}/.claude/rules/bad.md`]: "---\npaths: src/**\n\t: [\n---\nbody" })
    expect(texts(found)).toEqual(["body"])
    expect(found.skipped).toMatchObject([
      { path: `${CWD}/.claude/rules/bad.md`, why: expect.stringContaining("line 3"), isWarning: true }
    ])
  })

  it("are followed through links, each directory once, and there are not too many", () => {
    const rules = `${CWD}/.claude/rules`
    const loop = {
      [`${rules}/a.md`]: "a",
      [`${rules}/again`]: { link: "." },
      [`${rules}/b/up`]: { link: "../.." },
      [`${rules}/b/c.md`]: "c"
    }
    expect(texts(start(loop))).toEqual(["a", "c"])
    const many = Object.fromEntries(Array.from({ length: MOST_RULES + 5 }, (_, at) => [`${rules}/${at}.md`, `rule ${at}`]))
    const found = start(many)
    expect(found.files).toHaveLength(MOST_RULES)
    expect(found.skipped).toMatchObject([{ path: rules, isWarning: true }])
  })
})

describe("what comes with a touched file", () => {
  const disk: Disk = {
    [`${CWD}/CLAUDE.md`]: "top",
    [`${CWD}/.claude/rules/ts.md`]: '---\npaths: ["*.ts"]\n---\nts',
    [`${CWD}/a/CLAUDE.md`]: "a @imp.md",
    [`${CWD}/a/imp.md`]: "imp",
    [`${CWD}/a/AGENTS.md`]: "silent",
    [`${CWD}/a/b/.claude/CLAUDE.md`]: "b dot",
    [`${CWD}/a/b/CLAUDE.local.md`]: "b local",
    [`${CWD}/a/b/.claude/rules/r.md`]: "b rule",
    [`${CWD}/a/b/.claude/rules/only.md`]: "---\npaths: x.ts\n---\nb only x",
    [`${CWD}/c/AGENTS.md`]: "c agents",
    [`${CWD}/a/b/x.ts`]: "x"
  }
  const session = start(disk)
  const touch = (path: string, known: ReadonlyArray<string> = [], realPath = path): Done => {
    const request = { place: placeOf(), touched: { path, realPath }, known: new Set(known), rules: session.rules }
    return finish(beginNested(request), smallDisk(disk).answer)
  }

  it("is what its folders say, the outer ones first, then rules about it", () => {
    const found = touch(`${CWD}/a/b/x.ts`)
    expect(texts(found)).toEqual(["a @imp.md", "imp", "b dot", "b local", "b rule", "ts", "b only x"])
    expect(found.files[0]).toMatchObject({ reason: "nested_traversal", trigger: `${CWD}/a/b/x.ts` })
    expect(found.files[6]).toMatchObject({ reason: "path_glob_match", trigger: `${CWD}/a/b/x.ts` })
  })

  it("does not come twice", () => {
    const first = touch(`${CWD}/a/b/x.ts`).files.map(({ path }) => path)
    expect(texts(touch(`${CWD}/a/b/x.ts`, first))).toEqual([])
    expect(texts(touch(`${CWD}/a/y.ts`, first))).toEqual([])
    expect(texts(touch(`${CWD}/c/y.txt`, first))).toEqual(["c agents"])
  })

  it("is nothing for a file of the working directory or of elsewhere, unless a rule is about it", () => {
    expect(texts(touch(`${CWD}/x.txt`))).toEqual([])
    expect(texts(touch("/srv/a/x.txt"))).toEqual([])
    expect(texts(touch(`${CWD}/x.ts`))).toEqual(["ts"])
    expect(texts(touch("/checkout/c/x.ts", [], `${CWD}/c/x.ts`))).toEqual(["c agents", "ts"])
  })
})
