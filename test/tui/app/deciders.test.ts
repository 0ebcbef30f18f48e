import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { costNotice } from "../../../src/tui/app/session/cost-notice.ts"
import { type EscapeSituation, onEscape } from "../../../src/tui/app/keys/escape-order.ts"
import { addNotice, expireNotices, NO_NOTICES, type Notice, removeNotice } from "../../../src/tui/model/notices.ts"
import {
  chooseOverlay,
  OVERLAY_KINDS,
  type OverlayRequest,
  waitingCount
} from "../../../src/tui/model/questions/overlay-choice.ts"

const calm: EscapeSituation = {
  operator: false,
  completion: false,
  editing: false,
  selection: false,
  zoomed: false,
  inputModeOnEmpty: false,
  outsidePrompt: false,
  running: false,
  secondPress: false,
  promptEmpty: true
}

describe("escape", () => {
  it("leaves the first thing that can be left, in every situation", () => {
    const order: ReadonlyArray<readonly [keyof EscapeSituation, string]> = [
      ["operator", "dropOperator"],
      ["completion", "dismissCompletion"],
      ["editing", "leaveInsert"],
      ["zoomed", "unzoom"],
      ["inputModeOnEmpty", "leaveInputMode"],
      ["outsidePrompt", "focusPrompt"],
      ["running", "interrupt"],
      ["secondPress", "openSelector"]
    ]
    for (let bits = 0; bits < 2 ** order.length; bits++) {
      const set = order.filter((_, index) => (bits & (1 << index)) !== 0)
      const situation = { ...calm, ...Object.fromEntries(set.map(([name]) => [name, true])) }
      expect(onEscape(situation)).toBe(set[0]?.[1] ?? "nothing")
    }
  })

  it("clears a prompt that has text on the second press, and a selection only outside of the prompt", () => {
    expect(onEscape({ ...calm, secondPress: true, promptEmpty: false })).toBe("clearPrompt")
    expect(onEscape({ ...calm, selection: true })).toBe("nothing")
    expect(onEscape({ ...calm, selection: true, outsidePrompt: true })).toBe("clearSelection")
  })
})

const requests = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1, maxLength: 3 }), kind: fc.constantFrom(...OVERLAY_KINDS) }),
  { selector: ({ id }) => id, maxLength: 8 }
)

describe("the choice of the overlay", () => {
  it("is the most important request whatever the order of the others", () => {
    fc.assert(
      fc.property(requests, fc.nat(), (all, turn) => {
        const at = all.length === 0 ? 0 : turn % all.length
        const turned: ReadonlyArray<OverlayRequest> = [...all.slice(at), ...all.slice(0, at)]
        const quiet = { shown: undefined, isTyping: false, isChoosing: false, summoned: false }
        const kinds = [all, turned].map((each) => chooseOverlay({ ...quiet, requests: each })?.kind)
        expect(kinds[0]).toBe(kinds[1])
        expect(kinds[0]).toBe(OVERLAY_KINDS.find((kind) => all.some((each) => each.kind === kind)))
      })
    )
  })

  it("does not put the agent's requests before somebody who types, unless they were called for", () => {
    const all: ReadonlyArray<OverlayRequest> = [
      { id: "p", kind: "permission" },
      { id: "h", kind: "opened" }
    ]
    const typing = { requests: all, shown: "h", isTyping: true, isChoosing: false, summoned: false }
    expect(chooseOverlay(typing)?.id).toBe("h")
    expect(waitingCount(typing)).toBe(1)
    expect(chooseOverlay({ ...typing, summoned: true })?.id).toBe("p")
    expect(chooseOverlay({ ...typing, isTyping: false })?.id).toBe("p")
    expect(chooseOverlay({ ...typing, isTyping: false, isChoosing: true })?.id).toBe("h")
  })

  it("keeps the one on screen among equals", () => {
    const all: ReadonlyArray<OverlayRequest> = [
      { id: "1", kind: "permission" },
      { id: "2", kind: "permission" }
    ]
    expect(chooseOverlay({ requests: all, shown: "2", isTyping: false, isChoosing: false, summoned: false })?.id).toBe("2")
  })
})

const notice = (key: string, rest: Partial<Notice> = {}): Notice => ({ key, text: key, priority: "medium", ...rest })
const shown = (notices: ReturnType<typeof addNotice>) => notices.current?.notice.key

describe("notices", () => {
  it("shows one at a time, the most urgent next", () => {
    const three = [notice("a"), notice("b", { priority: "low" }), notice("c", { priority: "high" })].reduce(
      (notices, each) => addNotice(notices, each, 0),
      NO_NOTICES
    )
    expect(shown(three)).toBe("a")
    const second = expireNotices(three, 8_000)
    expect(shown(second)).toBe("c")
    expect(shown(expireNotices(second, 16_000))).toBe("b")
    expect(shown(expireNotices(expireNotices(second, 16_000), 24_000))).toBeUndefined()
  })

  it("lets an immediate one in at once and brings the other back", () => {
    const urgent = addNotice(addNotice(NO_NOTICES, notice("a"), 0), notice("now", { priority: "immediate" }), 10)
    expect(shown(urgent)).toBe("now")
    expect(shown(expireNotices(urgent, 8_010))).toBe("a")
  })

  it("ignores what is known and removes what became untrue", () => {
    const twice = addNotice(addNotice(NO_NOTICES, notice("a"), 0), notice("a"), 1)
    expect(twice.queue).toEqual([])
    expect(shown(addNotice(twice, notice("b", { invalidates: ["a"] }), 2))).toBe("b")
    expect(shown(removeNotice(twice, "a", 3))).toBeUndefined()
  })
})

describe("the cost notice", () => {
  it("speaks at five dollars and at each doubling, once", () => {
    expect(costNotice(4.99, 5)).toContain("$5;")
    expect(costNotice(5, 9.99)).toBeUndefined()
    expect(costNotice(9.99, 10)).toContain("$10;")
    expect(costNotice(1, 45)).toContain("$40;")
  })
})
