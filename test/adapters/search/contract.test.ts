import { rgPath } from "@vscode/ripgrep"
import { Effect, Fiber, Result } from "effect"
import * as fc from "fast-check"
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makeFallback } from "../../../src/adapters/search/fallback.ts"
import { makeRipgrep } from "../../../src/adapters/search/ripgrep.ts"
import type { GlobRequest, GrepLinesRequest, GrepRequest } from "../../../src/core/ports/Search.ts"
import type { GrepLine } from "../../../src/core/tools/search/search-result.ts"
import { trees, type Tree, withTree } from "./tree.ts"

const ripgrep = makeRipgrep(rgPath, "ripgrep")
const fallback = makeFallback("built-in")
type Engine = typeof ripgrep

const globIn = (root: string, request: Partial<GlobRequest> = {}): GlobRequest => ({
  root,
  pattern: "**/*",
  hidden: true,
  ignoreFiles: false,
  exclude: [],
  timeoutMs: 20_000,
  ...request
})

const grepIn = (root: string, request: Partial<GrepLinesRequest> = {}): GrepLinesRequest => ({
  root,
  pattern: "foo",
  globs: [],
  ignoreCase: false,
  multiline: false,
  exclude: [],
  timeoutMs: 20_000,
  before: 0,
  after: 0,
  onlyMatching: false,
  stopAfter: Infinity,
  ...request
})

const below = (root: string, paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.map((path) => path.slice(root.length + 1))

const lineText = (root: string, line: GrepLine): string => {
  if (line.kind === "separator") return "--"
  const path = line.path.slice(root.length + 1)
  if (line.kind === "notice") return `${path} ${line.text}`
  return `${path}${line.kind === "match" ? ":" : "-"}${line.line}:${line.text}`
}

const answers = async (engine: Engine, request: GrepLinesRequest) => ({
  files: await Effect.runPromise(engine.grepFiles(request)),
  counts: await Effect.runPromise(engine.grepCounts(request)),
  lines: await Effect.runPromise(engine.grepLines(request))
})

describe.each([
  ["ripgrep", ripgrep],
  ["fallback", fallback]
] as const)("%s", (_, engine) => {
  const glob = async (root: string, request: Partial<GlobRequest> = {}) =>
    below(root, (await Effect.runPromise(engine.glob(globIn(root, request)))).entries)
  const files = async (root: string, request: Partial<GrepRequest> = {}) =>
    below(root, (await Effect.runPromise(engine.grepFiles(grepIn(root, request)))).entries)
  const lines = async (root: string, request: Partial<GrepLinesRequest> = {}) =>
    (await Effect.runPromise(engine.grepLines(grepIn(root, request)))).entries.map((line) => lineText(root, line))

  it("lists files newest first, ties by path", () =>
    withTree({ "old.ts": "", "b/x.ts": "", "a/y.ts": "" }, async (root) => {
      await utimes(join(root, "old.ts"), 1_600_000_000, 1_600_000_000)
      await utimes(join(root, "b/x.ts"), 1_700_000_000, 1_700_000_000)
      await utimes(join(root, "a/y.ts"), 1_700_000_000, 1_700_000_000)
      expect(await glob(root)).toEqual(["a/y.ts", "b/x.ts", "old.ts"])
    }))

  it("finds names without regard to case, also those of ignored files, but goes into no ignored directory", () =>
    withTree(
      { ".gitignore": "*.pem\nbuild/\n", "a.PEM": "", "x/.ENV": "", "build/b.pem": "", "c.txt": "", "d.pem": "" },
      async (root) => {
        await mkdir(join(root, ".git"))
        const names = async (globs: ReadonlyArray<string>, exclude: ReadonlyArray<string> = []) => {
          const request = { root, names: [".env", "*.{pem,key}"], globs, exclude, timeoutMs: 20_000 }
          return below(root, (await Effect.runPromise(engine.names(request))).entries).toSorted()
        }
        expect(await names([])).toEqual(["a.PEM", "d.pem", "x/.ENV"])
        expect(await names(["*.pem"])).toEqual(["d.pem"])
        expect(await names([], [`${root}/D.pem`])).toEqual(["a.PEM", "x/.ENV"])
      }
    ))

  it("what must not be opened is left out whatever its case, and whoever asks has the last word on each file", () =>
    withTree({ "Secret.txt": "foo", "open.txt": "foo\nfoo", "other.txt": "foo" }, async (root) => {
      const request = { exclude: [`${root}/**/secret.txt`], shows: (path: string) => !path.endsWith("other.txt") }
      expect(await glob(root, request)).toEqual(["open.txt"])
      expect(await files(root, request)).toEqual(["open.txt"])
      expect(await lines(root, { ...request, stopAfter: 2 })).toEqual(["open.txt:1:foo", "open.txt:2:foo"])
      const counts = await Effect.runPromise(engine.grepCounts(grepIn(root, request)))
      expect(counts.entries).toEqual([{ path: join(root, "open.txt"), count: 2 }])
    }))

  it("reads a glob without slash as a name anywhere, with slash as a path, with leading slash as anchored", () =>
    withTree({ "a.ts": "", "src/a.ts": "", "src/deep/a.ts": "", "src/b.js": "" }, async (root) => {
      expect((await glob(root, { pattern: "a.ts" })).toSorted()).toEqual(["a.ts", "src/a.ts", "src/deep/a.ts"])
      expect(await glob(root, { pattern: "/*.ts" })).toEqual(["a.ts"])
      expect(await glob(root, { pattern: "src/*.ts" })).toEqual(["src/a.ts"])
      expect((await glob(root, { pattern: "src/**/*.{ts,js}" })).toSorted()).toEqual([
        "src/a.ts",
        "src/b.js",
        "src/deep/a.ts"
      ])
      expect(await glob(root, { pattern: "!*.ts" })).toEqual(["src/b.js"])
    }))

  it("never looks into version control, takes hidden files, and follows no link", () =>
    withTree({ ".git/config": "foo", "x/.svn/y": "foo", ".hidden/z": "foo", w: "foo" }, async (root) => {
      await symlink(join(root, "w"), join(root, "link"))
      expect((await glob(root)).toSorted()).toEqual([".hidden/z", "w"])
      expect((await glob(root, { hidden: false })).toSorted()).toEqual(["w"])
      expect((await files(root)).toSorted()).toEqual([".hidden/z", "w"])
    }))

  it("applies ignore files for text, and for names only when told to", () =>
    withTree(
      {
        ".git/HEAD": "",
        ".gitignore": "build/\n*.log\n!keep.log\n",
        "build/o.js": "foo",
        "a.log": "foo",
        "keep.log": "foo",
        "sub/.gitignore": "/local",
        "sub/local": "foo",
        "sub/x": "foo"
      },
      async (root) => {
        expect((await files(root)).toSorted()).toEqual(["keep.log", "sub/x"])
        expect(await glob(root, { pattern: "*.log", ignoreFiles: true })).toEqual(["keep.log"])
        expect((await glob(root, { pattern: "*.log" })).toSorted()).toEqual(["a.log", "keep.log"])
        expect(await files(join(root, "sub"))).toEqual(["x"])
      }
    ))

  it("leaves out what is excluded, whatever else names it", () =>
    withTree({ "secrets/key": "foo", "src/.env": "foo", "src/a.ts": "foo" }, async (root) => {
      const exclude = [`${root}/secrets`, `${root}/**/.env`]
      expect(await glob(root, { exclude })).toEqual(["src/a.ts"])
      expect(await files(root, { exclude, globs: ["**/*"] })).toEqual(["src/a.ts"])
      expect(await lines(root, { exclude })).toEqual(["src/a.ts:1:foo"])
    }))

  it("searches one named file, ignored or not, and says when it is binary", () =>
    withTree({ ".git/HEAD": "", ".gitignore": "a.log", "a.log": "x\nfoo\n", bin: "foo\0bar" }, async (root) => {
      const request = grepIn(join(root, "a.log"))
      expect((await Effect.runPromise(engine.grepLines(request))).entries).toEqual([
        { kind: "match", path: join(root, "a.log"), line: 2, text: "foo" }
      ])
      expect((await Effect.runPromise(engine.grepLines(grepIn(join(root, "bin"))))).entries).toEqual([
        { kind: "notice", path: join(root, "bin"), text: "binary file matches" }
      ])
    }))

  it("shows surroundings with separators, and only the matching parts on request", () =>
    withTree({ "a.ts": "1\nfoo\n3\n4\n5\nfoo foo\n", "b.ts": "foo" }, async (root) => {
      expect(await lines(root, { before: 1, after: 1 })).toEqual([
        "a.ts-1:1",
        "a.ts:2:foo",
        "a.ts-3:3",
        "--",
        "a.ts-5:5",
        "a.ts:6:foo foo",
        "--",
        "b.ts:1:foo"
      ])
      expect(await lines(root, { onlyMatching: true })).toEqual(["a.ts:2:foo", "a.ts:6:foo", "a.ts:6:foo", "b.ts:1:foo"])
    }))

  it("stops at the wanted entry", () =>
    withTree({ a: "foo\n".repeat(1_000), b: "foo\n" }, async (root) => {
      expect(await lines(root, { stopAfter: 3 })).toEqual(["a:1:foo", "a:2:foo", "a:3:foo"])
    }))

  it("counts whole files, by path", () =>
    withTree({ "src.ts": "foo", "src/a": "foo foo\nfoo\nbar", "src/b": "bar" }, async (root) => {
      const found = await Effect.runPromise(engine.grepCounts(grepIn(root)))
      expect(found.entries).toEqual([
        { path: join(root, "src/a"), count: 2 },
        { path: join(root, "src.ts"), count: 1 }
      ])
      const spanning = grepIn(root, { multiline: true, pattern: "foo\\n?" })
      expect((await Effect.runPromise(engine.grepCounts(spanning))).entries[0]?.count).toBe(3)
    }))

  it("hides long lines, reads UTF-16, a BOM and odd file names", () => {
    const long = `foo${"x".repeat(600)}\nfoo\n`
    const tree = { "long.ts": long, "bom.ts": "\ufefffoo\n", "a\nb.ts": "foo\n", "we[i]rd {1}.ts": "foo" }
    return withTree(tree, async (root) => {
      await writeFile(join(root, "utf16.ts"), Buffer.from("\ufefffoo\n", "utf16le"))
      expect(await lines(root, { pattern: "^foo" })).toEqual([
        "a\nb.ts:1:foo",
        "bom.ts:1:foo",
        "long.ts:1:[line of more than 500 bytes, not shown]",
        "long.ts:2:foo",
        "utf16.ts:1:foo",
        "we[i]rd {1}.ts:1:foo"
      ])
      expect(await glob(root, { pattern: "we\\[i\\]rd*" })).toEqual(["we[i]rd {1}.ts"])
    })
  })

  it("works below a directory whose name looks like a glob", () =>
    withTree({ "a[b]{c}*/x.ts": "foo", "ab/x.ts": "foo" }, async (root) => {
      const odd = join(root, "a[b]{c}*")
      expect(await glob(odd, { pattern: "/*.ts" })).toEqual(["x.ts"])
      expect(await files(odd, { globs: ["/x.ts"] })).toEqual(["x.ts"])
    }))

  it("knows file types, and names an unknown one", () =>
    withTree({ "a.ts": "foo", "a.py": "foo" }, async (root) => {
      expect(await files(root, { type: "py" })).toEqual(["a.py"])
      const refused = await Effect.runPromise(Effect.result(engine.grepFiles(grepIn(root, { type: "nosuch" }))))
      expect(Result.isFailure(refused) && refused.failure.kind).toBe("pattern")
      expect(Result.isFailure(refused) && refused.failure.message).toContain("nosuch")
    }))

  it("fails with the reason on a pattern that is none, also one that begins with a dash", () =>
    withTree({ "a.ts": "-foo" }, async (root) => {
      const refused = await Effect.runPromise(Effect.result(engine.grepLines(grepIn(root, { pattern: "(foo" }))))
      expect(Result.isFailure(refused) && refused.failure.kind).toBe("pattern")
      expect(await lines(root, { pattern: "-foo" })).toEqual(["a.ts:1:-foo"])
    }))

  it("ends at its time limit with a result marked incomplete", () =>
    withTree({ "a.ts": "foo" }, async (root) => {
      const found = await Effect.runPromise(engine.grepFiles(grepIn(root, { timeoutMs: 0 })))
      expect(found.complete).toBe(false)
    }))

  it("ends when it is interrupted", () =>
    withTree({ "a.ts": "foo" }, async (root) => {
      const searching = Effect.runFork(engine.grepLines(grepIn(root)))
      await Effect.runPromise(Fiber.interrupt(searching))
      expect(searching.pollUnsafe()).toBeDefined()
    }))
})

describe("both engines", () => {
  const globs = fc.constantFrom(
    "**/*",
    "*.ts",
    "/*.ts",
    "src/**",
    "**/a*",
    "*.{ts,md}",
    "!*.ts",
    "src/*/*.ts",
    "c\\[1\\].ts",
    "[a-b]*",
    "?"
  )
  const ignoreText = fc.constantFrom(
    "",
    "a.ts\n",
    "src/\n",
    "/lib\n",
    "*.md\n!b.md\n",
    "**/b\n",
    "src/*.ts\n# note\n",
    ".env \n"
  )

  it("find the same files", async () => {
    const options = fc.record({ pattern: globs, hidden: fc.boolean(), ignoreFiles: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(trees, options, ignoreText, async (tree, option, ignored) =>
        withTree({ ...tree, ".ignore": ignored }, async (root) => {
          const request = globIn(root, option)
          expect(await Effect.runPromise(fallback.glob(request))).toEqual(await Effect.runPromise(ripgrep.glob(request)))
        })
      ),
      { numRuns: 40 }
    )
  })

  it("find the same text", async () => {
    const patterns = fc.constantFrom(
      "foo",
      "^foo",
      "o+",
      "a.b",
      "(?i)FOO",
      "foo$",
      "[[:alpha:]]+=",
      "",
      "foo\\s*\\nbar",
      "b|$"
    )
    const options = fc.record({
      pattern: patterns,
      globs: fc.oneof(
        fc.constant([]),
        globs.map((glob) => [glob])
      ),
      ignoreCase: fc.boolean(),
      before: fc.nat(2),
      after: fc.nat(2)
    })
    await fc.assert(
      fc.asyncProperty(trees, options, ignoreText, fc.boolean(), async (tree, option, ignored, repository) =>
        withTree({ ...tree, ".gitignore": ignored }, async (root) => {
          if (repository) await mkdir(join(root, ".git"))
          const multiline = option.pattern.includes("\\n")
          const request = grepIn(root, { ...option, multiline })
          expect(await answers(fallback, request)).toEqual(await answers(ripgrep, request))
        })
      ),
      { numRuns: 40 }
    )
  })

  it("agree on a tree with everything at once", () => {
    const tree: Tree = {
      ".git/info/exclude": "excluded\n",
      ".gitignore": "*.o\n/dist\n",
      ".rgignore": "!a.o\n",
      "a.o": "foo",
      "b.o": "foo",
      "dist/x": "foo",
      excluded: "foo",
      "inner/.git/HEAD": "",
      "inner/.gitignore": "only-here\n",
      "inner/only-here": "foo",
      "inner/c.o": "foo",
      z: "foo\r\nbar\r\n"
    }
    return withTree(tree, async (root) => {
      const request = grepIn(root, { before: 1, after: 1 })
      const expected = await answers(ripgrep, request)
      expect(await answers(fallback, request)).toEqual(expected)
      expect(below(root, expected.files.entries).toSorted()).toEqual(["a.o", "inner/c.o", "z"])
    })
  })
})
