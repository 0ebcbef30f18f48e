import { partsOf } from "../../transcript/rows/parts.ts"
import { layoutBlock } from "../../transcript/blocks/block-layout.ts"
import { dockedOf } from "../dock/docked.ts"
import type { PaneScene } from "../windows/pane-context.ts"
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
  const { width, height } = pane?.content ?? { width: model.size.columns, height: model.size.rows }
  const context = transcriptContext({
    model,
    session,
    options: model.options,
    now: model.now,
    spinner: model.spinner,
    width,
    height
  })
  return { ...context, isWatched: isOnScreen(model, session.id) }
}

const askedIn = (model: AppModel, session: SessionModel): { readonly asked?: string } => {
  const docked = dockedOf(model)
  return docked === undefined || docked.session.id !== session.id ? {} : { asked: docked.ask.question.callId }
}

/** The same for an area that is given. */
export const transcriptContext = ({ model, session, options, now, spinner, width, height }: PaneScene): ListContext => ({
  height,
  layout: layoutBlock,
  parts: partsOf,
  autoScroll: options.autoScroll,
  options: {
    width: Math.max(1, width - 2 * MARGIN),
    fold: "closed",
    view: options.view,
    glyphs: options.glyphs,
    now,
    spinner,
    thinking: options.thinking,
    meta: options.meta,
    highlight: options.highlight,
    tabWidth: options.tabWidth,
    codeWrap: options.codeWrap,
    scroll: 0,
    limits: options.foldLimits,
    showTurns: options.showTurns,
    cwd: session.cwd,
    utcOffsetMs: 0,
    ...askedIn(model, session)
  }
})
