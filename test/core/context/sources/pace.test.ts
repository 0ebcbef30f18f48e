import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { NO_PACE, type Pace, paceAfter } from "../../../../src/core/context/sources/pace.ts"
import { reconcile, withDerived } from "../../../../src/core/context/sources/reconcile.ts"
import { NOTHING_SENT, type Sent, withMessage } from "../../../../src/core/context/sources/sent.ts"
import type { CoreFacts } from "../../../../src/core/context/sources/source.ts"
import type { ContentBlock } from "../../../../src/core/domain/block.ts"
import type { AttachmentMessage, Message } from "../../../../src/core/domain/message.ts"
import { zeroUsage } from "../../../../src/core/domain/usage.ts"
import { PLAIN_FACTS } from "./core-facts.ts"

/** What is said again after a while, in conversations of prompts and responses. */
const KINDS = ["plan_mode", "budget", "todos"] as const

interface Played {
  readonly pace: Pace
  readonly sent: Sent
  readonly types: ReadonlyArray<string>
}

const BEGIN: Played = { pace: NO_PACE, sent: NOTHING_SENT, types: [] }

let serial = 0
const envelope = () => ({ uuid: `u${serial++}`, timestamp: "2026-01-01T00:00:00.000Z" })

const prompt = (): Message => ({ type: "user", ...envelope(), message: { role: "user", content: "go on" } })

const response = (id: string, ...content: ReadonlyArray<ContentBlock>): Message => ({
  type: "assistant",
  ...envelope(),
  message: {
    id,
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: zeroUsage
  }
})

const listed = (status: string): ContentBlock => ({
  type: "tool_use",
  id: `t${serial++}`,
  name: "TodoWrite",
  input: { todos: [{ content: "Build </system-reminder> it", status, activeForm: "Building it" }] }
})

const hear = (played: Played, message: Message): Played => ({
  ...played,
  pace: paceAfter(played.pace, message),
  sent: withMessage(played.sent, message)
})

/** What is said before a request. */
const tell = (played: Played, facts: Partial<CoreFacts> = {}): Played => {
  const known = withDerived({}, KINDS, { ...PLAIN_FACTS, ...facts, pace: played.pace })
  return reconcile(known, played.sent).reduce<Played>((next, statement) => {
    const message: AttachmentMessage = { type: "attachment", ...envelope(), ...statement }
    const { type, reminderType } = message.attachment
    const after = hear(next, message)
    return { ...after, types: [...after.types, typeof reminderType === "string" ? `${type} ${reminderType}` : type] }
  }, played)
}

const said = (before: Played, after: Played): ReadonlyArray<string> => after.types.slice(before.types.length)

describe("the todo list", () => {
  it("is recalled after ten responses without a change, and after ten more, until all of it is done", () => {
    let played = hear(BEGIN, response("r0", listed("pending")))
    const at: Array<number> = []
    for (let count = 1; count <= 30; count++) {
      played = hear(hear(played, response(`r${count}`)), response(`r${count}`))
      const told = tell(played)
      if (said(played, told).includes("todo_reminder")) at.push(count)
      played = told
    }
    expect(at).toEqual([10, 20, 30])
    played = hear(played, response("r31", listed("in_progress")))
    for (let count = 32; count <= 40; count++) played = hear(played, response(`r${count}`))
    expect(said(played, tell(played))).toEqual([])
    played = hear(played, response("r41", listed("completed")))
    for (let count = 42; count <= 60; count++) played = hear(played, response(`r${count}`))
    expect(said(played, tell(played))).toEqual([])
  })

  it("is not recalled where the tool is not offered", () => {
    let played = hear(BEGIN, response("r0", listed("pending")))
    for (let count = 1; count <= 12; count++) played = hear(played, response(`r${count}`))
    expect(said(played, tell(played, { toolNames: ["Read"] }))).toEqual([])
  })
})

describe("plan mode", () => {
  it("is explained with the first prompt, recalled with the seventh and thirteenth, and its end is told", () => {
    let played = BEGIN
    const heard: Array<string> = []
    for (let count = 1; count <= 13; count++) {
      const told = tell(hear(played, prompt()), { mode: "plan" })
      heard.push(...said(played, told).map((type) => `${count} ${type}`))
      played = told
    }
    expect(heard).toEqual(["1 plan_mode full", "7 plan_mode sparse", "13 plan_mode sparse"])
    const after = tell(hear(played, prompt()))
    expect(said(played, after)).toEqual(["plan_mode_exit"])
    expect(said(after, tell(hear(after, prompt()), { mode: "plan" }))).toEqual(["plan_mode full"])
  })
})

describe("whatever happens", () => {
  const happening = fc.constantFrom("prompt", "response", "todos", "plan", "default", "budget", "forget")

  it("nothing is left to be said after it was said", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        let played = BEGIN
        let facts: Partial<CoreFacts> = {}
        for (const one of happenings) {
          if (one === "prompt") played = hear(played, prompt())
          if (one === "response") played = hear(played, response(`r${serial}`))
          if (one === "todos") played = hear(played, response(`r${serial}`, listed("pending")))
          if (one === "plan" || one === "default") facts = { ...facts, mode: one }
          if (one === "budget") facts = { ...facts, maxBudgetUsd: 5 }
          // A summary took everything out of the window.
          if (one === "forget") played = { ...played, sent: NOTHING_SENT }
          played = tell(played, facts)
          expect(said(played, tell(played, facts))).toEqual([])
        }
      })
    )
  })
})
