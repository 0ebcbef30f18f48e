import { isAbsolute } from "node:path"
import { Effect } from "effect"
import { newestFirst, RESTORED_FILES, RESTORED_TOKENS_PER_FILE } from "../../core/context/reduction/restore.ts"
import type { Items, RestoredFile } from "../../core/context/sources/source.ts"
import type { JsonObject } from "../../core/domain/json/json-object.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import { Files } from "../../core/ports/Files.ts"
import { entryOf, scanFile } from "../tools/files/read-text.ts"
import { FileState } from "../tools/services/file-state.ts"
import { readingRule } from "./reading-rules.ts"

/** Reads the files again whose text a summary took away. */

const pathsIn = (about: JsonObject | undefined): ReadonlyArray<string> => {
  const paths = about?.["paths"]
  return Array.isArray(paths) ? paths.filter((path): path is string => typeof path === "string" && isAbsolute(path)) : []
}

const datedFiles = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const files = yield* Files
  const found = yield* Effect.forEach(paths, (path) => Effect.option(files.stat(path)))
  return paths.flatMap((path, at) => {
    const stat = found[at]?._tag === "Some" ? found[at].value : undefined
    return stat?.kind === "file" ? [{ path, mtimeMs: stat.mtimeMs }] : []
  })
})

const LINES = { firstLine: 1, maxLines: LIMITS.readLines, maxTokens: RESTORED_TOKENS_PER_FILE, stopWhenFull: false }

/** What the model sees of it now, it knows again: it may edit the file. */
const restore = Effect.fnUntraced(function* (fact: PathFact) {
  const target = { ...fact, wasRelative: false }
  const scanned = yield* scanFile(target, LINES)
  if (scanned.kind !== "text") return []
  const { path } = fact
  const { lines, totalLines } = scanned.page
  yield* (yield* FileState).record({ ...entryOf(target, { file_path: path }, scanned), source: "seeded" })
  return [{ id: path, value: { path, lines, totalLines } satisfies RestoredFile }]
})

export interface Reader {
  readonly permission: PermissionContext
  readonly cwd: string
}

/** What would be asked about, or is denied, is not read without a call. */
export const restoredFiles = Effect.fnUntraced(function* (about: JsonObject | undefined, reader: Reader) {
  const items: Array<Items<"restored">[number]> = []
  for (const { path } of newestFirst(yield* datedFiles(pathsIn(about)))) {
    if (items.length === RESTORED_FILES) break
    const { fact, decision } = yield* readingRule(path, reader)
    if (fact === undefined || decision.verdict !== "allow") continue
    items.push(...(yield* Effect.orElseSucceed(restore(fact), (): Items<"restored"> => [])))
  }
  return items
})
