import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Effect, Result, Schema } from "effect"
import { lookupMessage, Records } from "../../../../core/ports/Records.ts"
import { isSessionId } from "../../../../core/session/slug.ts"
import { sessionDirOf } from "../../../plan/session-plan.ts"
import type { PerformContext } from "../context/command-context.ts"

/** Deleted sessions lie in a trash for a while, with what lies beside them and where they came from. */

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000
const NOTE = "from.json"
const OWNER_ONLY = 0o700

const Note = Schema.Struct({ path: Schema.String, deletedAt: Schema.Number })
const decodeNote = Schema.decodeUnknownResult(Schema.fromJsonString(Note))

const trashOf = (configHome: string): string => join(configHome, "nacre", "trash")

const readNote = (place: string): typeof Note.Type | undefined => {
  try {
    const note = decodeNote(readFileSync(join(place, NOTE), "utf8"))
    return Result.isSuccess(note) ? note.success : undefined
  } catch {
    return undefined
  }
}

/** A rename where that is possible; across file systems a copy, and only then the original goes. */
const move = (from: string, to: string): void => {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error
    cpSync(from, to, { recursive: true, preserveTimestamps: true })
    rmSync(from, { recursive: true })
  }
}

/** Takes away what has been in the trash for too long. */
export const sweepTrash = (configHome: string, now: number): void => {
  const trash = trashOf(configHome)
  if (!existsSync(trash)) return
  for (const name of readdirSync(trash)) {
    const note = isSessionId(name) ? readNote(join(trash, name)) : undefined
    if (note !== undefined && now - note.deletedAt > KEPT_MS) {
      rmSync(join(trash, name), { recursive: true, force: true })
    }
  }
}

export const moveToTrash = (configHome: string, path: string, now: number): void => {
  const place = join(trashOf(configHome), basename(path, ".jsonl"))
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true, mode: OWNER_ONLY })
  writeFileSync(join(place, NOTE), `${JSON.stringify({ path, deletedAt: now })}\n`, { mode: 0o600 })
  const beside = sessionDirOf(path)
  if (existsSync(beside)) move(beside, join(place, basename(beside)))
  move(path, join(place, basename(path)))
}

/** Why it cannot be brought back; undefined when it was. */
export const restoreFromTrash = (configHome: string, sessionId: string): string | undefined => {
  const place = join(trashOf(configHome), sessionId)
  const note = isSessionId(sessionId) ? readNote(place) : undefined
  if (note === undefined) return "that session is not in the trash any more"
  if (existsSync(note.path)) return `${note.path} exists again`
  mkdirSync(dirname(note.path), { recursive: true, mode: OWNER_ONLY })
  const beside = join(place, basename(sessionDirOf(note.path)))
  if (existsSync(beside) && !existsSync(sessionDirOf(note.path))) move(beside, sessionDirOf(note.path))
  move(join(place, basename(note.path)), note.path)
  rmSync(place, { recursive: true, force: true })
  return undefined
}

/** The file of a session that nobody has open, or why not. */
const closedSession = Effect.fnUntraced(function* (
  cwd: string,
  sessionId: string
): Effect.fn.Return<string, string, Records> {
  const records = yield* Records
  const found = yield* records.findById(sessionId, [cwd])
  if (found._tag !== "Found") return yield* Effect.fail(lookupMessage(sessionId, found))
  const holder = yield* records.holder(sessionId)
  if (holder !== null) return yield* Effect.fail(`that session is open in process ${holder.pid}. Fix: close it there`)
  return found.file.path
})

/** What went wrong is reported, and the list is read again: it was changed before anything happened. */
const orTellWhy = (context: PerformContext, problem: string): void => {
  context.notice(problem, "error")
  void import("./stored-sessions.ts").then(({ listSessions }) => listSessions(context))
}

export const deleteSession = (context: PerformContext, sessionId: string): void =>
  context.attempt("the session was not deleted", async () => {
    const { plan, sessions, notice } = context
    if (sessions.get(sessionId) !== undefined) return orTellWhy(context, "that session is open here; close it first")
    const closed = await context.withPorts(Effect.result(closedSession(plan.cwd, sessionId)))
    if (Result.isFailure(closed)) return orTellWhy(context, `not deleted: ${closed.failure}`)
    sweepTrash(plan.configHome, Date.now())
    moveToTrash(plan.configHome, closed.success, Date.now())
    notice("deleted; u brings it back", "success")
  })

export const restoreSession = (context: PerformContext, sessionId: string): void =>
  context.attempt("the session was not brought back", async () => {
    const problem = restoreFromTrash(context.plan.configHome, sessionId)
    if (problem === undefined) context.notice("the session is back", "success")
    else orTellWhy(context, `not brought back: ${problem}`)
  })
