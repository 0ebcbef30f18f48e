import { describe, expect, it } from "vitest"
import { UiRuntime } from "../../../src/shell/interactive/ui-runtime.ts"
import type { ModelEvent } from "../../../src/core/model/stream/model-event.ts"
import * as Vector from "../../../src/tui/transcript/vector.ts"
import { ending, textBlock } from "../../core/loop/response-plan.ts"
import { Script } from "../../core/loop/script.ts"
import { PROJECT_DIR } from "../../support/loop-fixture.ts"
import { SESSION, TuiWorld } from "../../support/tui-world.ts"

/** A runtime whose clock a test moves by hand. */
const makeRuntime = (options: ConstructorParameters<typeof TuiWorld>[0] = {}) => {
  const { initial } = new TuiWorld(options)
  const loop = new Script()
  const clock = { now: initial.now }
  let wanted = 0
  const onDefect = (defect: unknown): void => {
    throw defect
  }
  const runtime = new UiRuntime({
    initial,
    now: () => clock.now,
    perform: () => {},
    stateOf: () => loop.state,
    onChange: () => (wanted += 1),
    onDefect
  })
  const names = { cwd: PROJECT_DIR, branch: "main", title: undefined }
  const facts = { sessionId: SESSION, ...names, state: loop.state, draft: undefined, earlierPages: 0 }
  runtime.tell({ _tag: "SessionOpened", facts, replaces: undefined })
  loop.begin()
  loop.startResponse()
  const stream = (event: ModelEvent): void => {
    loop.say(event)
    runtime.grow(SESSION)
    for (const command of loop.last) {
      if (command._tag !== "Emit") continue
      const news = { _tag: "Emitted" as const, emission: command.emission, state: loop.state }
      runtime.tell({ _tag: "Session", session: SESSION, news })
    }
  }
  const shown = (): string => {
    const entries = runtime.current.sessions.get(SESSION)?.transcript.entries
    return entries === undefined
      ? ""
      : Vector.toArray(entries)
          .flatMap(({ blocks }) => blocks.map(({ source }) => source))
          .join("")
  }
  const frame = (afterMs: number): string => {
    clock.now += afterMs
    runtime.screen()
    return shown()
  }
  return { runtime, stream, shown, frame, wanted: () => wanted }
}

const [start, , stop] = textBlock(0, "")
const delta = (text: string): ModelEvent => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })

describe("streamed text", () => {
  it("comes a row with each frame while little waits", () => {
    const { runtime, stream, frame } = makeRuntime()
    if (start !== undefined) stream(start)
    stream(delta("one\ntwo\nthree"))
    expect(frame(16)).toBe("one\n")
    expect(frame(33)).toBe("one\ntwo\n")
    expect(frame(33)).toBe("one\ntwo\nthree")
    runtime.close()
  })

  it("comes at once when much of it waits, or when it has waited for long", () => {
    const many = makeRuntime()
    if (start !== undefined) many.stream(start)
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index}\n`).join("")
    many.stream(delta(lines))
    expect(many.frame(16)).toBe(lines)
    many.runtime.close()
    const late = makeRuntime()
    if (start !== undefined) late.stream(start)
    late.stream(delta("one\ntwo\nthree"))
    expect(late.frame(130)).toBe("one\ntwo\nthree")
    late.runtime.close()
  })

  it("is complete before anything else that the session tells, and does not hold up a key", () => {
    const { runtime, stream, shown, wanted } = makeRuntime()
    if (start !== undefined) stream(start)
    stream(delta("one\ntwo"))
    const before = wanted()
    runtime.tell({ _tag: "Input", event: { _tag: "Key", stroke: "x", kind: "press", text: "x" } })
    expect(wanted()).toBeGreaterThan(before)
    expect(shown()).toBe("")
    if (stop !== undefined) stream(stop)
    for (const event of ending({})) stream(event)
    expect(shown()).toMatch(/^one\ntwo/)
    runtime.close()
  })

  it("is not paced for somebody who wants no motion", () => {
    const { runtime, stream, frame } = makeRuntime({ options: { reducedMotion: true } })
    if (start !== undefined) stream(start)
    stream(delta("one\ntwo"))
    expect(frame(16)).toBe("one\ntwo")
    runtime.close()
  })
})
