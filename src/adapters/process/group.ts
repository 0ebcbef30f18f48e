/** Process groups: who lives in one, and how one is ended for certain. */
import { readdirSync, readFileSync } from "node:fs"
import { Deferred, Effect, Fiber, Option } from "effect"
import { LIMITS } from "../../core/domain/limits.ts"

export interface Group {
  /** Pid of the first process and, because it leads a new session, number of the group. */
  readonly id: number
  /** The first process only confines: the command is in a session of its own below it. */
  readonly confined: boolean
  readonly leaderEnd: Deferred.Deferred<void>
  escalation: Fiber.Fiber<void> | undefined
}

const POLL_MS = 20
/** How long the kernel may take to remove a killed group; longer only in uninterruptible I/O. */
const AFTER_KILL_MS = 1_000

const ESCALATION: ReadonlyArray<readonly [NodeJS.Signals, number]> = [
  ["SIGINT", LIMITS.cancelTermMs],
  ["SIGTERM", LIMITS.cancelKillMs],
  ["SIGKILL", AFTER_KILL_MS]
]

export const makeGroup = (id: number, confined = false): Group => ({
  id,
  confined,
  leaderEnd: Deferred.makeUnsafe(),
  escalation: undefined
})

/** The group of a confined command: that of the only child of the process that confines it. */
const innerGroup = (id: number): number | undefined => {
  try {
    const [child] = readFileSync(`/proc/${id}/task/${id}/children`, "latin1").split(" ")
    return child === undefined || child === "" ? undefined : Number(child)
  } catch {
    return undefined
  }
}

/**
 * A request to end goes to the confined command and not to the one that confines it, which would take the whole sandbox
 * with it at once. SIGKILL is meant to do exactly that.
 */
const addressee = (group: Group, signal: NodeJS.Signals | 0): number =>
  group.confined && (signal === "SIGINT" || signal === "SIGTERM") ? (innerGroup(group.id) ?? group.id) : group.id

export const signalGroup = (group: Group, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-addressee(group, signal), signal)
    return true
  } catch (cause) {
    // EPERM means that somebody is there whom we may not signal.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** State and group of one entry of /proc; the name in parentheses may itself hold blanks and parentheses. */
const readStat = (pid: string): { readonly state: string; readonly group: number } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return state === undefined ? undefined : { state, group: Number(group) }
  } catch {
    return undefined
  }
}

/** Dead members that nobody reaps (a container without init) still answer signals; only /proc tells them apart. */
const onlyZombiesLeft = (group: Group): boolean => {
  if (process.platform !== "linux") return false
  try {
    return !readdirSync("/proc").some((entry) => {
      const code = entry.charCodeAt(0)
      if (code < 48 || code > 57) return false
      const stat = readStat(entry)
      return stat !== undefined && stat.group === group.id && stat.state !== "Z" && stat.state !== "X"
    })
  } catch {
    return false
  }
}

/** Cheap and never wrong about a dead group, except that one of unreaped zombies passes for living. */
export const mayLive = (group: Group): boolean => !Deferred.isDoneUnsafe(group.leaderEnd) || signalGroup(group, 0)

const isLiving = (group: Group): boolean =>
  !Deferred.isDoneUnsafe(group.leaderEnd) || (signalGroup(group, 0) && !onlyZombiesLeft(group))

const awaitGone = Effect.fnUntraced(function* (group: Group) {
  yield* Deferred.await(group.leaderEnd)
  while (isLiving(group)) yield* Effect.sleep(POLL_MS)
})

const escalate = Effect.fnUntraced(function* (group: Group) {
  for (const [signal, graceMs] of ESCALATION) {
    if (signal !== "SIGINT") signalGroup(group, signal)
    if (Option.isSome(yield* Effect.timeoutOption(awaitGone(group), graceMs))) return
  }
})

/** The first signal leaves before this returns; the rest goes on in its own fiber whoever is interrupted. */
export const beginEnd = (group: Group): Effect.Effect<Fiber.Fiber<void>> =>
  Effect.suspend(() => {
    if (group.escalation !== undefined) return Effect.succeed(group.escalation)
    if (mayLive(group)) signalGroup(group, "SIGINT")
    return Effect.forkDetach(escalate(group)).pipe(
      Effect.tap((fiber) =>
        Effect.sync(() => {
          group.escalation = fiber
        })
      ),
      Effect.uninterruptible
    )
  })

export const endGroup = (group: Group): Effect.Effect<void> =>
  Effect.flatMap(beginEnd(group), (fiber) => Effect.asVoid(Fiber.await(fiber)))
