import { describe, expect, it } from "vitest"
import { ACTION_TABLES, ACTIONS, isActionId, isPaneAction } from "../../../../src/tui/keymap/actions/action-tables.ts"
import { CONTEXTS } from "../../../../src/tui/keymap/actions/context.ts"
import { isPromptAction } from "../../../../src/tui/prompt/prompt-actions.ts"
import { runAction } from "../../../../src/tui/app/keys/on-action.ts"
import { LINE_HANDLERS } from "../../../../src/tui/app/keys/on-line-input.ts"
import { CHAT_HANDLERS } from "../../../../src/tui/app/keys/prompt-handlers.ts"
import { SCROLL_HANDLERS } from "../../../../src/tui/app/keys/scroll-handlers.ts"
import { WINDOW_HANDLERS } from "../../../../src/tui/app/keys/window-handlers.ts"
import { IN_EVERY_LIST, PANES } from "../../../../src/tui/panes/panes.ts"
import { paneWorld } from "../pane-world.ts"

/** The compiler finds an action without a handler; these find one that has two, or that nothing reaches. */

const OF_PANES = [...Object.values(PANES).map(({ on }) => on), IN_EVERY_LIST]

describe("actions", () => {
  it("have one handler: the parts share none, and panes do only what is theirs", () => {
    const parts = [CHAT_HANDLERS, SCROLL_HANDLERS, WINDOW_HANDLERS, LINE_HANDLERS]
    const ids = parts.flatMap((part) => Object.keys(part).filter(isActionId))
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(ids.filter((id) => isPaneAction(id) || isPromptAction(id))).toEqual([])
    expect(OF_PANES.flatMap((on) => Object.keys(on)).filter((id) => !isActionId(id) || !isPaneAction(id))).toEqual([])
  })

  it("of panes are done by at least one pane", () => {
    const done = new Set(OF_PANES.flatMap((on) => Object.keys(on)))
    expect([...ACTIONS.keys()].filter((id) => isPaneAction(id) && !done.has(id))).toEqual([])
  })

  it("of one pane alone are done by that pane", () => {
    for (const { context, rows } of ACTION_TABLES) {
      const { pane } = CONTEXTS[context]
      if (pane === undefined) continue
      expect(rows.filter(({ id }) => isPaneAction(id) && !Object.hasOwn(PANES[pane].on, id))).toEqual([])
    }
  })

  it("never throw, wherever the keyboard is", () => {
    for (const keys of ["", "<C-x><C-w>t", "<C-x><C-w>d", "<C-x><C-w>a", "<C-x><C-w>Q", "<C-x><C-w>b"]) {
      const { world } = paneWorld()
      world.keys(keys)
      for (const id of ACTIONS.keys()) runAction(world.model, id, { count: 2, argument: "a" })
    }
  })
})
