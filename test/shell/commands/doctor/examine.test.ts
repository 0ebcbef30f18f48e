import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { Examination } from "../../../../src/core/settings/doctor/finding.ts"
import { examineConfiguration } from "../../../../src/shell/commands/doctor/check-configuration.ts"
import { examineFiles, repairsIn } from "../../../../src/shell/commands/doctor/check-files.ts"
import type { Place } from "../../../../src/shell/commands/doctor/doctor-context.ts"
import { examinePrograms } from "../../../../src/shell/commands/doctor/check-programs.ts"
import { examineTerminal } from "../../../../src/shell/commands/doctor/check-terminal.ts"
import { freshDirectory, putFile } from "../../../support/temp-world.ts"

const placeWith = (env: Readonly<Record<string, string>> = {}): Place => {
  const root = freshDirectory()
  const [home, cwd, configHome] = [join(root, "home"), join(root, "work"), join(root, "home", "config")]
  for (const directory of [home, cwd]) mkdirSync(directory)
  mkdirSync(configHome, { mode: 0o700 })
  return {
    env: { NACRE_CONFIG_DIR: configHome, PATH: process.env["PATH"] ?? "", ...env },
    cwd,
    home,
    configHome,
    program: "/x/nacre.js"
  }
}

const ids = ({ findings }: Examination): ReadonlyArray<string> => findings.map(({ id }) => id)

const configuration = (place: Place): Promise<Examination> => Effect.runPromise(examineConfiguration(place))

describe("the configuration", () => {
  it("is sound when there is none", async () => {
    const found = await configuration(placeWith({ ANTHROPIC_API_KEY: "k" }))
    expect(found.findings.filter(({ level }) => level !== "info")).toEqual([])
    expect(found.facts).toMatchObject({ settings: "no file", credential: "from ANTHROPIC_API_KEY" })
  })

  it("tells of settings, keys, servers and trust with their places", async () => {
    const place = placeWith()
    putFile(
      join(place.configHome, "settings.json"),
      '{\n"hook": {},\n"permissions": {"allow": ["Edit"], "deny": ["Edit", "Bash(rm"]}}'
    )
    putFile(join(place.configHome, "keybindings.json"), "{")
    putFile(join(place.cwd, ".mcp.json"), '{"mcpServers": {"a": {}}}')
    putFile(join(place.cwd, ".claude", "settings.json"), '{"env": {"A": "b"}}')
    const found = await configuration(place)
    expect(ids(found)).toEqual(
      expect.arrayContaining([
        "settings.unknown-key",
        "rules.skipped",
        "rules.shadowed",
        "mcp.server",
        "keybindings.entry",
        "trust.restricted",
        "credential.none"
      ])
    )
    expect(found.findings.find(({ id }) => id === "settings.unknown-key")).toMatchObject({ line: 2, fix: "write hooks" })
    expect(found.facts).toMatchObject({ trust: "restricted" })
  })

  it("survives a broken shared file and links in the folder", async () => {
    const place = placeWith()
    putFile(join(place.configHome, ".claude.json"), "{,}")
    mkdirSync(join(place.cwd, ".mcp.json"))
    expect(ids(await configuration(place))).toEqual(expect.arrayContaining(["files.global-config", "mcp.file"]))
  })
})

describe("files", () => {
  it("that others can read are told, and made private", () => {
    const place = placeWith()
    chmodSync(place.configHome, 0o755)
    putFile(join(place.configHome, "history.jsonl"), "")
    chmodSync(join(place.configHome, "history.jsonl"), 0o644)
    const repairs = repairsIn(place)
    expect(repairs.map(({ finding }) => finding.file)).toEqual([place.configHome, join(place.configHome, "history.jsonl")])
    for (const { repair } of repairs) repair()
    expect(statSync(place.configHome).mode & 0o777).toBe(0o700)
    expect(ids(examineFiles(place, repairsIn(place)))).toEqual([])
  })

  it("need no mode of their own in a directory that is private", () => {
    const place = placeWith()
    putFile(join(place.configHome, "history.jsonl"), "")
    expect(repairsIn(place)).toEqual([])
  })

  it("tell of locks that a dead process left, not of one that is held", () => {
    const place = placeWith()
    const lock = join(place.configHome, "settings.json.lock")
    putFile(lock, String(process.pid))
    expect(repairsIn(place)).toEqual([])
    putFile(lock, "4194304999")
    const [found] = repairsIn(place)
    expect(found?.finding).toMatchObject({ id: "files.lock", file: lock })
    found?.repair()
    expect(existsSync(lock)).toBe(false)
  })

  it("tell of what sandboxed commands of a killed process left, and take away only that", () => {
    const place = placeWith()
    const [left, used] = [join(place.cwd, ".npmrc"), join(place.cwd, ".vscode")]
    for (const path of [left, used]) mkdirSync(path, { mode: 0o555 })
    chmodSync(used, 0o755)
    putFile(join(place.configHome, "nacre-sandbox", "4194304999"), [left, used].join("\0"))
    const [found] = repairsIn(place)
    expect(found?.finding).toMatchObject({ id: "files.standIns", file: left, message: expect.stringContaining("(1)") })
    found?.repair()
    expect([left, used].map((path) => existsSync(path))).toEqual([false, true])
    expect(repairsIn(place)).toEqual([])
  })
})

describe("programs", () => {
  it("are found, never in the folder at hand", async () => {
    const place = placeWith()
    putFile(join(place.cwd, "git"), "#!/bin/sh\ntouch ran\necho git version 99\n")
    chmodSync(join(place.cwd, "git"), 0o755)
    const found = await Effect.runPromise(examinePrograms({ ...place, env: { PATH: `${place.cwd}:.` } }))
    const all = found.flatMap(({ findings }) => findings.map(({ id }) => id))
    expect(all).toEqual(expect.arrayContaining(["tools.git", "tools.shell"]))
    expect(existsSync(join(place.cwd, "ran"))).toBe(false)
    const usual = await Effect.runPromise(examinePrograms(place))
    expect(Object.assign({}, ...usual.map(({ facts }) => facts))).toMatchObject({
      "shell grammar": "loaded",
      git: expect.stringContaining("git version")
    })
  })

  it("name what the terminal can do", () => {
    expect(examineTerminal(placeWith({ TERM: "xterm-kitty", TMUX: "x" })).facts["terminal"]).toContain(
      "xterm-kitty, in tmux"
    )
  })
})
