import fs from "node:fs"
import path from "node:path"
import { Effect } from "effect"
import type { LiveHandle, LiveSession } from "../../core/ports/Records.ts"
import { rawOf, type JsonObject } from "../../core/domain/json/json-object.ts"
import { isAlive } from "../system/process-alive.ts"
import { CREATE_FLAGS, PRIVATE_FILE, requirePrivateDirectory } from "./guard.ts"
import type { Places } from "./paths.ts"

/** Which processes have which session open: one small file per process, `<pid>.json`. */
const NAME = /^(\d+)\.json$/

/**
 * When a process started, as the kernel counts it; tells a process from a later one with the same number. Only Linux
 * says so; elsewhere the number alone must do.
 */
const startTicks = (pid: number): string | null => {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null
  } catch {
    return null
  }
}

const holds = (pid: number, entry: JsonObject): boolean => {
  if (!isAlive(pid)) return false
  const ticks = entry["nacreProcessStart"]
  return typeof ticks !== "string" || (startTicks(pid) ?? ticks) === ticks
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise)

const sessionOf = (pid: number, entry: JsonObject): LiveSession | null => {
  const { sessionId, kind, name, startedAt } = entry
  if (typeof sessionId !== "string") return null
  return {
    pid,
    sessionId,
    cwd: textOr(entry["cwd"], ""),
    startedAt: typeof startedAt === "number" ? startedAt : 0,
    version: textOr(entry["version"], ""),
    kind: kind === "bg" || kind === "headless" ? kind : "interactive",
    status: textOr(entry["status"], "idle"),
    ...(typeof name === "string" ? { name } : {})
  }
}

const readEntry = (place: string): JsonObject => {
  try {
    return rawOf(JSON.parse(fs.readFileSync(place, "utf8"))) ?? {}
  } catch {
    return {}
  }
}

interface Holder {
  readonly place: string
  readonly pid: number
  readonly entry: JsonObject
}

const namesIn = (directory: string): ReadonlyArray<string> => {
  try {
    return fs.readdirSync(directory)
  } catch {
    return []
  }
}

const holdersIn = (places: Places): ReadonlyArray<Holder> =>
  namesIn(places.sessions).flatMap((name) => {
    const pid = Number(NAME.exec(name)?.[1])
    if (!Number.isSafeInteger(pid) || pid <= 0) return []
    const place = path.join(places.sessions, name)
    return [{ place, pid, entry: readEntry(place) }]
  })

/** Sessions of running processes; whoever did not clean up behind itself is not among them. */
export const liveSessions = (places: Places): ReadonlyArray<LiveSession> =>
  holdersIn(places).flatMap(({ pid, entry }) => (holds(pid, entry) ? (sessionOf(pid, entry) ?? []) : []))

const clearLeftovers = (places: Places): void => {
  for (const { place, pid, entry } of holdersIn(places)) if (!holds(pid, entry)) fs.rmSync(place, { force: true })
}

/** Replaces the entry as a whole, so that a reader never sees half of it. */
const writeEntry = (places: Places, session: LiveSession): string => {
  const place = path.join(places.sessions, `${session.pid}.json`)
  const draft = path.join(places.sessions, `.${session.pid}.json.new`)
  const ticks = startTicks(session.pid)
  fs.rmSync(draft, { force: true })
  const fd = fs.openSync(draft, CREATE_FLAGS, PRIVATE_FILE)
  try {
    fs.writeSync(fd, JSON.stringify({ ...session, ...(ticks === null ? {} : { nacreProcessStart: ticks }) }))
  } finally {
    fs.closeSync(fd)
  }
  fs.renameSync(draft, place)
  return place
}

export const announceSession = (places: Places, session: LiveSession): LiveHandle => {
  requirePrivateDirectory(places.home, places.sessions)
  clearLeftovers(places)
  const place = writeEntry(places, session)
  let current = session
  let removed = false
  return {
    update: (patch) =>
      Effect.try(() => {
        if (removed) return
        current = { ...current, ...patch }
        writeEntry(places, current)
      }).pipe(Effect.ignore),
    removeNow: () => {
      removed = true
      fs.rmSync(place, { force: true })
    }
  }
}

export const holderOf = (places: Places, sessionId: string): LiveSession | null =>
  liveSessions(places).find((session) => session.sessionId === sessionId && session.pid !== process.pid) ?? null
