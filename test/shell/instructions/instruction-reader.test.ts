import { join } from "node:path"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { layer as filesLayer } from "../../../src/adapters/files/node.ts"
import { layer as gitLayer } from "../../../src/adapters/git/node.ts"
import type { InstructionFile } from "../../../src/core/context/instructions/instruction-file.ts"
import type { Files } from "../../../src/core/ports/Files.ts"
import type { Git } from "../../../src/core/ports/Git.ts"
import { makeInstructionReader } from "../../../src/shell/instructions/instruction-reader.ts"
import { openSettings } from "../../../src/shell/settings/open-settings.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"

const ports = Layer.merge(filesLayer, gitLayer)

const world = () => {
  const home = freshDirectory()
  const cwd = join(home, "work")
  putFile(join(cwd, "CLAUDE.md"), "project")
  putFile(join(cwd, "sub/CLAUDE.md"), "nested")
  putFile(join(cwd, "sub/x.ts"), "x")
  const configHome = join(home, ".claude")
  const settings = openSettings({ env: {}, home, configHome, startDir: cwd })
  const plan = { home, cwd, configHome, env: {}, settings, additionalDirs: [], isUnaccepted: false, start: { settings: {} } }
  const said: Array<string> = []
  const reader = makeInstructionReader(plan, { say: (_, text) => void said.push(text) })
  const texts = async (reading: Effect.Effect<ReadonlyArray<InstructionFile>, never, Files | Git>) => {
    const files = await Effect.runPromise(Effect.provide(reading, ports))
    return files.filter(({ path }) => path.startsWith(home)).map(({ text }) => text)
  }
  return { cwd, reader, said, texts }
}

describe("the instructions of a conversation", () => {
  it("stay as they were, and the user hears once of each change, until they are renewed", async () => {
    const { cwd, reader, said, texts } = world()
    expect(await texts(reader.renew)).toEqual(["project"])
    putFile(join(cwd, "CLAUDE.md"), "changed")
    expect(await texts(reader.standing)).toEqual(["project"])
    expect(await texts(reader.standing)).toEqual(["project"])
    expect(said).toEqual([expect.stringContaining(`Changed: ${join(cwd, "CLAUDE.md")}. It counts from`)])
    putFile(join(cwd, ".claude/rules/new.md"), "rule")
    expect(await texts(reader.standing)).toEqual(["project"])
    expect(said).toHaveLength(2)
    expect(await texts(reader.renew)).toEqual(["changed", "rule"])
    expect(await texts(reader.standing)).toEqual(["changed", "rule"])
    expect(said).toHaveLength(2)
  })

  it("and what else a window begins with are read once in it", async () => {
    const { reader, texts } = world()
    let reads = 0
    const read = Effect.sync(() => {
      reads += 1
      return [{ id: "/m", value: { path: "/m", kind: "memory", label: "memory", text: String(reads) } }] as const
    })
    const index = () => Effect.runPromise(reader.onceInWindow(read))
    await texts(reader.renew)
    expect([await index(), await index()].map((items) => items[0]?.value.text)).toEqual(["1", "1"])
    await texts(reader.standing)
    expect((await index())[0]?.value.text).toBe("1")
    await texts(reader.renew)
    expect((await index())[0]?.value.text).toBe("2")
  })

  it("are joined by those of touched files, each once", async () => {
    const { cwd, reader, texts } = world()
    const path = join(cwd, "sub/x.ts")
    const touched = [path, join(cwd, "sub/y.ts")].map((each) => ({ path: each, realPath: each }))
    expect(await texts(reader.withFiles(touched))).toEqual(["nested"])
  })

  it("warn once of what is left out", async () => {
    const { cwd, reader, said, texts } = world()
    putFile(join(cwd, ".claude/rules/bad.md"), "---\n\t[\n---\nbody")
    await texts(reader.renew)
    await texts(reader.renew)
    expect(said.filter((text) => text.includes("bad.md"))).toHaveLength(1)
  })
})
