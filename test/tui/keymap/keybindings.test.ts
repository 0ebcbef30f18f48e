import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readJson } from "../../../src/core/domain/json/positioned-json.ts"
import { readKeybindings } from "../../../src/tui/keymap/keybindings.ts"
import { defaultKeymap, withUserBindings } from "../../../src/tui/keymap/keymap.ts"
import { helpSections, hintFor } from "../../../src/tui/keymap/help.ts"
import { keybindingsTemplate } from "../../../src/tui/keymap/template.ts"
import { bindingsBelow, keysFor, lookup } from "../../../src/tui/keymap/trie.ts"

const defaults = defaultKeymap()

const read = (text: string, keyboard: "legacy" | "extended" = "extended") => readKeybindings(text, { defaults, keyboard })

const block = (context: string, bindings: Record<string, unknown>): string =>
  JSON.stringify({ bindings: [{ context, bindings }] }, null, 2)

describe("keybindings.json", () => {
  it("gives the user's bindings", () => {
    const { blocks, warnings } = read(block("Chat", { "meta+e": "chat:externalEditor", "ctrl+s": null }))
    expect(warnings).toEqual([])
    const map = withUserBindings(defaults, blocks ?? [])
    expect(hintFor(map, "chat:externalEditor", ["Chat", "Global"])).toBe("alt+e")
    expect(hintFor(map, "chat:stash", ["Chat", "Global"])).toBeUndefined()
  })

  it.each([
    ["Confirmation", "enter", "confirm:yes", "confirm:choose"],
    ["Confirmation", "escape", "confirm:no", "confirm:leave"],
    ["Transcript", "escape", "transcript:exit", "pane:cancel"],
    ["Confirmation", "ctrl+y", "confirm:yes", "confirm:yes"],
    ["Transcript", "f4", "transcript:exit", "transcript:exit"]
  ])("takes in %s %s for %s as %s", (context, key, action, meant) => {
    const { blocks, warnings } = read(block(context, { [key]: action }))
    expect([blocks?.[0]?.entries[0]?.action, warnings]).toEqual([meant, []])
  })

  it.each([
    ["Footer", { right: "footer:next", enter: "footer:openSelected" }],
    ["Attachments", { backspace: "attachments:remove" }],
    ["DiffDialog", { up: "diff:previousFile" }],
    ["Plugin", { space: "plugin:toggle" }],
    ["Settings", { "/": "settings:search" }],
    ["Chat", { "meta+o": "chat:fastMode", "ctrl+x ctrl+k": "chat:killAgents", "meta+v": "chat:voice" }]
  ])("reads names of other programs in %s without a word, and binds them to nothing", (context, bindings) => {
    expect(read(block(context, bindings))).toEqual({ blocks: [], warnings: [] })
  })

  it.each([
    ['{\n  "bindings": [,]\n}', 2, 16, "a value"],
    ['{"bindings": [] ', 1, 17, '"," or "}"'],
    ['{\n"bindings" [] }', 2, 12, '":" after the name'],
    ["", 1, 1, "a value"],
    ['{"a": 1} x', 1, 10, "the end of the file"],
    ["[".repeat(200), 1, 102, "fewer levels"]
  ])("names the place of a parse error in %j", (text, line, column, expected) => {
    const { blocks, warnings } = read(text)
    expect(blocks).toBeUndefined()
    expect(warnings).toMatchObject([{ kind: "parse", line, column, message: expect.stringContaining(expected) }])
  })

  it.each(["[]", "null", '{"bindings": {}}', "{}"])("says what the file %s lacks", (text) => {
    expect(read(text)).toMatchObject({ blocks: undefined, warnings: [{ kind: "shape" }] })
  })

  it.each([
    ["context", block("Chatt", { a: "chat:submit" }), '"Chat"'],
    ["action", block("Chat", { "meta+a": "chat:sumbit" }), '"chat:submit"'],
    ["shape", block("Chat", { "meta+a": 3 }), "id of an action"],
    ["shape", '{"bindings": [3]}', '"context"'],
    ["shape", '{"bindings": [{"context": "Chat"}]}', '"bindings"'],
    ["key", block("Chat", { "hyper+a": "chat:submit" }), "not a modifier"],
    ["reserved", block("Chat", { "ctrl+c": "chat:submit" }), "always interrupts"],
    ["reserved", block("Global", { "ctrl+d": null }), "cannot be bound"],
    ["reserved", block("Chat", { "ctrl+m": "chat:submit" }), "Enter"],
    ["reserved", block("Chat", { capslock: "chat:submit" }), "caps lock"],
    ["multiplexer", block("Chat", { "ctrl+b": "chat:submit" }), "tmux"],
    ["multiplexer", block("Chat", { "ctrl+a": "chat:submit" }), "screen"],
    ["multiplexer", block("Chat", { "ctrl+z": "chat:undo" }), "suspends"],
    ["shadowed", block("Chat", { "ctrl+x": "chat:stash" }), "ctrl+x ctrl+"],
    ["shadowed", block("Chat", { "ctrl+s k": "chat:stash" }), '"ctrl+s"'],
    ["duplicate", block("Chat", { "meta+a": "chat:undo", "alt+a": "chat:stash" }), "this one wins"],
    ["duplicate", block("Chat", { "meta+a": "chat:undo", X: "chat:stash" }).replace("X", "meta+a"), "this one wins"]
  ])("warns of %s in %s", (kind, text, part) => {
    const { warnings } = read(text)
    expect(warnings).toMatchObject([{ kind, message: expect.stringContaining(part) }])
  })

  it.each(["ctrl+shift+k", "shift+enter", "cmd+j", "ctrl+i", "ctrl+5", "shift+space"])(
    "warns of %s where the terminal cannot send it",
    (key) => {
      const text = block("Chat", { [key]: "chat:stash" })
      expect(read(text, "legacy").warnings).toMatchObject([{ kind: "unsendable" }])
      expect(read(text, "extended").warnings).toEqual([])
    }
  )

  it.each(["meta+k", "ctrl+k", "shift+tab", "ctrl+left", "f5", "ctrl+space"])("does not warn of %s", (key) => {
    expect(read(block("Footer", { [key]: "chat:stash" }), "legacy").warnings).toEqual([])
  })

  it("keeps what is right beside what is wrong, with its place", () => {
    const lines = [
      '{ "bindings": [',
      '  { "context": "Nowhere", "bindings": {} },',
      '  { "context": "Global", "bindings": { "ctrl+t": null } }',
      "] }"
    ]
    const { blocks, warnings } = read(lines.join("\n"))
    expect(warnings).toMatchObject([{ kind: "context", line: 2, column: 16 }])
    const map = withUserBindings(defaults, blocks ?? [])
    expect(lookup(keysFor(map, ["Chat", "Global"]), "<C-t>")).toEqual({ _tag: "NotFound" })
    const rows = helpSections(map, ["Global"]).flatMap((section) => section.rows)
    expect(rows.find(({ action }) => action === "app:toggleTodos")?.keys).toEqual([])
  })

  it("keeps fields it does not know out of the way", () => {
    expect(read('{"$schema": "x", "$docs": "y", "more": [1], "bindings": []}')).toEqual({ blocks: [], warnings: [] })
  })

  it("never throws on any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { blocks, warnings } = read(text)
        expect(blocks !== undefined || warnings.length > 0).toBe(true)
      })
    )
  })
})

describe("the reader of JSON", () => {
  it("agrees with JSON.parse on what is JSON", () => {
    expect(readJson("\ufeff{}")._tag).toBe("Read")
    const accepts = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    const damage = fc.constantFrom("", ",", "}", "]", '"', "\n")
    const broken = fc.tuple(fc.json(), fc.nat(), damage).map(([text, at, put]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + 1)
    })
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        expect(readJson(text)._tag === "Read").toBe(accepts(text))
      })
    )
  })
})

describe("the template", () => {
  it.each(["fullscreen", "inline"] as const)("changes nothing and warns of nothing (%s)", (screen) => {
    const before = defaultKeymap({ screen })
    const facts = { defaults: before, keyboard: "legacy" } as const
    const { blocks, warnings } = readKeybindings(keybindingsTemplate(before), facts)
    expect(warnings).toEqual([])
    const after = withUserBindings(before, blocks ?? [])
    for (const focus of ["Chat", "Transcript", "Confirmation"] as const) {
      const actions = (map: typeof before) => {
        const reachable = bindingsBelow(keysFor(map, [focus, "Pane", "Global"]))
        return reachable.map(({ keys, bound }) => `${keys.join("")} ${bound.action}`)
      }
      expect(new Set(actions(after))).toEqual(new Set(actions(before)))
    }
  })
})
