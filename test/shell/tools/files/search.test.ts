import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { layer as filesLayer } from "../../../../src/adapters/files/node.ts"
import { layer as searchLayer } from "../../../../src/adapters/search/layer.ts"
import { type GlobRequest, Search } from "../../../../src/core/ports/Search.ts"
import type { GlobData, GlobInput } from "../../../../src/core/tools/search/glob.ts"
import type { GrepInput } from "../../../../src/core/tools/search/grep.ts"
import type { GrepData } from "../../../../src/core/tools/search/grep-result.ts"
import type { ToolContext, ToolExecutor } from "../../../../src/shell/tools/contract/executor.ts"
import { globExecutor } from "../../../../src/shell/tools/files/glob.ts"
import { grepExecutor } from "../../../../src/shell/tools/files/grep.ts"
import { SearchVisibility } from "../../../../src/shell/tools/services/search-visibility.ts"
import { withTree } from "../../../adapters/search/tree.ts"
import { callContext } from "../call-context.ts"

const reach = (closed: ReadonlyArray<string> = []) =>
  Layer.succeed(SearchVisibility, {
    viewFrom: () => Effect.succeed({ closed, sight: () => "open" }),
    allowedHosts: Effect.succeed([]),
    closedHosts: Effect.succeed([])
  })

const services = (closed?: ReadonlyArray<string>) => Layer.mergeAll(searchLayer, filesLayer, reach(closed))

/** Prepare and run, as the pipeline does. */
const call = async <Input, R>(
  executor: ToolExecutor<Input, R>,
  input: Input,
  options: { readonly context: ToolContext; readonly layer: Layer.Layer<R> }
) => {
  const program = Effect.gen(function* () {
    yield* executor.prepare?.(input, options.context) ?? Effect.void
    return yield* executor.run(input, options.context)
  })
  const result = await Effect.runPromise(Effect.result(program).pipe(Effect.provide(options.layer)))
  return Result.match(result, {
    onSuccess: (output) => ({ text: typeof output.content === "string" ? output.content : "", data: output.data }),
    onFailure: (refusal) => ({ text: refusal.message, data: undefined })
  })
}

const TREE = { "src/a.ts": "foo\nbar\nfoo\n", "src/b.md": "foo\n", ".env": "foo\n", "docs/c.md": "none\n" }

describe("Glob", () => {
  const glob = (root: string, input: GlobInput, env = {}, unreadable?: ReadonlyArray<string>) =>
    call(globExecutor, input, { context: callContext({ cwd: root, env }), layer: services(unreadable) })

  it("lists absolute names in its record and relative ones to the model", () =>
    withTree(TREE, async (root) => {
      const { text, data } = await glob(root, { pattern: "**/*.md" })
      expect(text.split("\n").toSorted()).toEqual(["docs/c.md", "src/b.md"])
      const record = data as GlobData
      expect(record).toMatchObject({ numFiles: 2, truncated: false })
      expect(record.filenames.toSorted()).toEqual([`${root}/docs/c.md`, `${root}/src/b.md`])
      expect(record.durationMs).toBeGreaterThanOrEqual(0)
    }))

  it("looks where the path, the pattern or both say", () =>
    withTree(TREE, async (root) => {
      expect((await glob(root, { pattern: "*.ts", path: "src" })).text).toBe("src/a.ts")
      expect((await glob(`${root}/docs`, { pattern: "../src/*.ts" })).text).toBe(`${root}/src/a.ts`)
      expect((await glob("/", { pattern: `${root}/src/*.ts` })).text).toBe(`${root.slice(1)}/src/a.ts`)
      expect((await glob(root, { pattern: "missing/**" })).text).toBe("No files found")
    }))

  it("refuses a path that is missing or no directory", () =>
    withTree(TREE, async (root) => {
      expect((await glob(root, { pattern: "*", path: "nowhere" })).text).toMatch(/^FileNotFound: /)
      expect((await glob(root, { pattern: "*", path: "src/a.ts" })).text).toMatch(/^NotSearchable: .*is a file/)
    }))

  it("leaves out hidden files on request and denied places always", () =>
    withTree(TREE, async (root) => {
      expect((await glob(root, { pattern: "*" })).text).toContain(".env")
      expect((await glob(root, { pattern: "*" }, { CLAUDE_CODE_GLOB_HIDDEN: "false" })).text).not.toContain(".env")
      expect((await glob(root, { pattern: "*" }, { NACRE_GLOB_HIDDEN: "0" })).text).not.toContain(".env")
      expect((await glob(root, { pattern: "*" }, {}, [`${root}/**/.env`])).text).not.toContain(".env")
    }))

  it("obeys ignore files on request", () =>
    withTree({ ".git/HEAD": "", ".gitignore": "a.log", "a.log": "" }, async (root) => {
      expect((await glob(root, { pattern: "*" })).text).toContain("a.log")
      expect((await glob(root, { pattern: "*" }, { CLAUDE_CODE_GLOB_NO_IGNORE: "false" })).text).not.toContain("a.log")
    }))

  it("gives WSL three times the time", async () => {
    const seen: Array<GlobRequest> = []
    const recording = Layer.effect(
      Search,
      Effect.map(Search, (search) => ({
        ...search,
        glob: (request: GlobRequest) => Effect.sync(() => (seen.push(request), { entries: [], complete: true }))
      }))
    ).pipe(Layer.provide(searchLayer))
    const layer = Layer.mergeAll(recording, filesLayer, reach())
    await call(globExecutor, { pattern: "*" }, { context: callContext(), layer })
    await call(globExecutor, { pattern: "*" }, { context: callContext({ env: { WSL_DISTRO_NAME: "Debian" } }), layer })
    expect(seen.map((request) => request.timeoutMs)).toEqual([20_000, 60_000])
  })
})

describe("Grep", () => {
  const grep = (root: string, input: GrepInput, unreadable?: ReadonlyArray<string>) =>
    call(grepExecutor, input, { context: callContext({ cwd: root }), layer: services(unreadable) })

  it("answers in its three modes", () =>
    withTree(TREE, async (root) => {
      const files = await grep(root, { pattern: "foo" })
      expect((files.data as GrepData).filenames.toSorted()).toEqual([".env", "src/a.ts", "src/b.md"])
      expect((await grep(root, { pattern: "foo", output_mode: "content", glob: "*.ts" })).text).toBe(
        "src/a.ts:1:foo\nsrc/a.ts:3:foo"
      )
      const counts = await grep(root, { pattern: "foo", output_mode: "count" })
      expect(counts.data).toMatchObject({
        mode: "count",
        numFiles: 3,
        numMatches: 4,
        content: ".env:1\nsrc/a.ts:2\nsrc/b.md:1"
      })
    }))

  it("pages through lines without losing or repeating one", () =>
    withTree({ a: "foo\n".repeat(7), b: "foo\n".repeat(4) }, async (root) => {
      const pages: Array<string> = []
      for (let offset = 0; offset < 12; offset += 3) {
        const { data, text } = await grep(root, { pattern: "foo", output_mode: "content", head_limit: 3, offset })
        const record = data as GrepData
        pages.push(record.content ?? "")
        expect(record.appliedLimit).toBe(offset < 9 ? 3 : undefined)
        expect(text.includes("more remain")).toBe(offset < 9)
      }
      const whole = await grep(root, { pattern: "foo", output_mode: "content", head_limit: 0 })
      expect(pages.join("\n")).toBe((whole.data as GrepData).content)
      expect((await grep(root, { pattern: "foo", output_mode: "content", offset: 99 })).text).toBe(
        "No entries at this offset"
      )
    }))

  it("takes several globs, one file, a type and surroundings", () =>
    withTree(TREE, async (root) => {
      const several = await grep(root, { pattern: "foo", glob: "*.ts,*.md !b.*" })
      expect((several.data as GrepData).filenames).toEqual(["src/a.ts"])
      expect((await grep(root, { pattern: "bar", path: "src/a.ts", output_mode: "content", "-C": 1 })).text).toBe(
        "src/a.ts-1-foo\nsrc/a.ts:2:bar\nsrc/a.ts-3-foo"
      )
      expect((await grep(root, { pattern: "foo", type: "ts" })).text).toBe("1 file found\nsrc/a.ts")
    }))

  it("never shows a denied place", () =>
    withTree(TREE, async (root) => {
      const found = await grep(root, { pattern: "foo", glob: "*", head_limit: 0 }, [`${root}/.env`])
      expect(found.text).not.toContain(".env")
    }))

  it("does not search where a link leads now if it led elsewhere when that was approved", () =>
    withTree(TREE, async (root) => {
      const pathFacts = [{ path: root, realPath: "/somewhere/else", exists: true }]
      const options = { context: callContext({ cwd: root, pathFacts }), layer: services() }
      expect((await call(grepExecutor, { pattern: "foo" }, options)).text).toMatch(/^LinkChanged: /)
      expect((await call(globExecutor, { pattern: "*" }, options)).text).toMatch(/^LinkChanged: /)
    }))

  it("turns a bad pattern, type or path into a refusal that says why", () =>
    withTree(TREE, async (root) => {
      expect((await grep(root, { pattern: "(" })).text).toMatch(
        /^InvalidPattern: nothing was searched\. [\s\S]*unclosed group/
      )
      expect((await grep(root, { pattern: "x", type: "nosuch" })).text).toContain("nosuch")
      expect((await grep(root, { pattern: "x", path: "nowhere" })).text).toMatch(/^FileNotFound: /)
    }))
})
