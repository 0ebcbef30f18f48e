import type { WindowStatus } from "../../model/tokens/window.ts"
import { clearIdle, clearPressure, clearRescue } from "./clear-results.ts"
import type { Reduction, ReductionSettings, ReductionView, Rung } from "./reduction.ts"
import { snip } from "./snip.ts"
import { summarise } from "./summarise.ts"

/** From what costs least to what costs most. */
export const LADDER: ReadonlyArray<Rung> = [
  { name: "clear-idle", plan: clearIdle },
  { name: "clear-pressure", plan: clearPressure },
  { name: "clear-rescue", plan: clearRescue },
  { name: "snip", plan: snip },
  { name: "summary", plan: summarise }
]

/** What should go before the next request: what the first rung says that was not tried for it and has something to say. */
export const planReduction = (
  status: WindowStatus,
  view: ReductionView,
  settings: ReductionSettings
): Reduction | undefined => {
  if (settings.isDisabled) return undefined
  for (const { name, plan } of LADDER) {
    const reduction = view.spent.has(name) ? undefined : plan({ status, view, settings })
    if (reduction !== undefined) return reduction
  }
  return undefined
}
