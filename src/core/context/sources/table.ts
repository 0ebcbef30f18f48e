import type { ContextSource, SourceKind } from "./source.ts"
import { date } from "./date.ts"
import { environment } from "./environment.ts"
import { git } from "./git.ts"
import { instructions } from "./instructions.ts"
import { model } from "./model.ts"
import { nested } from "./nested.ts"
import { systemPrompt } from "./system-prompt.ts"

/** All sources, in the order in which the first message says them. */
export const SOURCES: { readonly [K in SourceKind]: ContextSource<K> } = {
  systemPrompt,
  environment,
  model,
  instructions,
  nested,
  git,
  date
}

export const SOURCE_KINDS = [
  "systemPrompt",
  "environment",
  "model",
  "instructions",
  "nested",
  "git",
  "date"
] as const satisfies ReadonlyArray<SourceKind>
