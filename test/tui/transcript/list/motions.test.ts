import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Entry } from "../../../../src/tui/transcript/block.ts"
import type { TranscriptList } from "../../../../src/tui/transcript/list/state/transcript-list.ts"
import { placeOfPosition, positionOf, transcriptLines } from "../../../../src/tui/transcript/list/index/transcript-lines.ts"
import {
  LIST_ACTIONS,
  listChanged,
  listOpenedAt,
  listSeen,
  updateList,
  type ListActionName
} from "../../../../src/tui/transcript/list/update.ts"
import { toEnd } from "../../../../src/tui/transcript/list/commands/scroll.ts"
import * as Vector from "../../../../src/tui/transcript/vector.ts"
import { atCursor, calls, contextOf, listOf, press, says, user } from "./fixture.ts"

const context = contextOf(40, 12)

const isListAction = (id: string): id is ListActionName => Object.hasOwn(LIST_ACTIONS, id)
const LIST_NAMES = Object.keys(LIST_ACTIONS).filter(isListAction)

const ENTRIES: ReadonlyArray<Entry> = [
  user("u1", "please fix src/main.ts"),
  says("a1", "I look at it.\n\nThen I change it."),
  calls("c1", "ls src\nmain.ts", { tool: "Bash" }),
  calls("c2", "edit src/main.ts", {
    tool: "Edit",
    parts: [
      { name: "hunk", start: 0, end: 4 },
      { name: "hunk", start: 5, end: 16 }
    ]
  }),
  calls("c3", "false", { tool: "Bash", state: "failed" }),
  user("u2", "again"),
  says("a2", "Here:\n\n```ts\nconst x = 1\n```\n"),
  calls("c4", "cat a", { tool: "Read" }),
  calls("c5", "true", { tool: "Bash" })
]

const start = press(listOf(ENTRIES, context), "gg", context)
const places = (script: string, from: TranscriptList = start): string => press(from, script, context).cursor?.entry ?? ""

describe("motions of the pane", () => {
  it("go by turn, message, call, error and hunk, with counts", () => {
    expect(places("}")).toBe("u2")
    expect(places("]u")).toBe("u2")
    expect(places("G {")).toBe("u2")
    expect(places("G 2{")).toBe("u1")
    expect(places("3]m")).toBe("c2")
    expect(places("2]a")).toBe("a2")
    expect(places("2]t")).toBe("c2")
    expect(places("]t ]T")).toBe("c3")
    expect(places("]t 2]T")).toBe("c5")
    expect(places("G 2[T")).toBe("c1")
    expect(places("]e")).toBe("c3")
    expect(places("]d")).toBe("c2")
    expect(atCursor(press(start, "2]c", context))).toBe("src/main.ts")
    expect(places("G [e")).toBe("c3")
  })

  it("stay and ring when there is nothing to go to", () => {
    const list = press(start, "]k", context)
    expect(list.outcome).toEqual({ _tag: "Bell" })
    expect(list.cursor).toEqual(start.cursor)
  })

  it("remember where they left from when they go far", () => {
    expect(places("G <C-o>")).toBe("u1")
    expect(places("} G <C-o> <C-o>")).toBe("u1")
    expect(places("} G <C-o> <C-o> <C-i>")).toBe("u2")
    expect(places("]t G <C-o>")).toBe("c1")
    expect(press(listOf(ENTRIES, context), "<C-o>", context).outcome).toEqual({ _tag: "LeftJumps" })
  })

  it("go to marks, also after other entries came", () => {
    const marked = press(start, "]t m=a G", context)
    const grown = listChanged(marked, Vector.push(marked.entries.source, user("u3", "more")), context)
    expect(places("'=a", grown)).toBe("c1")
    expect(places("'=a '='", grown)).toBe(grown.cursor?.entry)
    expect(press(start, "'=z", context).outcome).toEqual({ _tag: "Bell" })
  })

  it("go by rows and by source lines", () => {
    const long = listOf([says("a", `${"x".repeat(100)}\nshort\n\nlast`)], context)
    const top = press(long, "gg", context)
    expect(press(top, "gj", context).cursor?.offset).toBe(40)
    expect(atCursor(press(top, "j", context))).toBe("short")
    expect(atCursor(press(top, "2j", context))).toBe("")
    expect(atCursor(press(top, "3j", context))).toBe("last")
    expect(press(top, "2gj k", context).outcome).toEqual({ _tag: "Bell" })
    expect(press(top, "j k", context).cursor?.offset).toBe(0)
    expect(atCursor(press(top, "$ j j j", context))).toBe("t")
  })

  it("take vim's motions over the source of all blocks", () => {
    expect(atCursor(press(start, "w", context))).toBe("fix src/main.ts")
    expect(atCursor(press(start, "f=s", context))).toBe("se fix src/main.ts")
    expect(atCursor(press(start, "f=s ;", context))).toBe("src/main.ts")
    expect(atCursor(press(start, "$", context))).toBe("s")
    expect(places("3W")).toBe("a1")
    expect(atCursor(press(start, ") )", context))).toBe("Then I change it.")
    expect(atCursor(press(start, ") ) (", context))).toBe("I look at it.")
  })

  it("treat a closed fold as one step and open it where they go into it", () => {
    const folded = listOf(
      [calls("c", Array.from({ length: 20 }, (_, line) => `row ${line}`).join("\n")), user("u", "below")],
      context
    )
    const top = press(folded, "gg", context)
    expect(atCursor(press(top, "2j", context))).toBe("row 2")
    expect(atCursor(press(top, "3j", context))).toBe("below")
    expect(atCursor(press(top, "2j w", context))).toBe("below")
    const opened = press(top, "2j <CR> j", context)
    expect(atCursor(opened)).toBe("row 3")
  })

  it("anchor on the way up and follow again on the last row", () => {
    const list = listOf(ENTRIES, context)
    expect(list.viewport.following).toBe(true)
    expect(press(list, "h", context).viewport.following).toBe(true)
    const up = press(list, "k", context)
    expect(up.viewport.following).toBe(false)
    expect(press(up, "j", context).viewport.following).toBe(true)
    expect(toEnd(up, context).viewport.following).toBe(true)
  })

  it("go through what came while nobody watched", () => {
    const more = Vector.push(Vector.push(start.entries.source, says("n1", "one")), says("n2", "two"))
    const list = listChanged(start, more, { ...context, isWatched: false })
    expect(places("gn", list)).toBe("n1")
    expect(places("2gn", list)).toBe("n2")
    expect(places("2gn gp", list)).toBe("n1")
    expect(press(listSeen(list), "gn", context).outcome).toEqual({ _tag: "Bell" })
  })

  it("open a place that another pane names", () => {
    const there = listOpenedAt(start, { entry: "c3" }, context)
    expect(there.cursor?.entry).toBe("c3")
    expect(places("<C-o>", there)).toBe("u1")
  })

  it("never throw and always leave the cursor on text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LIST_NAMES), { maxLength: 40 }), fc.nat(3), (names, count) => {
        let list = start
        for (const name of names) {
          list = updateList(list, { name, argument: "a", ...(count > 0 && { count }) }, context)
          const entry = ENTRIES.find(({ id }) => id === list.cursor?.entry)
          const source = entry?.blocks[0]?.source ?? ""
          expect(list.cursor?.offset).toBeLessThanOrEqual(source.length)
          expect(list.viewport.following && list.selection?.by === "keys").toBe(false)
        }
      }),
      { numRuns: 150 }
    )
  })
})

describe("the text of all blocks as lines", () => {
  it("has every line once, and places and positions agree", () => {
    const { entries } = start
    const lines = transcriptLines(entries)
    const all = ENTRIES.flatMap((entry) => entry.blocks.flatMap((block) => block.source.split("\n")))
    expect(lines.count).toBe(all.length)
    expect(all.map((_, line) => lines.at(line))).toEqual(all)
    for (const [line, text] of all.entries()) {
      for (const column of [0, text.length]) {
        const place = placeOfPosition(entries, { line, column })
        expect(place === undefined ? undefined : positionOf(entries, place)).toEqual({ line, column })
      }
    }
  })

  it("counts the lines of streamed text once and exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "\n", "bc\n", "\n\n", ""), { maxLength: 30 }), (deltas) => {
        let list = listOf([user("u", "q"), says("a", "")], context)
        let source = ""
        for (const [revision, delta] of deltas.entries()) {
          source += delta
          list = listChanged(list, Vector.set(list.entries.source, 1, says("a", source, revision + 1)), context)
        }
        expect(list.entries.tree.lines).toBe(1 + source.split("\n").length)
      }),
      { numRuns: 50 }
    )
  })
})
