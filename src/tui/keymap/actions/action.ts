import type { ContextName } from "./context.ts"

/** Something a key can do. Help, palette, hints, the template and docs/KEYS.md are made from these records. */
export interface ActionInfo<Id extends string = string> {
  readonly id: Id
  readonly contexts: ReadonlyArray<ContextName>
  readonly description: string
  /** What the action waits for after its key. */
  readonly takes?: Takes
  /** Its keys belong to the program: nobody may rebind them. */
  readonly fixed?: true
}

export type Takes = "character" | "motion"

/** One action in one context, with its default keys in the notation of the context. */
export interface ActionRow<Id extends string = string> {
  readonly id: Id
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

export interface ActionTable<Context extends ContextName = ContextName, Id extends string = string> {
  readonly context: Context
  readonly rows: ReadonlyArray<ActionRow<Id>>
  /** Keys that wider contexts bind and that this one leaves to what has the focus. */
  readonly passes?: ReadonlyArray<string>
}

/** A row of a table: its description, or that with what only few rows need. The tables declare all ids there are. */
export const row = <const Id extends string>(
  id: Id,
  keys: ReadonlyArray<string>,
  about: string | ({ readonly description: string } & Omit<ActionRow, "id" | "keys" | "description">)
): ActionRow<Id> => (typeof about === "string" ? { id, keys, description: about } : { id, keys, ...about })

export const table = <const Context extends ContextName, Id extends string>(
  context: Context,
  rows: ReadonlyArray<ActionRow<Id>>,
  passes: ReadonlyArray<string> = []
): ActionTable<Context, Id> => ({ context, rows, passes })
