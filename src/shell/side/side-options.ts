import { SIDE_KINDS, type SideKind, type SideOptions } from "../../core/context/side/side-task.ts"
import { sideModel } from "../../core/model/catalog/side-model.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import { isStrange } from "../memory/memory-place.ts"
import type { SessionPlan } from "../plan/session-plan.ts"

interface SideFacts {
  readonly plan: SessionPlan
  readonly model: string
  readonly memoryDir: string | undefined
}

/** Which side tasks a session has. In print mode nobody is there who would see what comes of them. */
const isOn = ({ plan, memoryDir }: SideFacts): Readonly<Record<SideKind, boolean>> => {
  const { snapshot } = plan.settings.current()
  const isWatched = plan.start.printBecause === undefined && !plan.start.bare
  const isUnseenWanted = settingOf(snapshot, "nacre.memory.inPrintMode") === true
  return {
    title: isWatched && plan.start.session.name === undefined && settingOf(snapshot, "nacre.titles") !== false,
    memory_extract: memoryDir !== undefined && !isStrange(plan) && (isWatched || isUnseenWanted)
  }
}

export const sideOptions = (facts: SideFacts): SideOptions => {
  const { plan, model, memoryDir } = facts
  const { snapshot } = plan.settings.current()
  const on = isOn(facts)
  const extractEveryTurns = settingOf(snapshot, "nacre.memory.everyTurns")
  return {
    kinds: SIDE_KINDS.filter((kind) => on[kind]),
    smallModel: sideModel(plan.env, model, settingOf(snapshot, "availableModels")),
    memoryDir,
    ...(extractEveryTurns === undefined ? {} : { extractEveryTurns })
  }
}
