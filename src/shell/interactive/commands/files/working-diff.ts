import { constants } from "node:fs"
import { lstat, open, readlink } from "node:fs/promises"
import { join } from "node:path"
import type { Env } from "../../../../core/domain/env.ts"
import { bodyOf, bodyToText, detectEncoding } from "../../../../core/domain/text/encoding.ts"
import { toLf } from "../../../../core/domain/text/line-ending.ts"
import type { WorkingFile } from "../../../../tui/model/msg.ts"
import { readBlobs } from "./git-blobs.ts"
import { type GitCall, runGit, withoutFilters } from "../../../system/run-git.ts"

/** How the working tree differs from the last commit: both sides as they are stored, no filter and no driver runs. */

const MOST_FILES = 500
const MOST_FILE_BYTES = 1024 * 1024
const MOST_BYTES = 16 * 1024 * 1024
const GITLINK = "160000"

interface Change {
  readonly path: string
  readonly state: WorkingFile["state"]
  /** Of the side that is committed. */
  readonly blob: string | undefined
  readonly oldPath?: string
  readonly modes?: WorkingFile["modes"]
}

const namesIn = (output: Buffer): ReadonlyArray<string> =>
  output
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "")

const RAW = /^:(\d+) (\d+) ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*$/
const TRACKED_STATES: ReadonlyMap<string, Change["state"]> = new Map([
  ["A", "A"],
  ["D", "D"],
  ["R", "R"]
])

/** `diff-index --raw -z`: a description and its path in turn, of a renamed file two. */
const trackedChanges = (output: Buffer): ReadonlyArray<Change> => {
  const parts = namesIn(output)
  const changes: Array<Change> = []
  for (let at = 0; at < parts.length; at += 2) {
    const [, before = "", after = "", blob, letter = ""] = RAW.exec(parts[at] ?? "") ?? []
    const state = TRACKED_STATES.get(letter) ?? "M"
    const oldPath = state === "R" ? parts[at + 1] : undefined
    if (state === "R") at += 1
    const path = parts[at + 1]
    if (path === undefined || blob === undefined || before === GITLINK || after === GITLINK) continue
    const isKept = state === "M" || state === "R"
    changes.push({
      path,
      state,
      blob: state === "A" ? undefined : blob,
      ...(oldPath === undefined ? {} : { oldPath }),
      ...(isKept && before !== after ? { modes: { before, after } } : {})
    })
  }
  return changes
}

type Repository = Pick<GitCall, "directory" | "env" | "settings">

const hasCommit = (repository: Repository): Promise<boolean> =>
  runGit({ ...repository, args: ["rev-parse", "--quiet", "--verify", "HEAD"] }).then(
    () => true,
    () => false
  )

const LOOKING = ["--raw", "-z", "--find-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"]
const DIFF_INDEX = ["diff-index", ...LOOKING, "HEAD", "--"]

const tracked = async (repository: Repository): Promise<ReadonlyArray<Change>> => {
  if (await hasCommit(repository)) return trackedChanges(await runGit({ ...repository, args: DIFF_INDEX }))
  const names = namesIn(await runGit({ ...repository, args: ["ls-files", "-z"] }))
  return names.map((path) => ({ path, state: "A" as const, blob: undefined }))
}

const untracked = async (repository: Repository): Promise<ReadonlyArray<Change>> => {
  const names = namesIn(await runGit({ ...repository, args: ["ls-files", "--others", "--exclude-standard", "-z"] }))
  return names.filter((path) => !path.endsWith("/")).map((path) => ({ path, state: "?" as const, blob: undefined }))
}

/** A text as it is stored; undefined for anything else. */
const textOf = (bytes: Uint8Array | undefined): string | undefined => {
  const encoding = bytes === undefined ? "binary" : detectEncoding(bytes)
  const body = bytes === undefined || encoding === "binary" ? undefined : bodyOf(bytes, encoding)
  return body === undefined || encoding === "binary" ? undefined : bodyToText(body, encoding)
}

/** Git keeps LF of what it writes as CRLF into the tree: that is not a change, and no part of a patch. */
const asCommitted = (after: string | undefined, before: string | undefined): string | undefined =>
  after === undefined || before === undefined || before.includes("\r\n") ? after : toLf(after)

type Side =
  | { readonly _tag: "Read"; readonly bytes: Uint8Array }
  | { readonly _tag: "Gone" }
  /** Too large, or no regular file. */
  | { readonly _tag: "Unreadable" }

/** A link is its target, as git keeps it; nothing is followed and no device is opened. */
const readSide = async (path: string): Promise<Side> => {
  const stats = await lstat(path).catch(() => undefined)
  if (stats === undefined) return { _tag: "Gone" }
  if (stats.isSymbolicLink()) return { _tag: "Read", bytes: Buffer.from(await readlink(path)) }
  if (!stats.isFile() || stats.size > MOST_FILE_BYTES) return { _tag: "Unreadable" }
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return { _tag: "Read", bytes: await file.readFile() }
  } finally {
    await file.close()
  }
}

const isSameBytes = (left: Uint8Array | undefined, right: Uint8Array): boolean =>
  left !== undefined && Buffer.compare(left, right) === 0

type Sides = Pick<WorkingFile, "before" | "after" | "unseen">

/** Both texts, or why there is none. One side alone would look as if all of it had come or gone. */
const sidesOf = (stored: Buffer | undefined, bytes: Uint8Array | undefined, hasBlob: boolean): Sides => {
  const before = textOf(stored)
  const after = asCommitted(textOf(bytes), before)
  const isShowable = (!hasBlob || before !== undefined) && (bytes === undefined || after !== undefined)
  if (isShowable) return { before, after }
  return { before: undefined, after: undefined, unseen: hasBlob && stored === undefined ? "large" : "binary" }
}

const fileOf = async (
  root: string,
  change: Change,
  blobs: ReadonlyMap<string, Buffer>
): Promise<WorkingFile | undefined> => {
  const { path, state, blob, oldPath, modes } = change
  const stored = blob === undefined ? undefined : blobs.get(blob)
  const named = {
    path: join(root, path),
    state,
    ...(oldPath === undefined ? {} : { oldPath: join(root, oldPath) }),
    ...(modes === undefined ? {} : { modes })
  }
  const side: Side =
    state === "D" ? { _tag: "Gone" } : await readSide(named.path).catch((): Side => ({ _tag: "Unreadable" }))
  if (side._tag === "Unreadable") return { ...named, before: undefined, after: undefined, unseen: "large" }
  if (side._tag === "Gone") {
    if (blob === undefined) return undefined
    return {
      path: oldPath === undefined ? named.path : join(root, oldPath),
      state: "D",
      ...sidesOf(stored, undefined, true)
    }
  }
  const isSame = isSameBytes(stored, side.bytes)
  if (isSame && state === "M" && modes === undefined) return undefined
  const sides: Sides =
    isSame && textOf(stored) === undefined
      ? { before: undefined, after: undefined, unseen: "binary" }
      : sidesOf(stored, side.bytes, blob !== undefined)
  if (state === "M" && modes === undefined && sides.unseen === undefined && sides.before === sides.after) return undefined
  return { ...named, ...sides }
}

export interface WorkingDiff {
  readonly files: ReadonlyArray<WorkingFile>
  /** Changed files that were left out because there are too many. */
  readonly leftOut: number
}

export const loadWorkingDiff = async (directory: string, env: Env): Promise<WorkingDiff> => {
  const top = await runGit({ directory, env, args: ["rev-parse", "--show-toplevel"] })
  const root = top.toString("utf8").replace(/\n$/, "")
  const repository: Repository = { directory: root, env, settings: await withoutFilters({ directory: root, env }) }
  const changes = [...(await tracked(repository)), ...(await untracked(repository))]
  const shown = changes.slice(0, MOST_FILES)
  const ids = [...new Set(shown.flatMap(({ blob }) => blob ?? []))]
  const blobs = await readBlobs(repository, ids, { eachBytes: MOST_FILE_BYTES, allBytes: MOST_BYTES })
  const files: Array<WorkingFile> = []
  let bytes = 0
  for (const change of shown) {
    const file = await fileOf(root, change, blobs)
    if (file === undefined) continue
    bytes += (file.before?.length ?? 0) + (file.after?.length ?? 0)
    files.push(bytes > MOST_BYTES ? { ...file, before: undefined, after: undefined } : file)
  }
  return { files, leftOut: changes.length - shown.length }
}
