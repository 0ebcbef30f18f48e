import { basename, dirname, join } from "node:path"
import { memoryPlace, type MemoryPlace, memoryRefusal } from "../../core/context/memory/directory.ts"
import { isOn, readVariable } from "../../core/domain/env.ts"
import type { Git } from "../../core/ports/Git.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import { mainCheckout } from "../../core/settings/trust/trusted-folder.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { realOr } from "../trust/read-folder.ts"

/** A link on the way is followed; one in the directory's own place is not, and nothing is read or written there. */
const withoutLinks = (path: string): string => join(realOr(dirname(path)), basename(path))

/** Where the memory of a session is. All worktrees of a repository have one memory. */
export const memoryPlaceOf = (plan: SessionPlan, git: Pick<Git["Service"], "checkout">): MemoryPlace => {
  const { snapshot } = plan.settings.current()
  const checkout = git.checkout(plan.cwd)
  const places = { home: realOr(plan.home), configHome: realOr(plan.configHome) }
  const found = memoryPlace({
    ...places,
    env: plan.env,
    enabled: settingOf(snapshot, "autoMemoryEnabled"),
    directory: settingOf(snapshot, "autoMemoryDirectory"),
    isBare: plan.start.bare || isOn(readVariable(plan.env, "SIMPLE")),
    project: checkout === undefined ? plan.cwd : (mainCheckout(checkout) ?? checkout.root)
  })
  if (found._tag === "Off") return found
  const path = withoutLinks(found.path)
  const why = memoryRefusal(path, places)
  if (why === undefined) return { _tag: "On", path }
  return { _tag: "Off", why: `${path} ${why}`, problem: `Nothing is remembered: ${path} ${why}` }
}

/** The folder has configuration that nobody accepted: what is said there does not outlive the session. */
export const isStrange = ({ isUnaccepted, settings }: SessionPlan): boolean => isUnaccepted && !settings.isTrusted()
