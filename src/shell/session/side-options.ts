import { SIDE_KINDS, type SideKind, type SideOptions } from "../../core/context/side/side-task.ts"
import { sideModel } from "../../core/model/catalog/side-model.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import type { SessionPlan } from "../plan/session-plan.ts"

/** Which side tasks a session has. In print mode nobody is there who would see what comes of them. */
const isOn = (plan: SessionPlan): Readonly<Record<SideKind, boolean>> => {
  const { snapshot } = plan.settings.current()
  const isWatched = plan.start.printBecause === undefined && !plan.start.bare
  return {
    title: isWatched && plan.start.session.name === undefined && settingOf(snapshot, "nacre.titles") !== false
  }
}

export const sideOptions = (plan: SessionPlan, model: string): SideOptions => {
  const on = isOn(plan)
  return { kinds: SIDE_KINDS.filter((kind) => on[kind]), smallModel: sideModel(plan.env, model) }
}
