import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../../src/adapters/memory/node.ts"
import type { Memory } from "../../../src/core/ports/Memory.ts"
import { knownFileText } from "../../../src/core/context/memory/look.ts"
import { memoryLayer } from "../../../src/shell/layers/ports.ts"
import { openSettings } from "../../../src/shell/settings/open-settings.ts"
import { lookAtMemory } from "../../../src/shell/memory/look-at-memory.ts"
import { deleteMemory, undoChange, writeNote } from "../../../src/shell/memory/memory-changes.ts"

const place = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "nacre-notes-")))
  const cwd = join(root, "work")
  mkdirSync(cwd)
  const path = join(root, "home", "memory")
  return { root, cwd, configHome: join(root, "home"), memory: { _tag: "On", path } as const }
}

const run = <A, E>(effect: Effect.Effect<A, E, Memory>): A => Effect.runSync(Effect.provide(effect, layer))

describe("a note", () => {
  it("goes where it was sent, and is undone without a trace", () => {
    const at = place()
    const paths = {
      project: "work/CLAUDE.md",
      local: "work/CLAUDE.local.md",
      user: "home/CLAUDE.md",
      memory: "home/memory/MEMORY.md"
    }
    for (const [name, path] of Object.entries(paths)) {
      const where = name === "project" || name === "local" || name === "user" ? name : "memory"
      const { change } = writeNote(where, "use tabs", at)
      expect(readFileSync(join(at.root, path), "utf8")).toBe("- use tabs\n")
      run(undoChange(change))
      expect(existsSync(join(at.root, path))).toBe(false)
    }
  })

  it("goes to AGENTS.md where that is what the project has", () => {
    const at = place()
    writeFileSync(join(at.cwd, "AGENTS.md"), "# Rules\n")
    expect(writeNote("project", "use tabs", at).change.path).toBe(join(at.cwd, "AGENTS.md"))
  })

  it("never holds a secret", () => {
    const at = place()
    const { change, isRedacted } = writeNote("memory", `the key is ghp_${"a".repeat(36)}`, at)
    expect(isRedacted).toBe(true)
    expect(readFileSync(change.path, "utf8")).toBe("- the key is [redacted:github-token]\n")
  })

  it("is not written through a link that leads out of the folder", () => {
    const at = place()
    const outside = join(at.root, "profile")
    writeFileSync(outside, "mine\n")
    symlinkSync(outside, join(at.cwd, "CLAUDE.md"))
    expect(() => writeNote("project", "x", at)).toThrow("outside of the folder")
    expect(readFileSync(outside, "utf8")).toBe("mine\n")
  })

  it("has nowhere to go in memory that is off", () => {
    const at = { ...place(), memory: { _tag: "Off", why: "--bare" } as const }
    expect(() => writeNote("memory", "x", at)).toThrow("memory is off (--bare)")
  })
})

describe("a memory", () => {
  const filled = () => {
    const at = place()
    mkdirSync(at.memory.path, { recursive: true })
    writeFileSync(join(at.memory.path, "MEMORY.md"), "- [A](a.md) — a\n- [Tabs](tabs.md) — tabs\n")
    writeFileSync(join(at.memory.path, "tabs.md"), "---\nname: Tabs\ndescription: wants tabs\ntype: user\n---\nbody\n")
    return at
  }

  it("is shown with what is known of it, and with the instruction files", async () => {
    const at = filled()
    const { cwd, configHome, root, memory } = at
    writeFileSync(join(cwd, "CLAUDE.md"), "project @docs/a.md @gone/b.md")
    mkdirSync(join(cwd, ".claude/rules"), { recursive: true })
    writeFileSync(join(cwd, ".claude/rules/r.md"), '---\npaths: ["*.ts"]\n---\nrule')
    const settings = openSettings({ env: {}, home: root, configHome, startDir: cwd })
    const place = { cwd, configHome, home: root, env: {}, settings, additionalDirs: [], isUnaccepted: false }
    const looking = lookAtMemory({ plan: { ...place, start: { settings: {} } }, memory, messages: [] })
    const { files } = await Effect.runPromise(Effect.provide(looking, memoryLayer))
    const own = files.filter(({ path, group }) => group === "instructions" && path.startsWith(root))
    expect(own.map((file) => `${file.label}: ${knownFileText(file)}`)).toEqual([
      "CLAUDE.md: 8 tokens · not loaded · it was not there, or did not count, when the conversation began",
      ".claude/rules/r.md: 1 tokens · not loaded · comes with files that match *.ts",
      expect.stringContaining("docs/a.md: "),
      expect.stringContaining("gone/b.md: "),
      "CLAUDE.md: not there yet",
      "CLAUDE.local.md: not there yet"
    ])
    expect(files.filter(({ group }) => group === "memory").map(({ label, name }) => [label, name])).toEqual([
      ["MEMORY.md", "MEMORY.md"],
      ["Tabs", "tabs.md"]
    ])
  })

  it("goes with its line of the index, and comes back with it", () => {
    const at = filled()
    const index = () => readFileSync(join(at.memory.path, "MEMORY.md"), "utf8")
    const change = run(deleteMemory(at.memory.path, "tabs.md"))
    expect(index()).toBe("- [A](a.md) — a\n")
    expect(existsSync(join(at.memory.path, "tabs.md"))).toBe(false)
    expect(run(deleteMemory(at.memory.path, "tabs.md"))).toBeUndefined()
    if (change === undefined) throw new Error("nothing was deleted")
    expect(run(undoChange(change))).toBe("tabs.md is back")
    expect(index()).toBe("- [A](a.md) — a\n- [Tabs](tabs.md) — tabs\n")
  })
})
