import type { Stroke } from "../../keymap/stroke.ts"

/** Numbered choices under a text that scrolls: what dialogs of the start have in common. */
export interface ChoiceState {
  readonly selected: number
  /** First row of the text. */
  readonly top: number
}

export type ChoiceOutcome =
  | { readonly _tag: "Open"; readonly state: ChoiceState }
  | { readonly _tag: "Chosen"; readonly index: number }

export interface ChoicePress {
  readonly stroke: Stroke
  readonly count: number
  readonly bodyHeight: number
}

const STEPS: ReadonlyMap<Stroke, number> = new Map([
  ["j", 1],
  ["<Down>", 1],
  ["<Tab>", 1],
  ["k", -1],
  ["<Up>", -1],
  ["<S-Tab>", -1]
])

const PAGES: ReadonlyMap<Stroke, number> = new Map([
  ["d", 1],
  ["<C-d>", 1],
  ["<PageDown>", 1],
  ["u", -1],
  ["<C-u>", -1],
  ["<PageUp>", -1]
])

/** Escape chooses the last one. */
export const updateChoice = (state: ChoiceState, { stroke, count, bodyHeight }: ChoicePress): ChoiceOutcome => {
  const open = (next: Partial<ChoiceState>): ChoiceOutcome => ({ _tag: "Open", state: { ...state, ...next } })
  const chosen = (index: number): ChoiceOutcome => (index < count ? { _tag: "Chosen", index } : open({}))
  if (stroke === "<CR>") return chosen(state.selected)
  if (stroke === "<Esc>") return chosen(count - 1)
  if (/^[1-9]$/.test(stroke)) return chosen(Number(stroke) - 1)
  const step = STEPS.get(stroke)
  if (step !== undefined) return open({ selected: (state.selected + step + count) % count })
  const page = PAGES.get(stroke)
  return page === undefined ? open({}) : open({ top: Math.max(0, state.top + page * Math.max(1, bodyHeight - 1)) })
}
