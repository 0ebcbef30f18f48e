import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import type { Occurrence } from "../../../src/core/loop/machine/event.ts"
import { makeDriver } from "../../../src/shell/runtime/driver.ts"
import { loopState } from "../../support/loop-fixture.ts"
import { phaseOf, turnOf } from "../../../src/core/loop/machine/transition.ts"

const started = () => {
  const initial = loopState({})
  const driver = makeDriver({ initial, now: () => 1, witnesses: [], onDefect: () => {} })
  driver.start(() => {})
  return { driver, first: new WeakRef(initial) }
}

const prompt = (uuid: string): Occurrence => ({
  _tag: "PromptSubmitted",
  uuid,
  content: "hi",
  priority: "next",
  origin: "human",
  appendOnly: false
})

describe("the driver", () => {
  it("keeps what is offered before it is started, and carries it out in its order", () => {
    const driver = makeDriver({ initial: loopState({}), now: () => 1, witnesses: [], onDefect: () => {} })
    driver.offer(prompt("first"))
    driver.offer(prompt("second"))
    expect(phaseOf(driver.state())._tag).toBe("Idle")
    const written: Array<string> = []
    driver.start((command) => {
      if (command._tag === "Persist") for (const { uuid } of command.messages) written.push(uuid)
    })
    expect(written).toEqual(["first"])
    expect(driver.state().queue.map(({ uuid }) => uuid)).toEqual(["second"])
  })

  it("what comes after the last event means nothing, also when that comes in the middle of another", () => {
    const driver = makeDriver({ initial: loopState({}), now: () => 1, witnesses: [], onDefect: () => {} })
    driver.start((command) => {
      if (command._tag !== "Persist") return
      driver.shutDown()
      driver.offer({ _tag: "Persisted", ack: command.ack ?? "" })
    })
    driver.offer(prompt("p"))
    expect([phaseOf(driver.state())._tag, turnOf(driver.state())]).toEqual(["Done", undefined])
  })

  it("does not hold on to the state that it began with", async () => {
    setFlagsFromString("--expose-gc")
    const collect: () => void = runInNewContext("gc")
    const { driver, first } = started()
    driver.offer(prompt("p"))
    // What was looked at in this turn of the event loop is kept until it is over.
    await setImmediate()
    collect()
    expect(phaseOf(driver.state())._tag).not.toBe("Idle")
    expect(first.deref()).toBeUndefined()
  })
})
