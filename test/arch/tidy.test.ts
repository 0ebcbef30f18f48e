import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

/** Tidiness is a test: no escapes, no unfinished marks, no barrels, no file that nobody imports. */

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..")

const files = (dir: string): Array<string> =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name)
    return statSync(path).isDirectory() ? files(path) : [path]
  })

const read = (dir: string): Array<{ path: string; text: string }> =>
  files(join(root, dir))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }))

const sources = read("src")
const tests = read("test")

/** Where the bundles begin. */
const ENTRIES = new Set(["src/main.ts", "src/shell/run.ts"])

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "")

const code = sources.map(({ path, text }) => ({ path, text: withoutComments(text) }))

const offenders = (within: ReadonlyArray<{ path: string; text: string }>, pattern: RegExp): Array<string> =>
  within.filter((file) => pattern.test(file.text)).map((file) => file.path)

describe("tidiness", () => {
  it("has no type or lint escapes", () => {
    expect(
      offenders(code, /@ts-(?:ignore|expect-error|nocheck)|(?:eslint|oxlint)-disable|as unknown as|\bas any\b|: any\b/)
    ).toEqual([])
  })

  it("has no unfinished marks", () => {
    expect(offenders(sources, /\b(?:TODO|FIXME|XXX|HACK)\b|not (?:yet )?implemented/)).toEqual([])
  })

  it("skips no test", () => {
    const skipping = new RegExp(String.raw`\b(?:it|test|describe)\.(?:skip|todo|only)\b`)
    expect(offenders(tests, skipping)).toEqual([])
  })

  it("leaves hooks to test files: what they share is evaluated once for many of them", () => {
    const shared = tests.filter(({ path }) => !path.endsWith(".test.ts") && path !== "test/support/set-up.ts")
    expect(offenders(shared, new RegExp(String.raw`\b(?:before|after)(?:All|Each)\(`))).toEqual([])
  })

  it("has no barrel files and no utils", () => {
    expect(sources.map((file) => file.path).filter((path) => /\/(?:index|utils?|helpers?)\.ts$/.test(path))).toEqual([])
  })

  it("has no file that nobody imports", () => {
    const imported = new Set(
      sources.flatMap((file) =>
        [...file.text.matchAll(/["'](\.[^"']+\.ts)["']/g)].map((match) =>
          relative(root, resolve(root, dirname(file.path), match[1] ?? ""))
        )
      )
    )
    const dead = sources.map((file) => file.path).filter((path) => !imported.has(path) && !ENTRIES.has(path))
    expect(dead).toEqual([])
  })
})
