import type { ActionId } from "../../../src/tui/keymap/actions/action-tables.ts"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ContextName } from "../../../src/tui/keymap/actions/context.ts"
import { defaultKeymap, withUserBindings, type Keymap } from "../../../src/tui/keymap/keymap.ts"
import { parseStrokes } from "../../../src/tui/keymap/stroke.ts"
import { bindingsBelow, expire, keysFor, lookup, type Lookup } from "../../../src/tui/keymap/trie.ts"

const keymap = defaultKeymap()
const PROMPT: ReadonlyArray<ContextName> = ["Chat", "Scroll", "Global"]
const NORMAL: ReadonlyArray<ContextName> = ["Prompt.normal", "Chat", "Scroll", "Global"]
const READING: ReadonlyArray<ContextName> = ["Transcript", "Pane", "Scroll", "Global"]

/** What comes of a key script, typed at the root. */
const type = (map: Keymap, contexts: ReadonlyArray<ContextName>, keys: string): Lookup =>
  parseStrokes(keys).reduce<Lookup>(
    (result, stroke) => lookup(result._tag === "Pending" ? result.node : keysFor(map, contexts), stroke),
    { _tag: "NotFound" }
  )

const summary = (result: Lookup): string => (result._tag === "Matched" ? result.action : result._tag)

const bind = (map: Keymap, context: ContextName, keys: string, action: ActionId | null): Keymap =>
  withUserBindings(map, [{ context, entries: [{ strokes: parseStrokes(keys), action }] }])

describe("lookup", () => {
  it.each([
    [PROMPT, "<CR>", "chat:submit"],
    [PROMPT, "x", "NotFound"],
    [PROMPT, "<C-m>", "chat:submit"],
    [PROMPT, "<C-[>", "chat:cancel"],
    [PROMPT, "<C-h>", "NotFound"],
    [PROMPT, "<C-x>", "Pending"],
    [PROMPT, "<C-x><C-e>", "chat:externalEditor"],
    [PROMPT, "<C-x>q", "Cancelled"],
    [PROMPT, "<C-x><Esc>", "Cancelled"],
    [PROMPT, "<C-x><C-c>", "app:interrupt"],
    [PROMPT, "<C-w>", "NotFound"],
    [PROMPT, "<C-x><C-w>l", "window:right"],
    [PROMPT, "<C-x><C-w><C-l>", "window:right"],
    [PROMPT, "<C-r>", "history:search"],
    [NORMAL, "<C-r>", "NotFound"],
    [NORMAL, "<C-w>v", "window:splitVertical"],
    [NORMAL, "<C-w>:", "app:palette"],
    [NORMAL, "<CR>", "chat:submit"],
    [READING, "<C-w>l", "window:right"],
    [READING, "<C-w><BS>", "window:left"],
    [READING, "<C-w><lt>", "window:narrower"],
    [READING, "<C-o>", "pane:jumpOlder"],
    [READING, "<C-d>", "pane:halfPageDown"],
    [READING, "gg", "pane:top"],
    [READING, "gS", "transcript:toScrollback"],
    [READING, "]u", "transcript:nextPrompt"],
    [READING, "y", "transcript:yank"],
    [READING, "\\r", "transcript:retry"],
    [READING, "q", "transcript:exit"],
    [["Diff", "Pane", "Global"], "yh", "changes:yankHunk"],
    [["Confirmation", "Global"], "y", "confirm:yes"]
  ] as const)("%j: %s is %s", (contexts, keys, expected) => {
    expect(summary(type(keymap, contexts, keys))).toBe(expected)
  })

  it("says which keys were swallowed", () => {
    expect(type(keymap, PROMPT, "<C-x>q")).toEqual({ _tag: "Cancelled", keys: ["<C-x>", "q"] })
  })

  it("says after which prefix a count may follow", () => {
    const pending = type(keymap, READING, "<C-w>")
    expect(pending).toMatchObject({ _tag: "Pending", node: { takesCount: true } })
    expect(type(keymap, READING, "g")).toMatchObject({ _tag: "Pending", node: { takesCount: false } })
  })
})

describe("a chord that is not finished in time", () => {
  const expired = (map: Keymap, contexts: ReadonlyArray<ContextName>, keys: string): Lookup => {
    const result = type(map, contexts, keys)
    return result._tag === "Pending" ? expire(result.node) : result
  }

  it("runs what the prefix itself is bound to", () => {
    expect(summary(expired(keymap, NORMAL, "<C-x>"))).toBe("prompt:decrement")
    expect(summary(expired(keymap, ["Diff", "Pane"], "y"))).toBe("pane:yank")
  })

  it("runs nothing otherwise", () => {
    expect(expired(keymap, PROMPT, "<C-x>")).toEqual({ _tag: "Cancelled", keys: ["<C-x>"] })
    expect(expired(keymap, READING, "<C-w>")).toEqual({ _tag: "Cancelled", keys: ["<C-w>"] })
  })
})

describe("user bindings", () => {
  it("win over defaults of their context, and over wider contexts", () => {
    const map = bind(keymap, "Chat", "<C-t>", "chat:stash")
    expect(summary(type(map, PROMPT, "<C-t>"))).toBe("chat:stash")
    expect(summary(type(map, READING, "<C-t>"))).toBe("app:toggleTodos")
  })

  it("unbind with null, in their context and in wider ones seen from there", () => {
    expect(summary(type(bind(keymap, "Global", "<C-t>", null), PROMPT, "<C-t>"))).toBe("NotFound")
    const map = bind(keymap, "Chat", "<C-t>", null)
    expect(summary(type(map, PROMPT, "<C-t>"))).toBe("NotFound")
    expect(summary(type(map, READING, "<C-t>"))).toBe("app:toggleTodos")
  })

  it("free a prefix when its last chord is gone", () => {
    const reachable = bindingsBelow(keysFor(keymap, ["Global"]))
    const chords = reachable.filter(({ keys }) => keys[0] === "<C-x>" && keys.length === 2)
    const map = chords.reduce((before, { keys }) => bind(before, "Global", keys.join(""), null), keymap)
    expect(summary(type(keymap, ["Global"], "<C-x>"))).toBe("Pending")
    expect(summary(type(map, ["Global"], "<C-x>"))).toBe("NotFound")
  })

  it("move the window prefix with all its keys", () => {
    const map = bind(bind(keymap, "Pane", "<C-w>", null), "Pane", "<A-w>", "window:prefix")
    expect(summary(type(map, READING, "<C-w>"))).toBe("NotFound")
    expect(summary(type(map, READING, "<A-w>z"))).toBe("window:zoom")
  })

  it("change a window key after every prefix, or after one", () => {
    const everywhere = bind(keymap, "Window", "z", "window:only")
    expect(summary(type(everywhere, READING, "<C-w>z"))).toBe("window:only")
    expect(summary(type(everywhere, PROMPT, "<C-x><C-w>z"))).toBe("window:only")
    const here = bind(keymap, "Pane", "<C-w>z", "window:only")
    expect(summary(type(here, READING, "<C-w>z"))).toBe("window:only")
    expect(summary(type(here, PROMPT, "<C-x><C-w>z"))).toBe("window:zoom")
  })

  it("never lose a chord: for any bindings every reachable one is found by its keys", () => {
    const stroke = fc.constantFrom("a", "b", "<C-x>")
    const entry = fc.record({
      strokes: fc.array(stroke, { minLength: 1, maxLength: 3 }),
      action: fc.constantFrom("chat:stash", "app:help", "window:prefix", null)
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.array(entry, { maxLength: 8 }), (chat, global) => {
        const map = withUserBindings({ bindings: [] }, [
          { context: "Chat", entries: chat },
          { context: "Global", entries: global }
        ])
        for (const { keys, bound } of bindingsBelow(keysFor(map, ["Chat", "Global"]))) {
          const result = type(map, ["Chat", "Global"], keys.join(""))
          const action = result._tag === "Pending" ? result.node.bound?.action : summary(result)
          expect(action).toBe(bound.action)
        }
        for (const { strokes, action } of chat) {
          const isLast = chat.findLast((other) => other.strokes.join("") === strokes.join(""))?.action === action
          if (!isLast || action === null) continue
          const result = type(map, ["Chat", "Global"], strokes.join(""))
          expect(result._tag === "Pending" ? result.node.bound?.action : summary(result)).toBe(action)
        }
      })
    )
  })
})
