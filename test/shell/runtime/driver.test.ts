import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { makeDriver } from "../../../src/shell/runtime/driver.ts"
import { loopState } from "../../support/loop-fixture.ts"

const started = () => {
  const initial = loopState({})
  const driver = makeDriver({ initial, now: () => 1, interpret: () => {}, witnesses: [], onDefect: () => {} })
  return { driver, first: new WeakRef(initial) }
}

describe("the driver", () => {
  it("does not hold on to the state that it began with", async () => {
    setFlagsFromString("--expose-gc")
    const collect: () => void = runInNewContext("gc")
    const { driver, first } = started()
    driver.offer({ _tag: "PromptSubmitted", uuid: "p", content: "hi", priority: "next", origin: "human", appendOnly: false })
    // What was looked at in this turn of the event loop is kept until it is over.
    await setImmediate()
    collect()
    expect(driver.state().phase._tag).not.toBe("Idle")
    expect(first.deref()).toBeUndefined()
  })
})
