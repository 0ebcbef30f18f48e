import type { Hint } from "../../keymap/hint.ts"
import type { Row } from "../../screen/style/row.ts"
import type { Choice } from "../../text/choice-rows.ts"

/** What a docked question says, before it has a place: a head of what it is about, and choices that are always there. */
export interface DockPanel {
  readonly title: DockTitle
  /** At the other end of the title: whose question it is, how far a command is held back. */
  readonly aside: string
  readonly tone: "calm" | "destructive"
  readonly body: (width: number) => DockBody
  readonly choices: ReadonlyArray<DockChoice>
  readonly selected: number
  /** What has to be known now: why a key did nothing, that time runs out. */
  readonly note: string
  /** Rows of body and choices in all the states that keys lead to, so that the panel does not jump. */
  readonly reserve?: (width: number) => number
}

/** While something is typed. */
export const FIELD_HINTS: ReadonlyArray<Hint> = [
  ["confirm:choose", "accept"],
  ["confirm:leave", "leave the field"]
]

export interface HintedPanel extends DockPanel {
  /** Keys and what they do, the most useful first. */
  readonly hints: ReadonlyArray<Hint>
}

/** With the keys as this user bound them; they are looked up when they are drawn. */
export interface BoundPanel extends DockPanel {
  readonly hints: () => ReadonlyArray<string>
  /** The key that shows the whole of what is asked. */
  readonly moreKey: () => string
}

/** A title that is too long loses the beginning of its path, so that the tool and the file stay. */
export interface DockTitle {
  readonly lead: string
  readonly path: string
  readonly tail: string
}

export interface DockBody {
  /** What is asked about, from its beginning. */
  readonly rows: ReadonlyArray<Row>
  /** The row to begin with where there is no room for all: the first that matters. */
  readonly from: number
  /** Rows that were not made, because nobody would see them here. */
  readonly beyond: number
  /** Rows that are worth more than half of the height: a command is read before it is allowed. */
  readonly least: number
  /** Why it is asked, under it. */
  readonly why: ReadonlyArray<Row>
  /** How much of the room the reasons may take from what is asked: none, half, or all but a row. */
  readonly weight: "none" | "half" | "most"
}

export interface DockChoice extends Choice {
  /** It is remembered: what it says must have been read. */
  readonly saves?: boolean
}
