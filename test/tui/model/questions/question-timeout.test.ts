import { describe, expect, it } from "vitest"
import { nextWake } from "../../../../src/tui/app/wake.ts"
import { bash, type CallPlan } from "../../../core/loop/response-plan.ts"
import { shownBy, TuiWorld } from "../../../support/tui-world.ts"

/** Questions that nobody answers, where the user set a time for it. */

const QUESTIONS = [
  {
    question: "Which colour?",
    header: "Colour",
    options: [
      { label: "Red", description: "" },
      { label: "Blue", description: "" }
    ]
  },
  {
    question: "Which sizes?",
    header: "Sizes",
    multiSelect: true,
    options: [
      { label: "S", description: "" },
      { label: "L", description: "" }
    ]
  }
]

const QUESTION_CALL: CallPlan = { id: "q", name: "AskUserQuestion", input: { questions: QUESTIONS } }

const asked = (questionTimeoutMs: number, calls: ReadonlyArray<CallPlan> = [QUESTION_CALL]): TuiWorld => {
  const world = new TuiWorld({ options: { questionTimeoutMs }, size: { columns: 100, rows: 30 } })
  const script = world.open()
  script.begin("ask me")
  script.respond({ calls })
  for (const { id } of calls) script.prepare(id)
  world.wait(200)
  return world
}

const screen = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("a question that nobody answers", () => {
  it("waits for ever unless a time was set", () => {
    const world = asked(0)
    world.wait(10_000_000)
    expect(world.done("Answer")).toEqual([])
  })

  it("is answered with what is selected, after a countdown", async () => {
    const world = asked(60_000)
    world.keys("l<Space>")
    world.wait(39_000)
    expect(await screen(world)).not.toContain("is sent in")
    world.wait(2_000)
    expect(await screen(world)).toContain("is sent in 19 s")
    expect(nextWake(world.model)).toBeLessThanOrEqual(world.now + 1_000)
    world.wait(19_000)
    expect(world.done("Answer")).toMatchObject([
      {
        answer: {
          behavior: "allow",
          updatedInput: { answers: { "Which colour?": "", "Which sizes?": "S" }, afkTimeoutMs: 60_000 }
        }
      }
    ])
    expect(world.model.overlays.shown).toBeUndefined()
  })

  it("waits anew with every key", () => {
    const world = asked(60_000)
    world.wait(59_000)
    world.keys("j")
    world.wait(59_000)
    expect(world.done("Answer")).toEqual([])
    world.wait(1_500)
    expect(world.done("Answer")).toHaveLength(1)
  })

  it("is never a permission", () => {
    const world = asked(60_000, [bash("b", "make")])
    world.wait(10_000_000)
    expect(world.done("Answer")).toEqual([])
  })
})
