import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { finishOnboarding, firstRunSteps } from "../../../../src/shell/interactive/stores/onboarding.ts"
import { trustOptions } from "../../../../src/shell/plan/environment.ts"
import { atDesk, type Desk } from "../desk.ts"

/** What the first start asks for, and that it asks once. */

const steps = ({ plan }: Desk): Promise<ReadonlyArray<string>> => Effect.runPromise(firstRunSteps(plan))

const globalConfig = ({ plan }: Desk): string => trustOptions(plan.env, plan.home).path

const withSettings = ({ configHome, plan }: Desk, settings: unknown): void => {
  writeFileSync(join(configHome, "settings.json"), JSON.stringify(settings))
  plan.settings.reload()
}

describe("the first start", () => {
  it(
    "asks for colours and keys, and not again",
    atDesk(async (desk) => {
      expect(await steps(desk)).toEqual(["theme", "keys"])
      await finishOnboarding(desk.plan)
      expect(JSON.parse(readFileSync(globalConfig(desk), "utf8"))).toMatchObject({ hasCompletedOnboarding: true })
      expect(await steps(desk)).toEqual([])
    })
  )

  it(
    "does not ask for what was chosen before, here or by another tool",
    atDesk(async (desk) => {
      withSettings(desk, { editorMode: "normal" })
      expect(await steps(desk)).toEqual(["theme"])
      writeFileSync(globalConfig(desk), JSON.stringify({ theme: "light", projects: {} }))
      expect(await steps(desk)).toEqual([])
      await finishOnboarding(desk.plan)
      expect(JSON.parse(readFileSync(globalConfig(desk), "utf8"))).toMatchObject({ theme: "light", projects: {} })
    })
  )

  it(
    "asks nothing where there is something to do, or the file cannot be read",
    atDesk(async (desk) => {
      const { plan } = desk
      expect(await Effect.runPromise(firstRunSteps({ ...plan, start: { ...plan.start, prompt: "go" } }))).toEqual([])
      expect(existsSync(globalConfig(desk))).toBe(false)
      writeFileSync(globalConfig(desk), "{ broken")
      expect(await steps(desk)).toEqual([])
    })
  )
})
