import type { Json } from "../domain/json/positioned-json.ts"
import { settingOf, type Snapshot } from "../settings/snapshot.ts"
import { treeAt } from "../settings/tree.ts"
import { type Handler, HOOK_SOURCES } from "./handler.ts"
import { type HookGroup, type HookProblem, readHooks } from "./read-hooks.ts"

/** The handlers that settings files bring, in the order in which they count, as far as policy lets them run. */

const HOOKS = ["hooks"]

/** Whether a settings file brings hooks at all; most do not, and then nothing more is read. */
export const hasHooks = ({ tree }: Snapshot): boolean => treeAt(tree, HOOKS) !== undefined

const groupsIn = ({ tree }: Snapshot): ReadonlyArray<HookGroup> => {
  const hooks = treeAt(tree, HOOKS)
  if (hooks?.kind !== "object") return []
  return [...hooks.members].flatMap(([event, member]) =>
    member.kind === "list"
      ? member.items.map(({ value, origin }: { readonly value: Json; readonly origin: HookGroup["from"] }) => ({
          event,
          value,
          from: { source: origin.source, file: origin.file, ...(origin.line === undefined ? {} : { line: origin.line }) }
        }))
      : []
  )
}

const disabledByPolicy = ({ layers }: Snapshot): boolean =>
  layers.some(({ source, tree }) => {
    const flag = source === "policySettings" ? treeAt(tree, ["disableAllHooks"]) : undefined
    return flag?.kind === "value" && flag.value === true
  })

export interface RegisteredHooks {
  readonly handlers: ReadonlyArray<Handler>
  /** Read, but kept from running by a setting. */
  readonly withheld: ReadonlyArray<{ readonly handler: Handler; readonly why: string }>
  readonly problems: ReadonlyArray<HookProblem>
}

/** The setting that keeps a handler from running. */
const whyWithheld = (snapshot: Snapshot): ((handler: Handler) => string | undefined) => {
  const isOff = settingOf(snapshot, "disableAllHooks") === true
  const isManagedOff = disabledByPolicy(snapshot)
  const isManagedOnly = settingOf(snapshot, "allowManagedHooksOnly") === true
  return ({ from }) => {
    if (from.source === "policySettings") return isManagedOff ? "disableAllHooks of the managed settings" : undefined
    if (isOff) return "disableAllHooks"
    return isManagedOnly ? "allowManagedHooksOnly of the managed settings" : undefined
  }
}

export const registeredHooks = (snapshot: Snapshot): RegisteredHooks => {
  const { handlers, problems } = readHooks(groupsIn(snapshot))
  const ordered = HOOK_SOURCES.flatMap((source) => handlers.filter(({ from }) => from.source === source))
  const why = whyWithheld(snapshot)
  return {
    handlers: ordered.filter((handler) => why(handler) === undefined),
    withheld: ordered.flatMap((handler) => {
      const reason = why(handler)
      return reason === undefined ? [] : [{ handler, why: reason }]
    }),
    problems
  }
}
