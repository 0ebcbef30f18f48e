import { describe, expect, it } from "vitest"
import { ACTIONS } from "../../../src/tui/keymap/actions/action-tables.ts"
import type { ContextName } from "../../../src/tui/keymap/actions/context.ts"
import { continuations, helpSections, hintFor } from "../../../src/tui/keymap/help.ts"
import { defaultKeymap, withUserBindings } from "../../../src/tui/keymap/keymap.ts"
import { keysFor, lookup } from "../../../src/tui/keymap/trie.ts"

const keymap = defaultKeymap()

describe("hints", () => {
  it.each([
    ["chat:externalEditor", ["Chat", "Global"], "ctrl+g"],
    ["window:prefix", ["Chat", "Global"], "ctrl+x ctrl+w"],
    ["window:prefix", ["Transcript", "Pane", "Global"], "<C-w>"],
    ["window:approvals", ["Pane", "Global"], "<C-w>Q"],
    ["window:approvals", ["Chat", "Global"], "ctrl+x ctrl+w Q"],
    ["window:next", ["Pane", "Global"], "f6"],
    ["pane:foldToggle", ["Transcript", "Pane"], "za"],
    ["pane:keys", ["Chat", "Global"], undefined],
    ["pane:jumpNewer", ["Pane"], "<C-i>"],
    ["app:toggleTranscript", ["Transcript", "Pane", "Global"], undefined]
  ] as const)("%s in %j is %s", (action, contexts, expected) => {
    expect(hintFor(keymap, action, contexts)).toBe(expected)
  })

  it("show the user's key", () => {
    const entries = [{ strokes: ["<A-s>"], action: "chat:submit" as const }]
    const map = withUserBindings(keymap, [{ context: "Chat", entries }])
    expect(hintFor(map, "chat:submit", ["Chat", "Global"])).toBe("alt+s")
  })
})

describe("help", () => {
  const rowOf = (contexts: ReadonlyArray<ContextName>, title: string, action: string) =>
    helpSections(keymap, contexts)
      .find((section) => section.title === title)
      ?.rows.find((row) => row.action === action)

  it("puts the active contexts first, and says which keys work", () => {
    const contexts = ["Transcript", "Pane", "Global"] as const
    const keysIn = (title: string, action: string) => rowOf(contexts, title, action)?.keys
    expect(helpSections(keymap, contexts)[0]).toMatchObject({ title: "Transcript", isActive: true })
    expect(keysIn("Everywhere", "app:toggleTranscript")).toEqual([{ text: "ctrl+o", works: false }])
    expect(keysIn("Everywhere", "app:help")).toEqual([{ text: "f1", works: true }])
    expect(keysIn("Prompt", "chat:submit")).toEqual([{ text: "enter", works: false }])
  })

  it("shows window keys as working below any prefix", () => {
    const zoom = (contexts: ReadonlyArray<ContextName>) => rowOf(contexts, "After the window prefix", "window:zoom")?.keys
    expect(zoom(["Chat", "Global"])).toContainEqual({ text: "z", works: true })
    expect(zoom(["Confirmation"])).toContainEqual({ text: "z", works: false })
  })

  it("has every action and the vim keys", () => {
    const rows = helpSections(keymap, ["Prompt.normal"]).flatMap((section) => section.rows)
    expect(new Set(rows.flatMap(({ action }) => action ?? []))).toEqual(new Set(ACTIONS.keys()))
    const operators = rows.find(({ description }) => description === "delete, change, yank")
    expect(operators?.keys).toEqual([{ text: "d c y", works: true }])
  })

  it("shows an action that the user bound in another context", () => {
    const map = withUserBindings(keymap, [{ context: "Help", entries: [{ strokes: ["r"], action: "app:redraw" }] }])
    const section = helpSections(map, ["Help"])[0]
    expect(section?.rows.at(-1)).toMatchObject({ action: "app:redraw", keys: [{ text: "r", works: true }] })
  })

  it("lists what may follow a prefix", () => {
    const pending = lookup(keysFor(keymap, ["Transcript", "Pane"]), "z")
    const next = pending._tag === "Pending" ? continuations(pending.node) : []
    expect(next).toContainEqual({ key: "a", action: "pane:foldToggle", isPrefix: false })
  })
})
