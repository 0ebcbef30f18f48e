/**
 * Inline mode knows the prompt and, for as long as it is wanted, one pane over the whole screen. Whatever a key did to
 * the arrangement is brought to that here.
 */
import type { AppModel } from "../model/app-model.ts"
import { withCurrent } from "../model/app-model.ts"
import { transcriptContextOf } from "../model/conversation/transcript-context.ts"
import { listRedrawn } from "../transcript/list/update.ts"

/** The transcript's view depends on how many rows it has. */
const relaid = (model: AppModel): AppModel =>
  withCurrent(model, (session) => {
    const list = listRedrawn(session.list, transcriptContextOf(model, session))
    return { ...session, list }
  })

const backToPrompt = (model: AppModel): AppModel =>
  relaid({
    ...model,
    focus: "prompt",
    layout: { ...model.layout, zoomed: undefined, temporary: undefined },
    options: model.options.view === "verbose" ? { ...model.options, view: "default" } : model.options
  })

export const settleInline = (before: AppModel, after: AppModel): AppModel => {
  if (after.options.interface !== "inline") return after
  const { focus, layout } = after
  const isPlain = layout.zoomed === undefined && layout.temporary === undefined
  if (focus === "prompt") return isPlain ? after : backToPrompt(after)
  // Leaving the zoom of a pane is leaving the pane.
  const leaves = before.focus === focus && before.layout.zoomed === focus && layout.zoomed === undefined
  if (leaves) return backToPrompt(after)
  return layout.zoomed === focus ? after : relaid({ ...after, layout: { ...layout, zoomed: focus } })
}
