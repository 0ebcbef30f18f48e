import type { ContextSource, SourceKind } from "./source.ts"
import { attribution } from "./attribution.ts"
import { budget } from "./budget.ts"
import { changed_files } from "./changed-files.ts"
import { date } from "./date.ts"
import { environment } from "./environment.ts"
import { git } from "./git.ts"
import { instructions } from "./instructions.ts"
import { mentions } from "./mentions.ts"
import { language } from "./language.ts"
import { model } from "./model.ts"
import { restored } from "./restored.ts"
import { nested } from "./nested.ts"
import { plan_mode } from "./plan-mode.ts"
import { systemPrompt } from "./system-prompt.ts"
import { todos } from "./todos.ts"

/** All sources, in the order in which the first message says them. */
export const SOURCES: { readonly [K in SourceKind]: ContextSource<K> } = {
  systemPrompt,
  mentions,
  restored,
  environment,
  model,
  language,
  plan_mode,
  budget,
  changed_files,
  todos,
  instructions,
  nested,
  git,
  date,
  attribution
}

export const SOURCE_KINDS = [
  "systemPrompt",
  "mentions",
  "restored",
  "environment",
  "model",
  "language",
  "plan_mode",
  "budget",
  "changed_files",
  "todos",
  "instructions",
  "nested",
  "git",
  "date",
  "attribution"
] as const satisfies ReadonlyArray<SourceKind>
