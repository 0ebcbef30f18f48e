import { Effect, type Scope, SubscriptionRef } from "effect"
import { isOn, readVariable } from "../../core/domain/env.ts"
import type { JsonSchema } from "../../core/model/request/model-request.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import { removedBy } from "../../core/permission/decide/decide.ts"
import { backgroundTasksEnabled } from "../../core/tools/bash/timeout.ts"
import { searchProvider } from "../../core/tools/web/search-provider.ts"
import { webSearchTool } from "../../core/tools/web/web-search.ts"
import type { ToolEntry } from "../../core/tools/tool-entry.ts"
import { offered, unknownTools, withTools } from "../../core/tools/toolbox.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import type { Driver } from "../runtime/driver.ts"
import { builtInTools } from "../tools/built-in-tools.ts"
import { structuredOutput } from "../tools/structured-output.ts"
import { type ProvidedTool, Toolbox } from "../tools/toolbox.ts"
import { searchSettings } from "../settings/web-search-settings.ts"

/** The tools of a session, and which of them its conversation gets. */
export interface SessionTools {
  readonly under: (permission: PermissionContext) => ReadonlyArray<ToolEntry>
  /** The answer must fit this schema, if any. */
  readonly promise: (schema: JsonSchema | undefined) => void
}

const BARE_TOOLS = ["Bash", "Read", "Edit", "Write"]

/** Of the program's own tools only these; undefined means all. */
export const chosenTools = (plan: SessionPlan): ReadonlyArray<string> | undefined => {
  const { tools } = plan.start.permissions
  if (tools === undefined || tools === "default") {
    return plan.start.bare || isOn(readVariable(plan.env, "SIMPLE")) ? BARE_TOOLS : undefined
  }
  const unknown = unknownTools(tools)
  if (unknown.length > 0) {
    plan.complain(`--tools: no tool is called ${unknown.join(", ")}. Fix: leave it out; --tools default offers all`)
  }
  return tools
}

const promised = (schema: JsonSchema | undefined): ReadonlyArray<ProvidedTool> =>
  schema === undefined ? [] : [structuredOutput(schema)]

/** Whoever chose a provider is told why it does not search. */
const complainAboutSearch = (plan: SessionPlan, why: string | undefined): void => {
  const { provider } = searchSettings(plan.settings.current().snapshot)
  const isChosen = provider !== undefined && provider !== "auto" && provider !== "off"
  if (why !== undefined && isChosen) plan.complain(`WebSearch is not offered: ${why}`)
}

/** Fills the toolbox with what the program brings itself. */
export const openTools = Effect.fnUntraced(function* (
  plan: SessionPlan,
  { canAsk, model }: { readonly canAsk: boolean; readonly model: string }
): Effect.fn.Return<SessionTools, never, Scope.Scope | Toolbox> {
  const toolbox = yield* Toolbox
  const schemaTools = yield* SubscriptionRef.make(promised(plan.start.output.jsonSchema))
  yield* toolbox.add(yield* SubscriptionRef.make(builtInTools(backgroundTasksEnabled(plan.env))))
  yield* toolbox.add(schemaTools)
  const only = chosenTools(plan)
  const unsearchable = (): string | undefined => {
    const provider = searchProvider(searchSettings(plan.settings.current().snapshot), {
      env: plan.settings.current().env.children,
      model
    })
    return provider._tag === "None" ? provider.why : undefined
  }
  complainAboutSearch(plan, unsearchable())
  return {
    under: (permission) => {
      const cannotSearch = unsearchable() !== undefined
      return offered(
        [...toolbox.current().values()].map(({ entry }) => entry),
        {
          interactive: canAsk,
          testing: plan.env["NODE_ENV"] === "test",
          only,
          isDenied: (tool) => removedBy(permission, tool) !== undefined || (cannotSearch && tool.name === webSearchTool.name)
        }
      )
    },
    promise: (schema) => Effect.runSync(SubscriptionRef.set(schemaTools, promised(schema)))
  }
})

/** Tells the conversation which tools it has now; false when they are what they were. */
export const changeTools = ({ state, offer }: Driver, tools: SessionTools): boolean => {
  const { permission, toolbox } = state()
  const next = tools.under(permission)
  const isChange = withTools(toolbox, next) !== toolbox
  if (isChange) offer({ _tag: "ToolsChanged", tools: next })
  return isChange
}
