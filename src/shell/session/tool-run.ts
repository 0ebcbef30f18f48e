import { Effect } from "effect"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import type { Env } from "../../core/domain/env.ts"
import type { Driver } from "../runtime/driver.ts"
import type { ToolRun } from "../runtime/run-tool.ts"
import { CommandPolicy } from "../sandbox/command-policy.ts"
import type { Toolbox } from "../tools/toolbox.ts"
import type { SessionContext } from "../tools/contract/executor.ts"
import type { ToolServices } from "../tools/built-in-tools.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { searchSettings } from "../settings/web-search-settings.ts"

interface ToolRunOptions {
  readonly plan: SessionPlan
  readonly sessionId: string
  readonly sessionDir: string
  readonly loop: Driver
  readonly toolbox: Toolbox["Service"]
  /** What hooks left for commands. */
  readonly variables: () => Env
}

interface SessionPlace extends Pick<ToolRunOptions, "plan" | "sessionDir" | "sessionId"> {
  readonly state: () => AgentState
  readonly variables?: () => Env
}

/** What the calls of a session may know. Directories and variables are those of the moment of the call. */
export const sessionContext = ({ plan, sessionId, sessionDir, state, variables }: SessionPlace): SessionContext => ({
  sessionId,
  projectDir: plan.cwd,
  get additionalDirs() {
    return state()
      .permission.workingDirs.slice(1)
      .map(({ path }) => path)
  },
  sessionDir,
  memoryDir: state().config.place.memoryDir,
  nonInteractive: plan.start.printBecause !== undefined,
  get availableModels() {
    return settingOf(plan.settings.current().snapshot, "availableModels")
  },
  get webSearch() {
    return searchSettings(plan.settings.current().snapshot)
  },
  get env() {
    const { children } = plan.settings.current().env
    const left = variables?.() ?? {}
    return Object.keys(left).length === 0 ? children : { ...children, ...left }
  },
  get scrub() {
    return plan.settings.current().env.scrub
  }
})

/** How the calls of a session run. */
export const toolRun = ({
  plan,
  sessionId,
  sessionDir,
  loop,
  toolbox,
  variables
}: ToolRunOptions): ToolRun<ToolServices> => ({
  executorOf: (tool) => toolbox.current().get(tool)?.executor,
  offer: loop.offer,
  sandboxProblem: Effect.flatMap(CommandPolicy, ({ problem }) => problem),
  session: sessionContext({ plan, sessionId, sessionDir, state: loop.state, variables })
})
