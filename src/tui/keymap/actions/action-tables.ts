import type { ActionInfo, ActionTable } from "./action.ts"
import { type NamedPaneId, PANE_IDS } from "../../screen/layout/tree.ts"
import type { ContextName } from "./context.ts"
import {
  CONFIRMATION,
  HELP,
  MESSAGE_SELECTOR,
  MODEL_PICKER,
  PALETTE,
  SELECT,
  SESSIONS,
  TABS,
  THEME_PICKER,
  PERMISSIONS,
  SANDBOX,
  MEMORY,
  QUEUE,
  MESSAGE,
  REWIND
} from "./dialogs.ts"
import { GLOBAL, TASK } from "./global.ts"
import { APPROVALS, DIFF, LIST, LOOP, PANE } from "./panes.ts"
import { AUTOCOMPLETE, CHAT, COMMAND_LINE, HISTORY_SEARCH, PROMPT_NORMAL, PROMPT_VISUAL } from "./prompt.ts"
import { SCROLL } from "./scroll.ts"
import { TRANSCRIPT } from "./transcript.ts"
import { WINDOW } from "./window.ts"

/** The tables whose actions mean something in the overlay on screen, and nowhere else. */
const OVERLAY_TABLES = [
  PALETTE,
  CONFIRMATION,
  SELECT,
  TABS,
  HELP,
  HISTORY_SEARCH,
  MESSAGE_SELECTOR,
  MODEL_PICKER,
  THEME_PICKER,
  SESSIONS,
  PERMISSIONS,
  SANDBOX,
  MEMORY,
  QUEUE,
  MESSAGE,
  REWIND
] as const

const TABLES = [
  GLOBAL,
  CHAT,
  AUTOCOMPLETE,
  TASK,
  PROMPT_NORMAL,
  PROMPT_VISUAL,
  PANE,
  WINDOW,
  TRANSCRIPT,
  LIST,
  DIFF,
  LOOP,
  APPROVALS,
  SCROLL,
  COMMAND_LINE,
  ...OVERLAY_TABLES
] as const

type Table = (typeof TABLES)[number]

/** The id of every action: what is in no table does not compile. */
export type ActionId = Table["rows"][number]["id"]

/** The ids that mean something in one of these contexts. */
export type IdsOf<Context extends ContextName> = Extract<Table, { readonly context: Context }>["rows"][number]["id"]

/** Every action there is, in the order in which help and the documents show them. */
export const ACTION_TABLES: ReadonlyArray<ActionTable<ContextName, ActionId>> = TABLES

const idsIn = ({ rows }: ActionTable): ReadonlyArray<string> => rows.map(({ id }) => id)

const collect = (): ReadonlyMap<ActionId, ActionInfo<ActionId>> => {
  const actions = new Map<ActionId, ActionInfo<ActionId>>()
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

export const ACTIONS: ReadonlyMap<ActionId, ActionInfo<ActionId>> = collect()

const IDS: ReadonlySet<string> = new Set(ACTIONS.keys())

/** Actions of other programs with this file, for what this one has not. */
const ELSEWHERE = /^(?:attachments|diff|footer|plugin|settings):|^chat:(?:fastMode|killAgents|messageSelector|voice)$/

export const isActionElsewhere = (id: string): boolean => ELSEWHERE.test(id)

/** What a key does in the pane that has the keyboard, which has a handler of its own for it. */
export type PaneActionId = Exclude<
  Extract<ActionId, `${"approvals" | "changes" | "list" | "loop" | "pane" | "transcript"}:${string}`>,
  "pane:cancel"
>

export const isPaneAction = (id: ActionId): id is PaneActionId =>
  id !== "pane:cancel" && /^(?:approvals|changes|list|loop|pane|transcript):/.test(id)

/** Goes to the pane that it names. */
export type PaneKeyId = Extract<ActionId, `window:${NamedPaneId}`>

const PANE_OF_KEY: ReadonlyMap<string, NamedPaneId> = new Map(PANE_IDS.map((pane) => [`window:${pane}`, pane]))

export const isPaneKey = (id: ActionId): id is PaneKeyId => PANE_OF_KEY.has(id)

export const paneOfKey = (id: PaneKeyId): NamedPaneId => PANE_OF_KEY.get(id) ?? "transcript"

export type LineActionId = IdsOf<"CommandLine">

export const isLineAction = (id: ActionId): id is LineActionId => id.startsWith("commandLine:")

/** What a key does in the overlay on screen. */
export type OverlayActionId = (typeof OVERLAY_TABLES)[number]["rows"][number]["id"]

const OF_OVERLAYS: ReadonlySet<string> = new Set(OVERLAY_TABLES.flatMap(idsIn))

export const isOverlayAction = (id: ActionId): id is OverlayActionId => OF_OVERLAYS.has(id)

/** Actions that choose by number, and the number. */
const NUMBERED: ReadonlyArray<OverlayActionId> = [
  "confirm:first",
  "confirm:second",
  "confirm:third",
  "confirm:fourth",
  "confirm:fifth",
  "confirm:sixth",
  "confirm:seventh",
  "confirm:eighth",
  "confirm:ninth"
]

const NUMBERS: ReadonlyMap<ActionId, string> = new Map(NUMBERED.map((id, index) => [id, String(index + 1)]))

export const numberOf = (id: ActionId): string | undefined => NUMBERS.get(id)

export const actionOfNumber = (number: string): OverlayActionId | undefined => NUMBERED[Number(number) - 1]

export const isActionId = (id: string): id is ActionId => IDS.has(id)
