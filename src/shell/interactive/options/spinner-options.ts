import type { UiOptions } from "../../../tui/model/ui-options.ts"

/** Words and tips of the user for the row of a running turn. */
type Fields = Readonly<Record<string, unknown>>

const MOST = 500

const textsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.filter((each): each is string => typeof each === "string" && each.trim() !== "").slice(0, MOST)
    : []

const isFields = (setting: unknown): setting is Fields => typeof setting === "object" && setting !== null

/** A list, or an object with `verbs`. There are no verbs of our own that `mode` could keep. */
export const spinnerVerbs = (setting: unknown): UiOptions["spinnerVerbs"] =>
  textsIn(isFields(setting) && !Array.isArray(setting) ? setting["verbs"] : setting)

export const spinnerTips = (enabled: boolean | undefined, override: Fields | undefined): UiOptions["tips"] =>
  enabled === false
    ? { own: [], showsOurs: false }
    : { own: textsIn(override?.["tips"]), showsOurs: override?.["excludeDefault"] !== true }
