import { Effect } from "effect"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { Driver } from "../runtime/driver.ts"
import type { ToolRun } from "../runtime/run-tool.ts"
import { CommandPolicy } from "../sandbox/command-policy.ts"
import type { Toolbox } from "../tools/toolbox.ts"
import type { ToolServices } from "../tools/built-in-tools.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { searchSettings } from "../settings/web-search-settings.ts"

interface ToolRunOptions {
  readonly plan: SessionPlan
  readonly sessionId: string
  readonly sessionDir: string
  readonly loop: Driver
  readonly toolbox: Toolbox["Service"]
}

/** How the calls of a session run. Directories, schema and variables are those of the moment of the call. */
export const toolRun = ({ plan, sessionId, sessionDir, loop, toolbox }: ToolRunOptions): ToolRun<ToolServices> => ({
  executorOf: (tool) => toolbox.current().get(tool)?.executor,
  offer: loop.offer,
  sandboxProblem: Effect.flatMap(CommandPolicy, ({ problem }) => problem),
  session: {
    sessionId,
    projectDir: plan.cwd,
    get additionalDirs() {
      return loop
        .state()
        .permission.workingDirs.slice(1)
        .map(({ path }) => path)
    },
    sessionDir,
    memoryDir: loop.state().config.place.memoryDir,
    nonInteractive: plan.start.printBecause !== undefined,
    get availableModels() {
      return settingOf(plan.settings.current().snapshot, "availableModels")
    },
    get webSearch() {
      return searchSettings(plan.settings.current().snapshot)
    },
    get env() {
      return plan.settings.current().env.children
    },
    get scrub() {
      return plan.settings.current().env.scrub
    }
  }
})
