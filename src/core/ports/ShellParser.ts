import { Context, Data, type Effect } from "effect"
import type { ParseShell } from "../permission/bash/syntax.ts"

/** No engine for the grammar could be loaded. Commands then ask, and deny rules see the raw text only. */
export class ShellParserFailure extends Data.TaggedError("ShellParserFailure")<{
  /** A sentence with the fix, to be shown. */
  readonly message: string
}> {}

/** Reads shell texts into trees. The engine is loaded by the first `load`; later ones give the same parser. */
export class ShellParser extends Context.Service<
  ShellParser,
  { readonly load: Effect.Effect<ParseShell, ShellParserFailure> }
>()("nacre/ports/ShellParser") {}
