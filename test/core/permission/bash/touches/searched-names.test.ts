import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { isSeen } from "../../../../../src/core/permission/bash/touches/searched-names.ts"
import { decideIn, shell } from "../../fixture.ts"
import { partOf } from "../analysing.ts"

const seenBy = (command: string, path: string): boolean => {
  const touch = partOf(command).touches.find(({ recursive }) => recursive)
  if (touch?.path === undefined) throw new Error(`nothing is searched: ${command}`)
  return touch.seen === undefined || isSeen(touch.seen, touch.path, `/work/${path}`)
}

const CASES: ReadonlyArray<readonly [command: string, opened: ReadonlyArray<string>, not: ReadonlyArray<string>]> = [
  ["rg x", ["a.key", "d/a.key"], [".env", ".config/a.key", "d/.env", "d/.x/a.pem"]],
  ["rg x .", ["a.key"], [".env"]],
  ["rg -u x", ["a.key"], [".env"]],
  ["rg -uu x", [".env", ".config/a.key"], []],
  ["rg -u -u x", [".env"], []],
  ["rg --hidden x", [".env"], []],
  ["rg -. x", [".env"], []],
  ["rg -g '*.ts' x", [".a.ts", "a.ts"], [".env", "a.key"]],
  ["rg -g '.env' x", [".env"], ["a.key"]],
  ["rg -g '*' x", [".env", "a.key"], []],
  ["rg -g '**' x", [".env"], []],
  ["rg -g 'src/**' x", ["src/.env"], []],
  ["rg -g '*.{ts,env}' x", [".env"], ["a.key"]],
  ["rg -g '*.{ts,tsx}' x", ["a.tsx"], [".env"]],
  ["rg -g '.[e]nv' x", [".env"], []],
  ["rg -g '!*.md' x", ["a.key"], [".env"]],
  ["rg -g '*.ts' -g '.env' x", [".env"], ["a.key"]],
  ["rg --iglob '*.KEY' x", ["a.key"], [".env"]],
  ["rg --files --hidden", [], [".env", "a.key"]],
  ["grep -r x .", [".env", "a.key"], []],
  ["grep -r x . --include='*.ts'", ["a.ts"], [".env", "a.key"]],
  ["grep -r x . --include='*.ts' --include=.env", [".env"], ["a.key"]],
  ["grep -r x . --include='.*'", [".env"], ["a.key"]],
  ["grep -r x . --include='*'", [".env", "a.key"], []],
  ["grep -r x . --exclude=.env", ["a.key"], [".env"]],
  ["grep -r x . --exclude='.env*'", ["a.key"], [".env", ".env.local"]],
  ["grep -r x . --exclude='.e?v'", [".env"], []],
  ["grep -r x . --exclude=a --include='*.ts'", [".env", "a.key"], []],
  ["grep -r x . --include='*' --exclude=.env", [".env"], []],
  ["grep -r x . --exclude-dir=node_modules", [".env"], ["node_modules/a.key", "d/node_modules/e/a.key"]],
  ["egrep -rn x --include='*.md'", [], [".env"]]
]

describe("which files below a directory a search opens", () => {
  it.each(CASES)("%s", (command, opened, not) => {
    for (const path of opened) expect(seenBy(command, path), `${command}: ${path}`).toBe(true)
    for (const path of not) expect(seenBy(command, path), `${command}: ${path}`).toBe(false)
  })

  const root = mkdtempSync(join(tmpdir(), "nacre-seen-"))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const FILES = [
    ".env",
    "a.key",
    "a.ts",
    ".a.ts",
    "d/.env",
    "d/a.key",
    ".h/a.key",
    "node_modules/p/a.key",
    "env",
    "d/.env.local"
  ]

  it("grep opens nothing that was said to be left out", () => {
    for (const file of FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), "x\n")
    }
    const pattern = fc.constantFrom(
      "*.ts",
      ".env",
      ".env*",
      "*env",
      "*",
      ".*",
      "a.*",
      ".e?v",
      ".[e]nv",
      "*.{ts,env}",
      "d",
      "node_modules",
      ".h"
    )
    const flag = fc.tuple(fc.constantFrom("--include", "--exclude", "--exclude-dir"), pattern)
    fc.assert(
      fc.property(fc.array(flag, { maxLength: 4 }), (flags) => {
        const words = flags.map(([name, value]) => `${name}=${value}`)
        let printed = ""
        try {
          printed = execFileSync("grep", ["-rl", "x", ".", ...words], { cwd: root, encoding: "utf8" })
        } catch {
          // Nothing was found.
        }
        const command = `grep -rl x . ${words.map((word) => `'${word}'`).join(" ")}`.replaceAll(/'(--[a-z-]+=)/g, "$1'")
        for (const line of printed.split("\n").filter((path) => path !== "")) {
          expect(seenBy(command, line.replace(/^\.\//, "")), `${command}: ${line}`).toBe(true)
        }
      }),
      { numRuns: 150 }
    )
  })
})

describe("secrets below what is searched", () => {
  const below = (secrets: ReadonlyArray<string>) => ({
    below: [{ path: "/work", protectedPaths: [], secrets, watched: [], watchedAll: true, links: [], complete: true }]
  })
  const verdict = (command: string, secrets: ReadonlyArray<string>) =>
    decideIn({}, { need: shell(command), world: below(secrets) }).verdict

  it("are asked about when the search would open them", () => {
    expect(verdict("rg x", ["/work/.env"])).toBe("allow")
    expect(verdict("rg --hidden x", ["/work/.env"])).toBe("ask")
    expect(verdict("rg x", ["/work/a.key"])).toBe("ask")
    expect(verdict("grep -rn x .", ["/work/.env"])).toBe("ask")
    expect(verdict("grep -rn x . --include='*.ts'", ["/work/.env"])).toBe("allow")
  })

  it("are asked about when there are more than were noted", () => {
    const many = Array.from({ length: 20 }, (_, index) => `/work/d${index}/.env`)
    expect(verdict("rg x", many.slice(1))).toBe("allow")
    expect(verdict("rg x", many)).toBe("ask")
  })
})
