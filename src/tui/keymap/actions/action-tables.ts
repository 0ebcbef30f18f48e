import type { Action, ActionTable } from "./action.ts"
import {
  CONFIRMATION,
  DIFF_DIALOG,
  HELP,
  MESSAGE_SELECTOR,
  MODEL_PICKER,
  PALETTE,
  PLUGIN,
  SELECT,
  SESSIONS,
  SETTINGS,
  TABS,
  THEME_PICKER
} from "./dialogs.ts"
import { GLOBAL, TASK } from "./global.ts"
import { APPROVALS, DIFF, LIST, PANE } from "./panes.ts"
import {
  ATTACHMENTS,
  AUTOCOMPLETE,
  CHAT,
  COMMAND_LINE,
  FOOTER,
  HISTORY_SEARCH,
  PROMPT_NORMAL,
  PROMPT_VISUAL
} from "./prompt.ts"
import { SCROLL } from "./scroll.ts"
import { TRANSCRIPT } from "./transcript.ts"
import { WINDOW } from "./window.ts"

/** Every action there is, in the order in which help and the documents show them. */
export const ACTION_TABLES: ReadonlyArray<ActionTable> = [
  GLOBAL,
  CHAT,
  AUTOCOMPLETE,
  HISTORY_SEARCH,
  TASK,
  ATTACHMENTS,
  FOOTER,
  PROMPT_NORMAL,
  PROMPT_VISUAL,
  PANE,
  WINDOW,
  TRANSCRIPT,
  LIST,
  DIFF,
  APPROVALS,
  SCROLL,
  COMMAND_LINE,
  PALETTE,
  CONFIRMATION,
  SELECT,
  TABS,
  HELP,
  MESSAGE_SELECTOR,
  DIFF_DIALOG,
  MODEL_PICKER,
  THEME_PICKER,
  SETTINGS,
  PLUGIN,
  SESSIONS
]

const collect = (): ReadonlyMap<string, Action> => {
  const actions = new Map<string, Action>()
  for (const { context, rows } of ACTION_TABLES) {
    for (const { id, description, takes, fixed } of rows) {
      const known = actions.get(id)
      actions.set(id, {
        id,
        contexts: [...(known?.contexts ?? []), context],
        description: known?.description ?? description,
        ...(takes === undefined ? {} : { takes }),
        ...(fixed === undefined ? {} : { fixed })
      })
    }
  }
  return actions
}

export const ACTIONS: ReadonlyMap<string, Action> = collect()
