import { describe, expect, it } from "vitest"
import type { Message } from "../../../../src/core/domain/message.ts"
import { goToEntry } from "../../../../src/tui/model/conversation/go-to-entry.ts"
import { editFrom } from "../../../../src/tui/panes/transcript/transcript-actions.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import { changedFiles, todosOf } from "../../../../src/tui/transcript/entries/select.ts"
import { Maker } from "../../../support/session/build.ts"
import { SESSION, TuiWorld, type WorldOptions } from "../../../support/tui-world.ts"

const TURNS = 700
const PAGE = 100

interface Talk {
  readonly world: TuiWorld
  readonly maker: Maker
  /** Everything that was said, as the file has it. */
  readonly said: Array<Message>
}

const say = ({ world, said }: Talk, ...messages: ReadonlyArray<Message>): void => {
  for (const message of messages) {
    said.push(message)
    const emission = { _tag: "MessageAdded" as const, message }
    const { state } = world.session()
    world.tell({ _tag: "Session", session: SESSION, news: { _tag: "Emitted", emission, state } })
  }
}

const turn = (talk: Talk, name: string): void => {
  const words = `answer ${name}${name === "5" ? " with the needle" : ""}`
  say(talk, talk.maker.prompt(`prompt ${name}`), talk.maker.says(`m${name}`, words))
}

const turns = (talk: Talk, count: number, name: string): void => {
  for (let number = 0; number < count; number++) turn(talk, `${name}${number}`)
}

const talkIn = (options: WorldOptions): Talk => {
  const world = new TuiWorld({ size: { columns: 80, rows: 24 }, ...options })
  world.open()
  const talk = { world, maker: new Maker(), said: [] }
  turns(talk, TURNS, "")
  return talk
}

const long = talkIn({})

/** A session in which much was said. Models do not change, so all tests begin with the same one. */
const talked = (): Talk => {
  const world = new TuiWorld({ size: { columns: 80, rows: 24 } })
  world.model = long.world.model
  world.now = long.world.now
  return { world, maker: long.maker, said: [...long.said] }
}

const compact = (talk: Talk): void =>
  say(talk, talk.maker.system("compact_boundary", { compactMetadata: { trigger: "auto", preTokens: 41_000 } }))

/** The shell has looked: everything is on disk. */
const stored = ({ world }: Talk): void => {
  const last = world.done("AskWhetherStored").at(-1)
  if (last !== undefined) world.tell({ ...last, _tag: "EarlierStored" })
}

const compacted = (talk: Talk = talked()): Talk => {
  compact(talk)
  stored(talk)
  return talk
}

/** Answers what was asked for last as the shell does it from the file. */
const bring = ({ world, said }: Talk): void => {
  const asked = world.cmds.findLast((cmd) => cmd._tag === "ReadEarlier" || cmd._tag === "ReadReleased")
  if (asked === undefined) throw new Error("nothing was asked for")
  const before = asked._tag === "ReadReleased" ? asked.before : world.done("ReadReleased").at(-1)?.before
  const part = said.slice(
    0,
    said.findIndex(({ uuid }) => uuid === before)
  )
  const page = asked._tag === "ReadEarlier" ? asked.page : Math.ceil(part.length / PAGE) - 1
  const messages = part.slice(page * PAGE, (page + 1) * PAGE)
  const by = asked._tag === "ReadReleased" ? { before: asked.before } : {}
  world.tell({ _tag: "EarlierRead", session: SESSION, page, messages, ...by })
}

const bringAll = (talk: Talk): void => {
  while (talk.world.session().earlier.isReading) bring(talk)
}

const idsOf = ({ world }: Talk): ReadonlyArray<string> =>
  Vector.toArray(world.session().transcript.entries).map(({ id }) => id)

const isReleased = ({ world }: Talk): boolean => world.session().earlier.released !== undefined

describe("what is older than a compaction", () => {
  it("is let go when it is on disk, and not before", () => {
    const talk = talked()
    const all = idsOf(talk)
    compact(talk)
    expect(idsOf(talk)).toHaveLength(all.length + 1)
    stored(talk)
    const { transcript, list } = talk.world.session()
    expect(transcript.entries.length).toBeLessThan(1_010)
    expect(transcript.entries.length).toBeGreaterThan(990)
    expect(list.entries.tree.count).toBe(transcript.entries.length)
    expect(Vector.get(transcript.entries, 0)?.uuid).toBe(talk.world.done("AskWhetherStored").at(-1)?.before)
  })

  it("does not grow however often the session is compacted", () => {
    const talk = compacted()
    for (let round = 0; round < 5; round++) {
      turns(talk, 100, `${round}-`)
      compact(talk)
      stored(talk)
    }
    expect(idsOf(talk).length).toBeLessThan(1_010)
  })

  it("comes back, all of it and as it was, when somebody scrolls up to it", () => {
    const talk = talked()
    compact(talk)
    const all = idsOf(talk)
    stored(talk)
    talk.world.keys("<C-x><C-w>t")
    for (let page = 0; page < 20 && isReleased(talk); page++) {
      talk.world.keys("gg")
      bringAll(talk)
    }
    expect(idsOf(talk)).toEqual(all)
    expect(talk.world.session().list.hasEarlier).toBe(false)
  })

  it.each([
    ["?", "a search up"],
    ["/", "a search down"]
  ])("is found by %s (%s)", (kind) => {
    const talk = compacted()
    talk.world.keys(`<C-x><C-w>t${kind}needle<CR>`)
    bringAll(talk)
    expect(talk.world.session().list.cursor?.entry).toBe("m5:0")
  })

  /** What was said lies on disk only again. */
  const letGoAgain = (talk: ReturnType<typeof talked>): void => {
    talk.world.keys("G")
    compact(talk)
    stored(talk)
    expect(isReleased(talk)).toBe(true)
  }

  it("is where a mark, or a jump back, leads again", () => {
    const talk = talked()
    talk.world.keys("<C-x><C-w>tggma")
    const { cursor } = talk.world.session().list
    letGoAgain(talk)
    talk.world.keys("'a")
    bringAll(talk)
    expect(talk.world.session().list.cursor).toMatchObject({ entry: cursor?.entry, offset: cursor?.offset })
    letGoAgain(talk)
    talk.world.keys("<C-o>")
    bringAll(talk)
    expect(talk.world.session().list.cursor).toMatchObject({ entry: cursor?.entry, offset: cursor?.offset })
  })

  it.each([
    ["somebody reads it", "<C-x><C-w>tgg"],
    ["somebody stands in it", "<C-x><C-w>tggma<C-e>"],
    ["a search is being typed", "<C-x><C-w>t/need"],
    ["its prompts are chosen from", "/rewind<CR>"]
  ])("stays while %s", (_, keys) => {
    const talk = talked()
    talk.world.keys(keys)
    compact(talk)
    stored(talk)
    expect(isReleased(talk)).toBe(false)
  })

  it("stays in native scrollback, to which nothing can be put back", () => {
    expect(isReleased(compacted(talkIn({ options: { interface: "inline" } })))).toBe(false)
  })

  it("is all there again to choose a prompt from", () => {
    const talk = compacted()
    talk.world.keys("/rewind<CR>")
    bringAll(talk)
    expect(idsOf(talk).filter((id) => id === talk.said[0]?.uuid)).toHaveLength(1)
  })

  it.each([["/export all.md<CR>"], ["<C-x><C-w>t:w all.md<CR>"], ["<C-x><C-w>t:%w all.md<CR>"]])(
    "is in a file that is written of it (%s)",
    (keys) => {
      const talk = compacted()
      talk.world.keys(keys)
      expect(talk.world.done("WriteFile")).toEqual([])
      bringAll(talk)
      const [written] = talk.world.done("WriteFile")
      expect(written?.text).toContain("prompt 0\n")
      expect(written?.text).toContain(`answer ${TURNS - 1}`)
    }
  )

  it("leaves the list of things to do as it was", () => {
    const talk = talked()
    const { world, maker } = talk
    const todos = [{ content: "sweep", status: "pending", activeForm: "Sweeping" }]
    const early = maker.calls("list", "call-list")
    const message = {
      ...early.message,
      content: [{ type: "tool_use" as const, id: "call-list", name: "TodoWrite", input: { todos } }]
    }
    say(talk, { ...early, message }, maker.result(early, "call-list"))
    const before = todosOf(world.session().transcript)
    expect(before).toHaveLength(1)
    turns(talk, 600, "later-")
    compact(talk)
    stored(talk)
    expect(isReleased(talk)).toBe(true)
    expect(todosOf(world.session().transcript)).toEqual(before)
  })

  it("leaves the changes of the session as they were, which lead back to it", () => {
    const talk = talked()
    const { world, maker } = talk
    const caller = maker.fragment("edit", {
      type: "tool_use",
      id: "call-edit",
      name: "Edit",
      input: { file_path: "/p/a.ts" }
    })
    const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-old", "+new"] }
    const toolUseResult = { filePath: "/p/a.ts", structuredPatch: [hunk] }
    say(talk, caller, { ...maker.result(caller, "call-edit"), toolUseResult })
    const before = changedFiles(world.session().transcript)
    expect(before).toHaveLength(1)
    turns(talk, 600, "later-")
    compacted(talk)
    expect(isReleased(talk)).toBe(true)
    expect(changedFiles(world.session().transcript)).toEqual(before)
    world.model = goToEntry(world.model, before[0]?.changes[0]?.entryId ?? "")
    world.wait(1)
    bringAll(talk)
    expect(world.session().list.cursor?.entry).toBe("call-edit")
    expect(changedFiles(world.session().transcript)).toEqual(before)
  })

  it("can be gone on from: going back to the first prompt that is here forks behind what was let go", () => {
    const { world, said } = compacted()
    const session = world.session()
    const first = Vector.get(session.transcript.entries, 0)
    if (first === undefined) throw new Error("nothing is left")
    const [, cmds] = editFrom(world.model, session, first)
    const upTo = said[said.findIndex(({ uuid }) => uuid === first.uuid) - 1]?.uuid
    expect(cmds[0]).toMatchObject({ _tag: "OpenSession", which: { _tag: "Fork", upTo } })
  })
})
