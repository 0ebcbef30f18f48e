import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { KEYS } from "../../../../src/core/settings/keys/keys.ts"
import { parsePath, printPath } from "../../../../src/core/settings/keys/key-path.ts"
import { parseArgv } from "../../../../src/shell/cli/parse.ts"
import { runConfig } from "../../../../src/shell/commands/config/config.ts"
import { freshDirectory, putFile } from "../../../support/temp-world.ts"

interface World {
  readonly user: string
  readonly project: string
  readonly local: string
  readonly config: (...args: ReadonlyArray<string>) => Promise<{ code: number; out: string; err: string }>
  /** What a user at the terminal answers, line by line; nobody is there without it. */
  readonly answers: Array<string>
  readonly env: Record<string, string>
}

const world = (): World => {
  const root = freshDirectory()
  const [home, cwd] = [join(root, "home"), join(root, "work")]
  for (const directory of [home, cwd]) mkdirSync(directory)
  const claude = join(cwd, ".claude")
  const answers: Array<string> = []
  const env: Record<string, string> = { NACRE_CONFIG_DIR: join(home, ".claude"), PATH: process.env["PATH"] ?? "" }
  return {
    answers,
    env,
    user: join(home, ".claude", "settings.json"),
    project: join(claude, "settings.json"),
    local: join(claude, "settings.local.json"),
    config: async (...args) => {
      const parsed = Result.getOrThrow(parseArgv(["config", ...args], { stdoutIsTerminal: true }))
      if (parsed._tag !== "Command") throw new Error("no command")
      let out = ""
      let err = ""
      const io = {
        env,
        cwd,
        home,
        stdinIsTerminal: answers.length > 0,
        lineBlocks: async function* () {
          while (answers.length > 0) yield [answers.shift() ?? ""]
        },
        secret: () => Promise.resolve(""),
        out: (text: string) => void (out += text),
        err: (text: string) => void (err += text)
      }
      const code = await runConfig(parsed.invocation, io)
      return { code, out, err }
    }
  }
}

describe("nacre config", () => {
  it("sets, prints old and new, reads back, unsets", async () => {
    const { config, user } = world()
    expect(await config("set", "theme", "dark")).toEqual({ code: 0, out: `theme: not set -> "dark" (${user})\n`, err: "" })
    expect((await config("set", "theme", "light")).out).toBe(`theme: "dark" -> "light" (${user})\n`)
    expect((await config("get", "theme")).out).toBe("light\n")
    expect((await config("list")).out).toBe(`theme = "light"  # userSettings ${user}:2\n`)
    expect((await config("unset", "theme")).out).toBe(`theme: "light" -> not set (${user})\n`)
    expect(await config("get", "theme")).toMatchObject({ code: 1, out: "" })
  })

  it("takes values as JSON where they fit and as text where those do", async () => {
    const { config, user } = world()
    await config("set", "showTurnDuration", "false")
    await config("set", "model", "4")
    await config("set", "nacre.tui.tabWidth", "4")
    await config("set", "env.A", "1")
    expect(JSON.parse(readFileSync(user, "utf8"))).toEqual({
      showTurnDuration: false,
      model: "4",
      nacre: { tui: { tabWidth: 4 } },
      env: { A: "1" }
    })
  })

  it.each([
    [["set", "showTurnDuration", "maybe"], "expected true or false"],
    [["set", "hook", "{}"], "write hooks"],
    [
      ["set", "permissions.defaultMode", "bypassPermissions", "--source", "project"],
      "is not accepted from a project's files"
    ],
    [["set", "env.ANTHROPIC_BASE_URL", "http://x", "--source", "local"], "never taken from a project"],
    [["set", "allowManagedHooksOnly", "true"], "managed settings"],
    [["set", "hasCompletedOnboarding", "true"], "global configuration"],
    [["add", "permissions.deny", "Bash(git:* push)"], "write 'Bash(git * push)'"],
    [["add", "theme", "x"], "holds no list"],
    [["remove", "permissions.deny", "Bash"], "is not in permissions.deny"],
    [["set", "a..b", "1"], "is not a key"]
  ])("refuses %j and writes nothing", async (args, words) => {
    const { config, user, project, local } = world()
    const { code, err } = await config(...args)
    expect(code).toBe(1)
    expect(err).toContain(words)
    expect([user, project, local].some((path) => existsSync(path))).toBe(false)
  })

  it("adds and removes items of lists, each once", async () => {
    const { config, local } = world()
    for (const rule of ["Bash(rm *)", "Read(/etc/**)", "Bash(rm *)"])
      await config("add", "permissions.deny", rule, "--source", "local")
    expect(JSON.parse(readFileSync(local, "utf8"))).toEqual({ permissions: { deny: ["Bash(rm *)", "Read(/etc/**)"] } })
    await config("remove", "permissions.deny", "Bash(rm *)", "--source", "local")
    expect((await config("get", "permissions.deny")).out).toBe('[\n  "Read(/etc/**)"\n]\n')
  })

  it("says that the first setting of a trusted folder holds", async () => {
    const { config, project, user } = world()
    const global = join(dirname(user), ".claude.json")
    expect((await config("set", "model", "a", "--source", "project")).err).toContain("not in force")
    rmSync(dirname(project), { recursive: true })
    putFile(global, JSON.stringify({ projects: { [dirname(dirname(project))]: { hasTrustDialogAccepted: true } } }))
    expect(await config("set", "model", "a", "--source", "project")).toMatchObject({ code: 0, err: "" })
  })

  it("explains what holds, what it hides and what does not count", async () => {
    const { config, user, project } = world()
    putFile(user, '{\n  "model": "a"\n}')
    putFile(project, '{\n\n  "model": "b"\n}')
    expect((await config("explain", "model")).out).toContain(
      `model = "a"\n  from user settings (${user}:2)\n  ignored "b" of shared project settings (${project}:3): the workspace is not trusted`
    )
    expect(JSON.parse((await config("explain", "model", "--json")).out)).toMatchObject({
      key: "model",
      value: "a",
      source: "userSettings",
      line: 2,
      shadowed: [],
      ignored: [{ value: "b", line: 3 }]
    })
    expect((await config("explain", "nonsense")).out).toContain("unknown to this version")
    expect((await config("explain", "permissions")).out).toContain("holds permissions.allow, permissions.ask")
  })

  it("starts no editor of its own where nobody could use it", async () => {
    const { config, env } = world()
    expect(await config("edit")).toMatchObject({
      code: 1,
      err: expect.stringContaining("there is no terminal to edit on") as string
    })
    expect(await config("edit", "--source", "project")).toMatchObject({ code: 1 })
    env["EDITOR"] = "true"
    expect(await config("edit")).toMatchObject({ code: 0, out: "Nothing was changed.\n" })
  })

  it("says what to type instead", async () => {
    const { config } = world()
    expect((await config("set", "nosuch", "1")).err).toContain("unknown key. Fix: nacre config schema lists the keys\n")
    expect((await config("set", "permissions.allow", "Bash(ls)")).err).toContain(
      'Fix: nacre config add permissions.allow "Bash(ls)"\n'
    )
    expect((await config("set", "modle", "x")).err).toContain("Fix: write model\n")
  })

  it("explains what could not be used, of that key only", async () => {
    const { config, user } = world()
    putFile(user, '{\n  "permissions": { "deny": "Read", "allow": ["Bash(ls", 7] },\n  "theme": 1\n}')
    const { out, err } = await config("explain", "permissions.deny")
    expect(out).toContain(
      `permissions.deny is not set\n  permissions.deny (${user}:2:28): expected a list, found "Read"; it is ignored`
    )
    expect(err).toBe("")
    expect(JSON.parse((await config("explain", "permissions.allow", "--json")).out)).toMatchObject({
      value: ["Bash(ls"],
      faults: [
        { line: 2, message: expect.stringContaining("found 7") },
        { line: 2, message: expect.stringContaining("Bash(ls") }
      ]
    })
    putFile(user, "{")
    expect((await config("explain", "theme")).err).toContain(`settings (${user}:1:2) — not JSON`)
  })

  it("lists with its own form of JSON, without secrets", async () => {
    const { config, user } = world()
    putFile(user, '{"env": {"MY_TOKEN": "0123456789abcdef", "PLAIN": "x"}}')
    const { out } = await config("list", "--json")
    expect(JSON.parse(out)).toEqual({
      "env.MY_TOKEN": { value: "****cdef", source: "userSettings", file: user, line: 1, shadowed: [] },
      "env.PLAIN": { value: "x", source: "userSettings", file: user, line: 1, shadowed: [] }
    })
    for (const args of [["get", "env"], ["explain", "env"], ["explain", "env", "--json"], ["list"]]) {
      const { out, err } = await config(...args)
      expect(out + err).not.toContain("0123456789")
    }
  })

  it("shows broken files and goes on", async () => {
    const { config, user, local } = world()
    putFile(user, "{ // mine\n}")
    putFile(local, '{"permissions": {"ask": ["Edit"]}}')
    const { code, out, err } = await config("list")
    expect(code).toBe(0)
    expect(out).toContain("permissions.ask")
    expect(err).toContain(`(${user}:1:3) — not JSON: comments are not allowed`)
    expect(await config("set", "theme", "dark")).toMatchObject({ code: 1 })
    expect(readFileSync(user, "utf8")).toBe("{ // mine\n}")
  })

  describe("edit", () => {
    const edited = (each: World, script: string, ...answers: ReadonlyArray<string>) => {
      const editor = join(freshDirectory(), "editor")
      putFile(editor, `#!/bin/sh\n${script}\n`)
      chmodSync(editor, 0o755)
      each.env["EDITOR"] = editor
      each.answers.push(...answers)
      return each.config("edit")
    }

    it("writes what can be read and says what holds now", async () => {
      const here = world()
      putFile(here.user, '{\n  "zzz": 1,\n  "theme": "dark"\n}\n')
      const { code, out, err } = await edited(here, 'sed -i s/dark/light/ "$1"')
      expect([code, out]).toEqual([0, `${here.user} was written; in force now: theme\n`])
      expect(err).toContain("zzz")
      expect(readFileSync(here.user, "utf8")).toBe('{\n  "zzz": 1,\n  "theme": "light"\n}\n')
    })

    it("begins a file, and leaves none where nothing was changed", async () => {
      const here = world()
      expect(await edited(here, ":")).toMatchObject({ code: 0, out: "Nothing was changed.\n" })
      expect(existsSync(here.user)).toBe(false)
      expect(await edited(here, `printf '{"theme": "dark"}' > "$1"`)).toMatchObject({ code: 0 })
      expect(readFileSync(here.user, "utf8")).toBe('{"theme": "dark"}')
    })

    it.each([
      ["a broken text, with nobody to ask", `printf '{,}' > "$1"`, []],
      ["a broken text, whatever is answered", `printf '{,}' > "$1"`, ["w", "q"]],
      ["a value of the wrong kind, with nobody to ask", `printf '{"theme": 3}' > "$1"`, []],
      ["what the editor gave up", "exit 3", []],
      ["a file that somebody else changed meanwhile", `printf '{"model": "x"}' > "$1"; printf '{"b": 1}' > "$FILE"`, []]
    ])("never writes %s", async (_, script, answers) => {
      const here = world()
      putFile(here.user, '{"theme": "dark"}')
      here.env["FILE"] = here.user
      expect((await edited(here, script, ...answers)).code).toBe(1)
      expect(readFileSync(here.user, "utf8")).toBe(script.includes("$FILE") ? '{"b": 1}' : '{"theme": "dark"}')
    })

    it("goes back to the editor, at the line of the fault", async () => {
      const here = world()
      const script = `echo "$1 $2" >> "$LOG"; if [ -e "$LOG.again" ]; then printf '{"theme": "light"}' > "$1"; else printf '{\n\n,}' > "$1"; touch "$LOG.again"; fi`
      here.env["LOG"] = join(freshDirectory(), "log")
      expect((await edited(here, script, "what", "e")).code).toBe(0)
      expect(readFileSync(here.user, "utf8")).toBe('{"theme": "light"}')
    })

    it("writes a doubtful value when the user insists, and lets old faults be", async () => {
      const here = world()
      expect((await edited(here, `printf '{"theme": 3}' > "$1"`, "w")).code).toBe(0)
      expect((await edited(here, `printf '{"theme": 3, "model": "m"}' > "$1"`)).code).toBe(0)
      expect(readFileSync(here.user, "utf8")).toContain('"model": "m"')
    })
  })

  it("suggests the nearest name for a key that nobody knows", async () => {
    const { config, user } = world()
    putFile(user, '{"hook": {}}')
    const { out, err } = await config("list")
    expect(out).toBe("")
    expect(err).toBe(`nacre: hook (${user}:1:2) — unknown key; it is kept and not used. Fix: write hooks\n`)
  })

  it("names every known key in its JSON Schema", async () => {
    const { config } = world()
    const schema = JSON.parse((await config("schema")).out) as unknown
    const at = (path: ReadonlyArray<string>): unknown =>
      path.reduce<unknown>((node, name) => (node as { properties: Record<string, unknown> }).properties[name], schema)
    for (const [key, rule] of Object.entries<{ scope: string }>(KEYS)) {
      if (rule.scope !== "G") expect(at(key.split(".")), key).toHaveProperty("description")
    }
  })

  it("names the files", async () => {
    const { config, user, local } = world()
    expect((await config("path")).out).toContain(`userSettings ${user}\n`)
    expect((await config("path", "--source", "local")).out).toBe(`${local}\n`)
  })
})

describe("keys in words", () => {
  it("are read back as they are printed", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }), (path) => {
        expect(parsePath(printPath(path))).toEqual(path)
      })
    )
  })
})
