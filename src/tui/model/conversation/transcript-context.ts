import { partsOf } from "../../transcript/rows/parts.ts"
import { layoutBlock } from "../../transcript/blocks/block-layout.ts"
import { dockedOf } from "../dock/docked.ts"
import type { ListContext } from "../../transcript/list/view/list-context.ts"
import { isOnScreen, planOf } from "../windows/layout-and-focus.ts"
import type { AppModel } from "../app-model.ts"
import type { SessionModel } from "../session-model.ts"

/** One column on each side keeps text off the borders. */
export const MARGIN = 1

/** What the transcript of a session is laid out with on this screen. */
export const transcriptContextOf = (model: AppModel, session: SessionModel): ListContext => {
  const transcripts = planOf(model).panes.filter(({ leaf }) => leaf.pane === "transcript")
  const pane = transcripts.find(({ leaf }) => leaf.session === session.id) ?? transcripts[0]
  const size = pane?.content ?? { width: model.size.columns, height: model.size.rows }
  return { ...transcriptContext(model, session, size), isWatched: isOnScreen(model, session.id) }
}

const askedIn = (model: AppModel, session: SessionModel): { readonly asked?: string } => {
  const docked = dockedOf(model)
  return docked === undefined || docked.session.id !== session.id ? {} : { asked: docked.ask.question.callId }
}

/** The same for an area that is given. */
export const transcriptContext = (
  model: AppModel,
  session: SessionModel,
  { width, height }: { readonly width: number; readonly height: number }
): ListContext => ({
  height,
  layout: layoutBlock,
  parts: partsOf,
  autoScroll: model.options.autoScroll,
  options: {
    width: Math.max(1, width - 2 * MARGIN),
    fold: "closed",
    view: model.options.view,
    glyphs: model.options.glyphs,
    now: model.now,
    spinner: model.spinner,
    thinking: model.options.thinking,
    meta: model.options.meta,
    highlight: model.options.highlight,
    tabWidth: model.options.tabWidth,
    codeWrap: model.options.codeWrap,
    scroll: 0,
    limits: model.options.foldLimits,
    showTurns: model.options.showTurns,
    cwd: session.cwd,
    utcOffsetMs: 0,
    ...askedIn(model, session)
  }
})
