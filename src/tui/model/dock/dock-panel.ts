import type { Field } from "../../editor/field.ts"
import type { Row } from "../../screen/style/row.ts"
import type { TextKind } from "../../text/sanitize.ts"

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
  /** Keys and what they do, the most useful first. */
  readonly hints: ReadonlyArray<string>
  /** Rows of body and choices in all the states that keys lead to, so that the panel does not jump. */
  readonly reserve?: (width: number) => number
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

export interface DockChoice {
  readonly key: string
  readonly label: string
  /** `command` unless it is a sentence of somebody else. */
  readonly kind?: TextKind
  /** What the choice means, as far as its row has room. */
  readonly meaning?: string
  /** It is remembered: what it says must have been read. */
  readonly saves?: boolean
  /** Words that go with the choice, in its own row. */
  readonly field?: { readonly value: Field; readonly isOpen: boolean }
}
