import { Effect } from "effect"
import type { ChangedFileValue, Items } from "../../core/context/sources/source.ts"
import { LIMITS } from "../../core/domain/limits.ts"
import { type FileContent, Files } from "../../core/ports/Files.ts"
import { textWindow } from "../../core/tools/files/change-windows.ts"
import { entriesOf, type FileEntry } from "../../core/tools/files/file-cache.ts"
import { presentText, recognise } from "../../core/tools/files/match-read-content.ts"
import { numberLines } from "../../core/tools/files/snippet.ts"
import { type Hunk, hunksOf, WINDOW_CONTEXT_LINES } from "../tools/files/change-hunks.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import type { FactPorts } from "../facts/gather-facts.ts"
import { FileState } from "../tools/services/file-state.ts"
import { readingRule } from "./reading-rules.ts"

/** Larger files are not compared: whoever needs them reads them again. */
const MOST_BYTES = 4 * 1024 * 1024

const linesNow = ({ newStart, lines }: Hunk): string =>
  numberLines(
    lines.filter((line) => !line.startsWith("-") && !line.startsWith("\\")).map((line) => line.slice(1)),
    newStart
  )

const BETWEEN = "\n...\n"

interface Shown {
  readonly snippet: string
  /** What the model knows afterwards. */
  readonly entry: FileEntry
}

/** The changed lines as they are now; undefined when they are too many, or what was there before is not known. */
const shownOf = Effect.fnUntraced(function* (entry: FileEntry, { bytes, hash, stat }: FileContent) {
  const { recalled, ...known } = entry
  const text = presentText(bytes)
  if (text === undefined || known.content === "" || recalled?.isWhole === false) return undefined
  const hunks = yield* hunksOf([textWindow(known.content, text, WINDOW_CONTEXT_LINES)])
  const snippet = hunks.map(linesNow).join(BETWEEN)
  if (snippet === "" || snippet.length > LIMITS.editSnippetChars) return undefined
  // Where lines that were seen moved to is not worked out.
  const seen = hunks.map(({ newStart, newLines }) => ({ first: newStart, last: newStart + newLines - 1 }))
  const shown: Shown = { snippet, entry: { ...known, content: text, hash, mtimeMs: stat.mtimeMs, size: stat.size, seen } }
  return shown
})

export interface ChangedFilesLook {
  readonly permission: PermissionContext
  readonly cwd: string
}

/** Its words are shown only where reading them needs no approval: a link may stand in the place of the file. */
const changeOf = Effect.fnUntraced(function* (entry: FileEntry, look: ChangedFilesLook) {
  const files = yield* Files
  const { path, hash: knownHash } = entry
  const { fact, decision } = yield* readingRule(path, look)
  if (fact === undefined || decision.verdict !== "allow") return undefined
  const file = yield* files.read(path, { approvedRealPath: fact.realPath, maxBytes: MOST_BYTES })
  if (recognise(entry, file)?.hash === file.hash) return undefined
  const shown = yield* shownOf(entry, file)
  const value: ChangedFileValue = { path, knownHash, hash: file.hash }
  if (shown === undefined) return value
  const state = yield* FileState
  yield* state.record(shown.entry)
  return { ...value, snippet: shown.snippet }
})

/** Files that tools of ours wrote and that hold something else now. A file that was only read is nobody's news. */
export const lookAtChangedFiles = Effect.fnUntraced(function* (
  look: ChangedFilesLook
): Effect.fn.Return<Items<"changed_files">, never, FactPorts | FileState> {
  const files = yield* Files
  const state = yield* FileState
  const ours = entriesOf(yield* state.snapshot).filter(({ isOurs }) => isOurs === true)
  if (ours.length === 0) return []
  const found = yield* files.present(ours.map(({ path }) => path))
  const touched = ours.filter(({ size, mtimeMs }, index) => {
    const here = found[index]
    return here?.kind === "file" && (here.size !== size || here.mtimeMs !== mtimeMs)
  })
  const values = yield* Effect.forEach(touched, (entry) => Effect.orElseSucceed(changeOf(entry, look), () => undefined))
  return values.flatMap((value) => (value === undefined ? [] : [{ id: value.path, value }]))
})
