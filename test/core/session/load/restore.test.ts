import { describe, expect, it } from "vitest"
import { restore } from "../../../../src/core/session/load/restore.ts"
import { queueOf } from "../../../../src/core/session/load/queue.ts"
import { standingRecords, withRecords } from "../../../../src/core/session/transcript/standing.ts"
import { selectConversation } from "../../../../src/core/session/load/conversation-lines.ts"
import { ledgerOf } from "../../../support/session/build.ts"
import { fixtureLines } from "../../../support/session/fixtures.ts"

const CLEAN = { lines: 0, invalid: 0, tornTail: false, oversized: 0 }
const restored = (lines: ReadonlyArray<unknown>, scan = CLEAN) => {
  const ledger = ledgerOf(lines)
  return restore(ledger, selectConversation(ledger), scan)
}

describe("what a session brings back", () => {
  it("is its conversation and what stands around it", () => {
    expect(restored(fixtureLines("plain"))).toMatchObject({
      interruption: "none",
      title: "Count pear trees",
      lastPrompt: "How many pear trees are in rows.csv?",
      model: "claude-opus-4-8",
      cwd: "/home/ada/orchard",
      gitBranch: "main",
      costState: { totalCostUSD: 0.0412 },
      spending: [],
      queue: [],
      notices: []
    })
  })

  it("counts each response after the last cost record once", () => {
    const lines = fixtureLines("parallel")
    expect(restored(lines).spending.map(({ usage }) => usage.output_tokens)).toEqual([140, 22, 12])
    const cost = { type: "cost-state", totalCostUSD: 1, modelUsage: {} }
    expect(restored([...lines, cost, ...lines.slice(1)]).spending).toEqual([])
  })

  it("never carries a permission mode as anything but a remark", () => {
    const { recordedPermissionMode, standing, ...rest } = restored(fixtureLines("bypass"))
    expect(recordedPermissionMode).toBe("bypassPermissions")
    expect(standing.has("permission-mode")).toBe(true)
    const { records: _, messages, ...settings } = rest
    expect(JSON.stringify(settings)).not.toContain("bypassPermissions")
    expect(messages.length).toBe(2)
  })

  it("holds prompts that were queued and never sent", () => {
    expect(restored(fixtureLines("branches")).queue).toEqual(["Still waiting"])
    const operation = (operation: "enqueue" | "dequeue" | "remove" | "popAll", content?: string) => ({
      type: "queue-operation" as const,
      operation,
      ...(content === undefined ? {} : { content })
    })
    const two = [operation("enqueue", "a"), operation("enqueue", "b")]
    expect(queueOf([...two, operation("remove", "b")])).toEqual(["a"])
    expect(queueOf([...two, operation("dequeue")])).toEqual(["b"])
    expect(queueOf([...two, operation("popAll"), operation("enqueue", "c")])).toEqual(["c"])
  })

  it("names its replaced results, but not those of agents", () => {
    const replacement = (toolUseId: string, extra = {}) => ({
      type: "content-replacement",
      replacements: [{ kind: "tool-result", toolUseId, replacement: "short" }],
      ...extra
    })
    const lines = [...fixtureLines("plain"), replacement("a"), replacement("b", { agentId: "x" })]
    expect(restored(lines).contentReplacements.map((item) => item.toolUseId)).toEqual(["a"])
  })

  it("says once what was skipped and repaired", () => {
    const torn = { lines: 9, invalid: 1, tornTail: true, oversized: 0 }
    expect(restored(fixtureLines("unknown-and-torn"), torn).notices.map((notice) => notice.text)).toEqual([
      "1 incomplete line skipped",
      "1 line of an unknown kind left out, written by another program"
    ])
    expect(restored(fixtureLines("broken-parent")).notices).toEqual([
      { kind: "repaired", count: 1, text: "1 broken link in the conversation repaired" }
    ])
  })

  it("goes on from its tip with every line known", () => {
    const { chain } = restored(fixtureLines("branches"))
    expect(chain.count).toBe(6)
    expect(chain.tip).toBe(restored(fixtureLines("branches")).messages.at(-1)?.uuid)
  })
})

describe("standing records", () => {
  it("are the latest of each kind, pointing at the present tip", () => {
    const standing = withRecords(new Map(), [
      { type: "tag", tag: "old" },
      { type: "tag", tag: "new" },
      { type: "last-prompt", lastPrompt: "p", leafUuid: "then" },
      { type: "queue-operation", operation: "popAll" }
    ])
    expect(standingRecords(standing, "now")).toEqual([
      { type: "tag", tag: "new" },
      { type: "last-prompt", lastPrompt: "p", leafUuid: "now" }
    ])
  })
})
