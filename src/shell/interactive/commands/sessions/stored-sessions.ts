import { readdir } from "node:fs/promises"
import { basename, join } from "node:path"
import { Effect } from "effect"
import { isText } from "../../../../core/domain/block.ts"
import { blocksOf, type Message } from "../../../../core/domain/message.ts"
import { lookupMessage, Records } from "../../../../core/ports/Records.ts"
import { messageOf as messageIn } from "../../../../core/session/transcript/message-line.ts"
import { readLine } from "../../../../core/session/transcript/record.ts"
import type { SessionFile, SessionRow } from "../../../../core/session/row.ts"
import { isSessionId } from "../../../../core/session/slug.ts"
import { commandLine, speakerOf, spokenText } from "../../../../core/session/speaker.ts"
import type { StoredSession } from "../../../../tui/model/msg.ts"
import type { PerformContext } from "../context/command-context.ts"
import { readTail } from "../../../system/private-file.ts"
import { worktreesOf } from "./worktrees.ts"

/** Sessions on disk for the browser: those of this directory first, then all others. */

const MOST_OTHERS = 2_000
const PARALLEL = 16

export const isBrowsable = (row: SessionRow): boolean => row.hasMessages && !row.isSidechain && !row.isLoop

const storedOf = (row: SessionRow, live: ReadonlySet<string>, isNear: boolean): StoredSession => ({
  sessionId: row.sessionId,
  title: row.summary ?? "(no title)",
  cwd: row.cwd ?? "",
  branch: row.gitBranch ?? undefined,
  modifiedAt: row.modifiedMs,
  sizeBytes: row.size,
  firstPrompt: row.firstPrompt ?? "",
  lastPrompt: row.lastPrompt ?? "",
  prLinks: row.prLinks,
  tag: row.tag ?? undefined,
  isLive: live.has(row.sessionId),
  isInterrupted: row.isInterrupted,
  isHeadless: row.kind === "headless",
  isNear,
  forkOf: row.forkedFrom ?? undefined
})

const liveIds = Effect.gen(function* () {
  const records = yield* Records
  const live = yield* records.live
  return new Set(live.map(({ sessionId }) => sessionId))
})

const namesIn = (directory: string): Promise<ReadonlyArray<string>> => readdir(directory).catch(() => [])

export const transcriptsBelow = async (projects: string): Promise<ReadonlyArray<string>> => {
  const directories = (await namesIn(projects)).map((name) => join(projects, name))
  const lists = await Promise.all(
    directories.map(async (directory) => (await namesIn(directory)).map((name) => join(directory, name)))
  )
  return lists.flat().filter((path) => path.endsWith(".jsonl") && isSessionId(basename(path, ".jsonl")))
}

const newestOf = (files: ReadonlyArray<SessionFile>): ReadonlyArray<SessionFile> =>
  files.toSorted((left, right) => right.modifiedMs - left.modifiedMs).slice(0, MOST_OTHERS)

const rowsElsewhere = Effect.fnUntraced(function* (configHome: string, known: ReadonlySet<string>) {
  const records = yield* Records
  const paths = yield* Effect.promise(() => transcriptsBelow(join(configHome, "projects")))
  const others = paths.filter((path) => !known.has(path))
  const files = yield* Effect.forEach(others, (path) => Effect.option(records.fileAt(path)), { concurrency: PARALLEL })
  const present = newestOf(files.flatMap((file) => (file._tag === "Some" ? [file.value] : [])))
  const rows = yield* Effect.forEach(present, (file) => Effect.option(records.row(file)), { concurrency: PARALLEL })
  return rows.flatMap((row) => (row._tag === "Some" ? [row.value] : []))
})

/** Tells twice: at once what lies near, then everything. */
export const listSessions = ({ plan, tell, attempt, withPorts }: PerformContext): void =>
  attempt("the sessions could not be listed", async () => {
    const near = Effect.all([Records.use((records) => records.list(worktreesOf(plan.cwd))), liveIds])
    const [rows, live] = await withPorts(near)
    const own = rows.filter(isBrowsable).map((row) => storedOf(row, live, true))
    tell({ _tag: "SessionsListed", sessions: own })
    const others = await withPorts(rowsElsewhere(plan.configHome, new Set(rows.map(({ path }) => path))))
    const all = [...own, ...others.filter(isBrowsable).map((row) => storedOf(row, live, false))]
    tell({ _tag: "SessionsListed", sessions: all })
  })

const PREVIEW_BYTES = 256 * 1024
const PREVIEW_LINES = 40
const LINE_CHARS = 400

const saidBy = (message: Message): ReadonlyArray<string> => {
  if (message.type === "assistant") {
    return blocksOf(message.message.content)
      .filter(isText)
      .flatMap(({ text }) => text.trim().split("\n"))
  }
  if (message.type !== "user") return []
  switch (speakerOf(message)) {
    case "prompt":
      return spokenText(message)
        .split("\n")
        .map((line) => `> ${line}`)
    case "command":
      return [`> ${commandLine(message)}`]
    default:
      return []
  }
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The last words of a transcript; only the end of the file is read. */
export const previewLines = (path: string): ReadonlyArray<string> => {
  const spoken = readTail(path, PREVIEW_BYTES)
    .text.split("\n")
    .flatMap((line) => {
      const read = readLine(parse(line))
      const message = read?._tag === "Chain" && !read.links.isSidechain ? messageIn(read.raw) : null
      const lines = message === null ? [] : saidBy(message).filter((each) => each !== "")
      return lines.length === 0 ? [] : ["", ...lines]
    })
  const shown = spoken
    .slice(1)
    .slice(-PREVIEW_LINES)
    .map((line) => line.slice(0, LINE_CHARS))
  return shown.length === 0 ? ["nothing was said yet"] : shown
}

export const previewSession = (context: PerformContext, sessionId: string): void =>
  context.attempt("the session cannot be shown", async () => {
    const { plan, tell } = context
    const found = await context.withPorts(Records.use((records) => records.findById(sessionId, [plan.cwd])))
    const lines = found._tag === "Found" ? previewLines(found.file.path) : [lookupMessage(sessionId, found)]
    tell({ _tag: "SessionPreviewed", sessionId, lines })
  })
