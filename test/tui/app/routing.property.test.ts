import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { AppModel } from "../../../src/tui/model/app-model.ts"
import { shownOverlay } from "../../../src/tui/overlays/shown-overlay.ts"
import { OTHER_SESSION, SESSION } from "../../support/tui-world.ts"
import { type Deed, Play, someDeeds } from "../model/undoable-actions.ts"

/** Laws of the interface that hold in any order of keys, news, sizes and time. */

const RUNS = 60
const LENGTH = 60
const SIZE = { columns: 120, rows: 40 }

interface Seen {
  readonly play: Play
  readonly deed: Deed
  readonly before: AppModel
  readonly after: AppModel
}

const asksOf = ({ sessions }: AppModel): ReadonlyArray<string> =>
  [...sessions.values()].flatMap((session) => session.asks.map(({ question }) => `${session.id}/${question.callId}`))

const isNobodysDeed = ({ _tag }: Deed): boolean => _tag === "Agent" || _tag === "Wait"

/** Each throws when it is broken; the name is what the report says. */
const LAWS: Readonly<Record<string, (seen: Seen) => void>> = {
  "the keyboard goes elsewhere only by a key, the mouse, a paste, or a size that hides its pane": (seen) => {
    const { deed, before, after } = seen
    if (isNobodysDeed(deed)) expect(after.focus).toBe(before.focus)
    if (deed._tag === "Resize") expect([before.focus, "prompt"]).toContain(after.focus)
  },

  "at most one overlay is shown, and it is one that waits": ({ after }) => {
    const { shown, opened } = after.overlays
    const waiting = [...asksOf(after).map((id) => `ask:${id}`), ...(opened === undefined ? [] : ["opened"])]
    if (shown === undefined) expect(shownOverlay(after)).toBeUndefined()
    else expect(waiting).toContain(shown)
  },

  "nothing but the user opens and closes what the user opens": ({ deed, before, after }) => {
    if (isNobodysDeed(deed)) expect(after.overlays.opened?._tag).toBe(before.overlays.opened?._tag)
  },

  "news of one session change nothing of the other": ({ deed, before, after }) => {
    if (deed._tag !== "Agent") return
    const other = deed.session === SESSION ? OTHER_SESSION : SESSION
    expect(after.sessions.get(other)).toBe(before.sessions.get(other))
  },

  "keys reach the current session and the one whose dialog is open, and no other": ({ deed, before, after }) => {
    if (deed._tag !== "Keys" && deed._tag !== "Paste") return
    // Options are for all of them: another view or editor is laid out everywhere.
    if (before.options !== after.options) return
    const asker = before.overlays.shown?.replace(/^ask:/, "").split("/")[0]
    const reached = new Set([before.current, after.current, asker])
    for (const [id, session] of before.sessions) if (!reached.has(id)) expect(after.sessions.get(id)).toBe(session)
  },

  "a question is answered at most once, only while it waits, and only by keys": ({ play, deed, before }) => {
    const ids = play.world.done("Answer").map(({ session, callId }) => `${session}/${callId}`)
    expect(new Set(ids).size).toBe(ids.length)
    // An Escape of the guard time is a key too; it counts a moment later.
    const byKey = deed._tag === "Keys" || before.overlays.heldEscape
    if (!byKey) for (const id of asksOf(before)) expect(ids).not.toContain(id)
  },

  "a session is left only by keys": ({ deed, before, after }) => {
    if (deed._tag !== "Keys") expect(after.current).toBe(before.current)
  }
}

const obeys = (seen: Seen): void => {
  for (const [law, check] of Object.entries(LAWS)) {
    try {
      check(seen)
    } catch (cause) {
      throw new Error(`broken: ${law}; after ${JSON.stringify(seen.deed)}`, { cause })
    }
  }
}

describe("whatever happens", () => {
  it("the laws of routing hold", () => {
    fc.assert(
      fc.property(someDeeds(LENGTH), (deeds) => {
        const play = new Play({ size: SIZE })
        for (const deed of deeds) {
          const before = play.world.model
          play.do(deed)
          obeys({ play, deed, before, after: play.world.model })
        }
      }),
      { numRuns: RUNS }
    )
  })

  it("Escape leads home: pressed often enough, the prompt has the keyboard and nothing lies over it", () => {
    fc.assert(
      fc.property(someDeeds(40), (deeds) => {
        const play = new Play({ size: SIZE })
        for (const deed of deeds) play.do(deed)
        play.do({ _tag: "Resize", ...SIZE })
        for (let press = 0; press < 24; press++) {
          play.do({ _tag: "Wait", ms: 1_500 })
          play.do({ _tag: "Keys", keys: "<Esc>" })
        }
        const { model } = play.world
        expect(model.focus).toBe("prompt")
        expect(shownOverlay(model)).toBeUndefined()
        expect(model.keys.pending).toEqual([])
        expect(model.line).toBeUndefined()
        expect(model.layout.zoomed).toBeUndefined()
      }),
      { numRuns: RUNS }
    )
  })
})
