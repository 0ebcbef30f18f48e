import { describe, expect, it } from "vitest"
import { OVERLOADED } from "../../../core/loop/response-plan.ts"
import type { Script } from "../../../core/loop/script.ts"
import { SESSION, shownBy, TuiWorld } from "../../../support/tui-world.ts"

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")
const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text

const waiting = (fallbackModels: ReadonlyArray<string> = []): { readonly world: TuiWorld; readonly script: Script } => {
  const world = new TuiWorld({ size: { columns: 160, rows: 50 } })
  const script = world.open(undefined, { config: { fallbackModels } })
  script.begin("do it")
  script.fail(OVERLOADED)
  return { world, script }
}

describe("the loop pane", () => {
  it("says what is waited for, and each key ends the wait in its own way", async () => {
    const { world } = waiting(["offline-b"])
    world.keys("<C-x><C-w>e")
    const shown = await screenOf(world)
    expect(shown).toMatch(/waiting · offline/)
    expect(shown).toMatch(/retrying in \d+s \(attempt 1\/10\)/)
    expect(shown).toMatch(/m {2}let the next model answer: offline-b/)
    expect(shown).toMatch(/1 +0s {2}prompt · offline/)
    world.keys("r")
    expect(world.done("HastenRetry")).toMatchObject([{ session: SESSION, by: "sameModel" }])
    world.keys("m")
    expect(world.done("HastenRetry").at(-1)).toMatchObject({ by: "nextModel" })
    world.keys("x")
    expect(world.done("Interrupt")).toMatchObject([{ session: SESSION }])
  })

  it("does what stands under the cursor, and offers no model that is not there", async () => {
    const { world } = waiting()
    world.keys("<C-x><C-w>e")
    expect(await screenOf(world)).not.toContain("next model")
    world.keys("/try again<CR><CR>")
    expect(world.done("HastenRetry")).toMatchObject([{ by: "sameModel" }])
  })

  it("keeps the requests of the turn, and what was repaired", async () => {
    const { world, script } = waiting()
    script.feed({ _tag: "RetryHastened", by: "sameModel" })
    script.respond({})
    world.keys("<C-x><C-w>e")
    const shown = await screenOf(world)
    expect(shown).toMatch(/2 +\d+s {2}prompt · offline · after 1 failed/)
    expect(shown).toMatch(/3 +\d+s {2}empty response retry · offline/)
    expect(shown).toContain("asked again after silence")
    world.keys("r")
    expect(noticeOf(world)).toBe("no request waits for another try")
  })
})

describe("the prompt cache", () => {
  it("shows what it did not give back, in the pane and in /cost", async () => {
    const world = new TuiWorld({ size: { columns: 160, rows: 50 } })
    const script = world.open()
    for (const cache_read_input_tokens of [40_000, 5_000]) {
      script.begin("do it")
      script.respond({ text: "done", usage: { input_tokens: 10, cache_read_input_tokens } })
    }
    const lost = /cache lost {4}1 time, 35k tokens read again\s[\s\S]*ago: the endpoint no longer had it · 35k/
    world.keys("<C-x><C-w>e")
    expect(await screenOf(world)).toMatch(lost)
    expect(await screenOf(world)).toMatch(/from cache {4}100% of the last request/)
    world.keys("i/cost<CR>")
    expect(world.model.overlays.opened).toMatchObject({
      lines: expect.arrayContaining([expect.stringMatching(/^cache lost {4}1 time/)])
    })
  })
})

describe("the key of the prompt", () => {
  it("tries again now while a request waits, and says so; otherwise it means nothing", async () => {
    const { world, script } = waiting()
    expect(await screenOf(world)).toContain("ctrl+x ctrl+g tries now")
    world.keys("<C-x><C-g>")
    expect(world.done("HastenRetry")).toMatchObject([{ by: "sameModel" }])
    script.feed({ _tag: "RetryHastened", by: "sameModel" })
    expect(await screenOf(world)).not.toContain("tries now")
    world.keys("<C-x><C-g>")
    expect(world.done("HastenRetry")).toHaveLength(1)
  })
})
