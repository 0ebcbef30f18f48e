import { mkdirSync, realpathSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Context, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { restoredFiles } from "../../../src/shell/context/restored-files.ts"
import { FileState, makeFileState } from "../../../src/shell/tools/services/file-state.ts"
import { sessionFactPorts } from "../../support/fact-ports.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { freshDirectory } from "../../support/temp-world.ts"

/** Files that a summary took away are read again, as far as nobody has to be asked for them. */

/** `closed`: a folder of it that a rule denies. */
const world = async (closed?: string) => {
  const root = realpathSync(freshDirectory())
  const state = Effect.runSync(makeFileState())
  const deny = closed === undefined ? [] : [`Read(/${root}/${closed}/**)`]
  const reader = { permission: permissions({ deny, allow: [`Read(/${root}/**)`] }), cwd: root }
  const ports = await sessionFactPorts()
  const services = Context.add(ports, FileState, state)
  const write = (name: string, text: string, seconds = 1_000): string => {
    const path = join(root, name)
    mkdirSync(join(path, ".."), { recursive: true })
    writeFileSync(path, text)
    utimesSync(path, seconds, seconds)
    return path
  }
  const restore = (paths: ReadonlyArray<string>) =>
    Effect.runPromise(Effect.provideContext(restoredFiles({ paths }, reader), services))
  return { root, state, write, restore }
}

describe("files that come back", () => {
  it("are the five that changed last, the newest first, as they are now", async () => {
    const { write, restore } = await world()
    const paths = [1, 2, 3, 4, 5, 6, 7].map((at) => write(`f${at}.txt`, `text ${at}\n`, 1_000 + at))
    const items = await restore(paths)
    expect(items.map(({ id }) => id)).toEqual(paths.slice(2).toReversed())
    expect(items[0]?.value).toMatchObject({ lines: ["text 7"], totalLines: 1 })
  })

  it("are known to the agent, which may edit them", async () => {
    const { write, restore, state } = await world()
    const path = write("a.txt", "one\ntwo\n")
    await restore([path])
    expect(await Effect.runPromise(state.get(path))).toMatchObject({
      content: "one\ntwo\n",
      partial: false,
      source: "seeded"
    })
  })

  it("are cut where they are long, and then not known as a whole", async () => {
    const { write, restore, state } = await world()
    const path = write("long.txt", "a line of many words that go on and on\n".repeat(5_000))
    const [item] = await restore([path])
    expect(item?.value.lines.length).toBeLessThan(item?.value.totalLines ?? 0)
    expect(await Effect.runPromise(state.get(path))).toMatchObject({ partial: true })
  })

  it("are not those that a rule denies, whatever link leads there", async () => {
    const { root, write, restore } = await world("private")
    const denied = write("private/a.txt", "PRIVATE")
    const link = join(root, "link.txt")
    symlinkSync(denied, link)
    const open = write("open.txt", "open")
    expect((await restore([denied, link, open])).map(({ id }) => id)).toEqual([open])
  })

  it("are not those that may hold secrets, are gone, are folders or no text", async () => {
    const { root, write, restore } = await world()
    const secret = write(".env", "KEY=1")
    const binary = write("a.bin", "\0\0\0\u0001\0")
    expect(await restore([secret, binary, join(root, "gone.txt"), root, "relative.txt"])).toEqual([])
  })
})
