import { Effect } from "effect"
import type { LoopConfig } from "../../core/loop/state.ts"
import type { Driver } from "../driver.ts"
import type { SessionPlan } from "../session/plan.ts"
import { type Locate, settingsFor } from "./session-settings.ts"

/** Brings changed settings into a running session. */
export interface Following {
  readonly plan: SessionPlan
  readonly driver: Driver
  readonly locate: Locate
  readonly configure: () => LoopConfig
  readonly say: (level: "info" | "warning", text: string) => void
}

const toolNames = (config: Pick<LoopConfig, "tools">): string => config.tools.map(({ name }) => name).join(" ")

/** Until the answer is called, every change of the settings reaches the session: rules at once, options next request. */
export const followSettings = ({ plan, driver, locate, configure, say }: Following): (() => void) => {
  const { settings } = plan
  let told = new Set(settings.current().complaints)
  const apply = Effect.gen(function* () {
    const former = driver.state().permission.workingDirs.map(({ path }) => path).filter((path) => fromSettings.has(path))
    const applied = yield* settingsFor(plan, locate, former)
    fromSettings = new Set(applied.directories.map(({ path }) => path))
    driver.offer({ _tag: "SettingsApplied", settings: applied })
    const next = configure()
    const { autoCompact, thinking, tools, system } = next
    const hasOtherTools = toolNames(next) !== toolNames(driver.state().config)
    driver.offer({ _tag: "ConfigChanged", config: { autoCompact, thinking, ...(hasOtherTools ? { tools, system } : {}) } })
  })
  let fromSettings: ReadonlySet<string> = new Set(settings.current().permissions.directories.map(({ path }) => path))
  const unlisten = settings.listen(({ loaded, files }) => {
    for (const text of loaded.complaints) if (!told.has(text)) say("warning", text)
    told = new Set(loaded.complaints)
    if (files.length > 0) say("info", `settings changed: ${files.join(", ")}`)
    Effect.runFork(apply)
  })
  const unwatch = settings.watch()
  return () => {
    unlisten()
    unwatch()
  }
}
