/** Every group that may still live. Nothing is removed on hope: only when the kernel says that the group is gone. */
import { Effect, Option } from "effect"
import { beginEnd, type Group, endGroup, makeGroup, mayLive, signalGroup } from "./group.ts"

/** Longer than the whole escalation. */
const SHUTDOWN_MS = 5_000

export interface Registry {
  readonly isClosed: () => boolean
  readonly add: (pid: number, confined: boolean) => Group
  /** Forgets groups that have ended; those whose first process left others behind stay until shutdown. */
  readonly prune: () => void
  readonly shutdown: Effect.Effect<void>
  readonly killAllNow: () => void
}

export const makeRegistry = (): Registry => {
  const groups = new Set<Group>()
  let closed = false

  const prune = (): void => {
    for (const group of groups) if (!mayLive(group)) groups.delete(group)
  }

  const killAllNow = (): void => {
    closed = true
    prune()
    for (const group of groups) signalGroup(group, "SIGKILL")
  }

  return {
    isClosed: () => closed,
    add: (pid, confined) => {
      const group = makeGroup(pid, confined)
      groups.add(group)
      return group
    },
    prune,
    shutdown: Effect.suspend(() => {
      closed = true
      prune()
      const living = [...groups]
      return Effect.forEach(living, beginEnd, { discard: true }).pipe(
        Effect.andThen(Effect.forEach(living, endGroup, { concurrency: "unbounded", discard: true })),
        Effect.timeoutOption(SHUTDOWN_MS),
        Effect.flatMap((done) => Effect.sync(Option.isSome(done) ? prune : killAllNow))
      )
    }),
    killAllNow
  }
}
