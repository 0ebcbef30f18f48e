import type { ContextName } from "./context.ts"

/** Something a key can do. Help, palette, hints, the template and docs/KEYS.md are made from these records. */
export interface Action {
  readonly id: string
  readonly contexts: ReadonlyArray<ContextName>
  readonly description: string
  /** What the action waits for after its key. */
  readonly takes?: Takes
  /** Its keys belong to the program: nobody may rebind them. */
  readonly fixed?: true
}

export type Takes = "character" | "motion"

/** One action in one context, with its default keys in the notation of the context. */
export interface ActionRow {
  readonly id: string
  readonly keys: ReadonlyArray<string>
  readonly description: string
  readonly takes?: Takes
  readonly fixed?: true
  /** Bound on one kind of screen only. */
  readonly only?: "inline" | "fullscreen"
  /** Bound only while `nacre.tui.pagerKeys` is on. */
  readonly pager?: true
  /** Keys that replace `keys` on a platform. */
  readonly windows?: ReadonlyArray<string>
  readonly wsl?: ReadonlyArray<string>
}

export interface ActionTable {
  readonly context: ContextName
  readonly rows: ReadonlyArray<ActionRow>
  /** Keys that wider contexts bind and that this one leaves to what has the focus. */
  readonly passes?: ReadonlyArray<string>
}

/** A row of a table: its description, or that with what only few rows need. */
export const row = (
  id: string,
  keys: ReadonlyArray<string>,
  about: string | ({ readonly description: string } & Omit<ActionRow, "id" | "keys" | "description">)
): ActionRow => (typeof about === "string" ? { id, keys, description: about } : { id, keys, ...about })
