import { describe, expect, it } from "vitest"
import { ACTION_TABLES, ACTIONS, isActionId, isPaneAction } from "../../../../src/tui/keymap/actions/action-tables.ts"
import { isPromptAction } from "../../../../src/tui/prompt/prompt-actions.ts"
import { runAction } from "../../../../src/tui/app/keys/on-action.ts"
import { LINE_HANDLERS } from "../../../../src/tui/app/keys/on-line-input.ts"
import { CHAT_HANDLERS } from "../../../../src/tui/app/keys/prompt-handlers.ts"
import { SCROLL_HANDLERS } from "../../../../src/tui/app/keys/scroll-handlers.ts"
import { WINDOW_HANDLERS } from "../../../../src/tui/app/keys/window-handlers.ts"
import { LIST_PANES } from "../../../../src/tui/panes/list-panes.ts"
import { COMMON_HANDLERS } from "../../../../src/tui/panes/prompt/common-actions.ts"
import { TRANSCRIPT_HANDLERS } from "../../../../src/tui/panes/transcript/transcript-handlers.ts"
import { paneWorld } from "../pane-world.ts"

/** The compiler finds an action without a handler; these find one that has two, or that nothing reaches. */

const OF_PANES = [...Object.values(LIST_PANES).map(({ on }) => on), TRANSCRIPT_HANDLERS, COMMON_HANDLERS]

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
    const own = { Diff: LIST_PANES.changes.on, Approvals: LIST_PANES.approvals.on, Transcript: TRANSCRIPT_HANDLERS }
    for (const [context, on] of Object.entries(own)) {
      const rows = ACTION_TABLES.filter((table) => table.context === context).flatMap((table) => table.rows)
      expect(rows.filter(({ id }) => isPaneAction(id) && !Object.hasOwn(on, id))).toEqual([])
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
