import { describe, expect, it } from "vitest"
import { addNotice, NO_NOTICES, type Notice, type Notices } from "../../../src/tui/model/notices.ts"

const notice = (key: string, priority: Notice["priority"] = "medium"): Notice => ({ key, text: key, priority })

const added = (notices: Notices, all: ReadonlyArray<Notice>): Notices =>
  all.reduce((next, each) => addNotice(next, each, 0), notices)

describe("notices that wait", () => {
  it("are bounded: the oldest of the least urgent are passed over and stay in the list of messages", () => {
    const many = Array.from({ length: 150 }, (_, number) => notice(`n${number}`))
    const waiting = added(added(NO_NOTICES, [notice("shown"), notice("urgent", "high")]), many)
    expect(waiting.queue.length).toBe(100)
    expect(waiting.queue[0]?.key).toBe("urgent")
    expect(waiting.queue.at(-1)?.key).toBe("n149")
    expect(waiting.past.map(({ notice: { key } }) => key)).toEqual([
      "shown",
      ...Array.from({ length: 51 }, (_, number) => `n${number}`)
    ])
  })

  it("keep no more of the past than its bound", () => {
    const many = Array.from({ length: 1_000 }, (_, number) => notice(`n${number}`))
    expect(added(NO_NOTICES, many).past.length).toBe(200)
  })
})
