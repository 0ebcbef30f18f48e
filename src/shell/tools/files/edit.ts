import { Effect, Result } from "effect"
import { LIMITS } from "../../../core/domain/limits.ts"
import { bodyToText, fileOf } from "../../../core/domain/text/encoding.ts"
import type { FileEntry } from "../../../core/tools/files/file-cache.ts"
import { toLf } from "../../../core/domain/text/line-ending.ts"
import { applyPlan, type EditedBody, type EditPlan, planEdit } from "../../../core/tools/files/plan-edit.ts"
import { recognise } from "../../../core/tools/files/match-read-content.ts"
import { afterChanges } from "../../../core/tools/files/read-coverage.ts"
import { numberedSnippet } from "../../../core/tools/files/snippet.ts"
import { type ChangeWindow, changeWindows, textWindow } from "../../../core/tools/files/change-windows.ts"
import { Files, type Written } from "../../../core/ports/Files.ts"
import { type EditInput, editTool } from "../../../core/tools/files/edit.ts"
import { FileState } from "../services/file-state.ts"
import type { ToolContext, ToolExecutor, ToolOutput, ToolRefusal } from "../contract/executor.ts"
import {
  fileRefusal,
  type FileTarget,
  fileTarget,
  isFreelyReadable,
  missingFile,
  refuse,
  refuseUnread
} from "./file-target.ts"
import { hunksOf, WINDOW_CONTEXT_LINES } from "./change-hunks.ts"

/** Replacing text in a file. Planning only looks; the write at the end checks once more that nothing moved. */
const failWith = fileRefusal("Nothing was written.")

/** What an edit comes to: a new file, an empty one filled, or spans replaced. */
interface Creation {
  readonly kind: "create"
  readonly expectedHash: string | null
}

interface Change<Plan> {
  readonly kind: "replace"
  readonly expectedHash: string
  readonly plan: Plan
  readonly entry: FileEntry | undefined
}

const planChange = Effect.fnUntraced(function* (
  target: FileTarget,
  input: EditInput,
  context: ToolContext
): Effect.fn.Return<Creation | Change<EditPlan>, ToolRefusal, Files | FileState> {
  const files = yield* Files
  const state = yield* FileState
  const content = yield* files
    .read(target.path, { approvedRealPath: target.realPath, maxBytes: LIMITS.editFileBytes })
    .pipe(Effect.mapError(failWith))
  if (input.old_string === "") {
    if (content.bytes.length === 0) return { kind: "create", expectedHash: content.hash }
    return yield* refuse(
      `FileExists: ${target.path} is not empty, so old_string must not be empty. Nothing was written. ` +
        "Use Write to replace all of it."
    )
  }
  const entry = recognise(yield* state.get(target.path), content)
  const plan = planEdit({
    path: target.path,
    bytes: content.bytes,
    hash: content.hash,
    oldString: input.old_string,
    newString: input.new_string,
    replaceAll: input.replace_all ?? false,
    entry,
    policy: state.policy,
    freelyReadable: isFreelyReadable(target, context)
  })
  if (Result.isFailure(plan)) return yield* refuse(plan.failure)
  return { kind: "replace", expectedHash: content.hash, plan: plan.success, entry }
})

const locate = Effect.fnUntraced(function* (input: EditInput, context: ToolContext) {
  const problem = editTool.validate?.(input)
  if (problem !== undefined) return yield* refuse(problem)
  return yield* fileTarget(input.file_path, context, "Nothing was written.")
})

/**
 * Before permission is asked for: refuses what cannot succeed, but says about the file only what the model knows. A
 * file that it never read is not looked into.
 */
const prepare = Effect.fnUntraced(function* (input: EditInput, context: ToolContext) {
  const target = yield* locate(input, context)
  if (!target.exists || input.old_string === "") return
  const state = yield* FileState
  const known = yield* state.get(target.path)
  if (known !== undefined) yield* planChange(target, input, context)
  else if (state.policy === "strict") yield* refuseUnread(target)
})

const entryAfter = (
  target: FileTarget,
  input: EditInput,
  done: { readonly intent: Creation | Change<EditedBody>; readonly written: Written }
): FileEntry => {
  const { intent, written } = done
  const base = {
    path: target.path,
    mtimeMs: written.stat.mtimeMs,
    size: written.stat.size,
    hash: written.hash,
    source: "edit" as const
  }
  if (intent.kind === "create") return { ...base, content: toLf(input.new_string), partial: false }
  const { plan, entry } = intent
  const fits = plan.after.length <= LIMITS.fileCacheBytes
  const seen = entry?.hash === intent.expectedHash ? (entry.seen ?? []) : plan.changes.map((change) => change.lines)
  return {
    ...base,
    content: fits ? toLf(bodyToText(plan.after, plan.encoding)) : "",
    partial: entry?.hash === intent.expectedHash ? entry.partial : true,
    seen: afterChanges(seen, plan.changes)
  }
}

interface Shown {
  readonly windows: ReadonlyArray<ChangeWindow>
  readonly original: string | null
  readonly sentence: string
}

const shownCreation = (target: FileTarget, input: EditInput): Shown => ({
  windows: [textWindow("", toLf(input.new_string), WINDOW_CONTEXT_LINES)],
  original: "",
  sentence: `Created ${target.path}.`
})

const OTHER_CHANGES = "The file was changed by somebody else since you saw it: read it before relying on the rest."

const shownChange = (target: FileTarget, plan: EditedBody): Shown => {
  const count = plan.spans.length
  const others = plan.otherChanges ? ` ${OTHER_CHANGES}` : ""
  return {
    windows: changeWindows(plan, LIMITS.editSnippetLines),
    original: plan.before.length > LIMITS.originalFileBytes ? null : toLf(bodyToText(plan.before, plan.encoding)),
    sentence: `Edited ${target.path}: ${count} ${count === 1 ? "occurrence" : "occurrences"} replaced.${others}`
  }
}

const CREATION: Creation = { kind: "create", expectedHash: null }

const newBytes = (input: EditInput, intent: Creation | Change<EditedBody>): Uint8Array =>
  intent.kind === "create" ? new TextEncoder().encode(input.new_string) : fileOf(intent.plan.after, intent.plan.encoding)

const run = Effect.fnUntraced(function* (input: EditInput, context: ToolContext) {
  const target = yield* locate(input, context)
  if (!target.exists && input.old_string !== "") return yield* missingFile(target, context, "Nothing was written.")
  const planned = target.exists ? yield* planChange(target, input, context) : CREATION
  const intent = planned.kind === "create" ? planned : { ...planned, plan: applyPlan(planned.plan) }
  const files = yield* Files
  const state = yield* FileState
  const written = yield* files
    .write({
      path: target.path,
      bytes: newBytes(input, intent),
      expectedHash: intent.expectedHash,
      approvedRealPath: target.realPath
    })
    .pipe(Effect.mapError(failWith))
  yield* state.record(entryAfter(target, input, { intent, written }))
  const shown = intent.kind === "create" ? shownCreation(target, input) : shownChange(target, intent.plan)
  const output: ToolOutput = {
    data: {
      filePath: target.path,
      oldString: input.old_string,
      newString: input.new_string,
      originalFile: shown.original,
      structuredPatch: yield* hunksOf(shown.windows),
      userModified: false,
      replaceAll: input.replace_all ?? false
    },
    content: intent.kind === "create" ? shown.sentence : `${shown.sentence}\n${numberedSnippet(shown.windows)}`
  }
  return output
})

export const editExecutor: ToolExecutor<EditInput, Files | FileState> = { prepare, run }
