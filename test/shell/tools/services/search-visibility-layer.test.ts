import { mkdirSync, symlinkSync } from "node:fs"
import { Effect, Layer } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { layer as filesLayer } from "../../../../src/adapters/files/node.ts"
import { layer as ripgrepLayer } from "../../../../src/adapters/search/layer.ts"
import { makeFallback } from "../../../../src/adapters/search/fallback.ts"
import type { PermissionContext } from "../../../../src/core/permission/context.ts"
import { makeContext } from "../../../../src/core/permission/configuration/make-context.ts"
import { locationOf } from "../../../../src/core/domain/path/path-components.ts"
import { Search } from "../../../../src/core/ports/Search.ts"
import { searchVisibilityLayer } from "../../../../src/shell/tools/services/search-visibility-layer.ts"
import { globExecutor } from "../../../../src/shell/tools/files/glob.ts"
import { grepExecutor } from "../../../../src/shell/tools/files/grep.ts"
import { freshDirectory, putFile } from "../../../support/temp-world.ts"
import { callContext } from "../call-context.ts"

/** What Grep and Glob show under rules, with real files and both engines. */
interface Given {
  readonly ask?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
  readonly allow?: ReadonlyArray<string>
  readonly mode?: PermissionContext["mode"]
  readonly path?: string
  readonly glob?: string
}

let work = ""

const contextWith = ({ ask = [], deny = [], allow = [], mode = "default" }: Given): PermissionContext =>
  makeContext({
    mode,
    cwd: locationOf(work),
    home: locationOf(`${work}/home`),
    bypassAvailable: true,
    canPrompt: true,
    ask,
    deny,
    allow
  }).context

const ENGINES = [
  ["ripgrep", ripgrepLayer],
  ["built-in", Layer.succeed(Search, makeFallback("built-in"))]
] as const

const textOf = (content: unknown): string => (typeof content === "string" ? content : "")

describe.each(ENGINES)("searches by %s", (_, searchLayer) => {
  const servicesFor = (given: Given) =>
    Layer.mergeAll(
      searchLayer,
      filesLayer,
      Layer.provide(
        searchVisibilityLayer(() => contextWith(given)),
        filesLayer
      )
    )

  const grep = async ({ path, glob, ...given }: Given): Promise<string> => {
    const input = { pattern: "TOKEN", ...(path === undefined ? {} : { path }), ...(glob === undefined ? {} : { glob }) }
    const run = grepExecutor.run(input, callContext({ cwd: work }))
    return textOf((await Effect.runPromise(Effect.provide(run, servicesFor(given)))).content)
  }

  const glob = async (pattern: string, given: Given = {}): Promise<string> => {
    const run = globExecutor.run({ pattern }, callContext({ cwd: work }))
    return textOf((await Effect.runPromise(Effect.provide(run, servicesFor(given)))).content)
  }

  beforeEach(() => {
    work = `${freshDirectory()}/pr[o]j {x} \\ *`
    mkdirSync(work)
    for (const name of ["open.txt", "Closed.txt", "a{b}.txt", "7.log", "sub/deep/closed.txt"])
      putFile(`${work}/${name}`, "TOKEN")
  })

  it.each([
    ["Read(closed.txt)", ["Closed.txt", "sub/deep/closed.txt"]],
    ["Read(a{b}.txt)", ["a{b}.txt"]],
    ["Read([[:digit:]].log)", ["7.log"]],
    ["Read(sub)", ["sub/deep/closed.txt"]],
    ["Read(./sub/**)", ["sub/deep/closed.txt"]],
    ["Read(/*.txt)", ["open.txt", "Closed.txt", "a{b}.txt"]]
  ])("what %s names is neither listed nor searched, also where a rule only asks", async (rule, left) => {
    for (const given of [{ deny: [rule] }, { ask: [rule] }, { deny: [rule], mode: "bypassPermissions" as const }]) {
      const seen = [await grep(given), await glob("**", given)]
      for (const text of seen) for (const name of left) expect(text.split("\n")).not.toContain(name)
      if (!left.includes("open.txt")) for (const text of seen) expect(text.split("\n")).toContain("open.txt")
    }
  })

  it("a rule that names a link closes what it leads to", async () => {
    symlinkSync("sub", `${work}/alias`)
    expect(await grep({ deny: ["Read(alias/**)"] })).not.toContain("deep")
  })

  it("who approved a place that a rule asks about sees what is in it", async () => {
    expect(await grep({ ask: ["Read(sub)"], path: "sub" })).toContain("sub/deep/closed.txt")
    expect(await grep({ deny: ["Read(closed.txt)"], path: "sub" })).toBe("No matches found")
  })

  it("files that may hold secrets are left out and counted, whether or not the text is in them", async () => {
    for (const name of [".env", ".env.prod", "sub/.ENV.local", "Server.KEY", "sub/id_rsa.bak"])
      putFile(`${work}/${name}`, "TOKEN")
    putFile(`${work}/quiet.pem`, "nothing")
    putFile(`${work}/.env.example`, "TOKEN")
    const note = (count: string) => `(${count} left out. Read asks the user before it shows one.)`
    expect(await grep({})).toContain(note("6 files that may hold secrets were"))
    expect(await grep({})).toContain("\n.env.example\n")
    expect(await grep({})).not.toMatch(/prod|KEY|id_rsa|ENV/)
    expect(await glob("*.pem")).toBe(`No files found\n${note("1 file that may hold secrets was")}`)
    expect(await grep({ glob: "*.txt" })).not.toContain("left out")
    expect(await grep({ glob: "*.KEY" })).toContain(note("1 file that may hold secrets was"))
    expect(await grep({ allow: ["Read(.env*)", "Read(*.pem)"] })).toContain(note("3 files that may hold secrets were"))
    expect(await grep({ allow: ["Read(.env*)"] })).toMatch(/^\.env$/m)
    expect(await grep({ mode: "bypassPermissions" })).toContain("\n.env.prod")
  })

  it("a file that was asked for and approved is searched", async () => {
    putFile(`${work}/.env`, "TOKEN")
    putFile(`${work}/home/.ssh/config`, "TOKEN")
    expect(await grep({ path: ".env" })).toBe("1 file found\n.env")
    expect(await grep({})).not.toContain(".ssh")
    expect(await grep({ path: "home/.ssh" })).toBe("1 file found\nhome/.ssh/config")
  })
})
