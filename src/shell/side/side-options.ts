import { SIDE_KINDS, type SideKind, type SideOptions } from "../../core/context/side/side-task.ts"
import { isOff, isOn as isOnValue, readVariable } from "../../core/domain/env.ts"
import { sideModel } from "../../core/model/catalog/side-model.ts"
import { settingOf } from "../../core/settings/snapshot.ts"
import { isStrange } from "../memory/memory-place.ts"
import type { SessionPlan } from "../plan/session-plan.ts"

interface SideFacts {
  readonly plan: SessionPlan
  readonly model: string
  readonly memoryDir: string | undefined
  readonly shows: ReadonlyArray<SideKind>
}

/** The variable goes before the setting, in both directions. */
const suggests = ({ env, settings }: SessionPlan): boolean => {
  const variable = readVariable(env, "ENABLE_PROMPT_SUGGESTION")
  if (isOff(variable)) return false
  return isOnValue(variable) || settingOf(settings.current().snapshot, "promptSuggestionEnabled") !== false
}

/** Which side tasks a session has. In print mode nobody is there who would see what comes of them. */
const isOn = ({ plan, memoryDir, shows }: SideFacts): Readonly<Record<SideKind, boolean>> => {
  const { snapshot } = plan.settings.current()
  const isQuiet = plan.start.bare || isOnValue(readVariable(plan.env, "DISABLE_NONESSENTIAL_TRAFFIC"))
  const isWatched = plan.start.printBecause === undefined && !isQuiet
  const isUnseenWanted = settingOf(snapshot, "nacre.memory.inPrintMode") === true
  return {
    title: isWatched && plan.start.session.name === undefined && settingOf(snapshot, "nacre.titles") !== false,
    memory_extract: memoryDir !== undefined && !isStrange(plan) && (isWatched || (isUnseenWanted && !isQuiet)),
    prompt_suggestion: !isQuiet && shows.includes("prompt_suggestion") && suggests(plan),
    away_summary: !isQuiet && shows.includes("away_summary") && settingOf(snapshot, "awaySummaryEnabled") !== false
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
