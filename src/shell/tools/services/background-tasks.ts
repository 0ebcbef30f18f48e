/**
 * The background shells of a session: running ones, ended ones, and the one notice that each of them gives. A
 * foreground command registers here too, so that the user can send it to the background while it runs.
 */
import { Context, Data, Deferred, Effect, Layer, Queue, Random, type Scope } from "effect"
import type { CommandExit, RunningCommand } from "../../../core/ports/Process.ts"
import type { CallId } from "../../../core/domain/id.ts"
import { exitCodeOf } from "../../../core/tools/bash/exit.ts"

export type EndedStatus = "completed" | "failed" | "killed"

export interface TaskView {
  readonly taskId: string
  readonly callId: CallId
  readonly command: string
  readonly outputPath: string
  readonly status: "running" | EndedStatus
  /** As a shell reports it; null while the task runs. */
  readonly exitCode: number | null
  readonly totalBytes: number
}

/** Told once per task, when its first process has ended. */
export interface TaskNotice {
  readonly taskId: string
  readonly callId: CallId
  readonly command: string
  readonly outputPath: string
  readonly status: EndedStatus
  readonly exitCode: number
}

export interface TaskStart {
  readonly taskId: string
  readonly callId: CallId
  readonly command: string
}

export class UnknownTask extends Data.TaggedError("UnknownTask")<{
  readonly taskId: string
  readonly running: ReadonlyArray<TaskView>
}> {}

export interface TaskTail {
  readonly task: TaskView
  readonly tail: string
}

interface Task extends TaskStart {
  readonly process: RunningCommand
  readonly ended: Deferred.Deferred<TaskNotice>
  stopping: boolean
  notice: TaskNotice | undefined
}

export class BackgroundTasks extends Context.Service<
  BackgroundTasks,
  {
    /** A fresh task id; the letter says that it is a shell. */
    readonly newId: Effect.Effect<string>
    /** Takes over a running command; from now on it belongs to the session. */
    readonly adopt: (process: RunningCommand, start: TaskStart) => Effect.Effect<TaskView>
    readonly list: Effect.Effect<ReadonlyArray<TaskView>>
    readonly find: (taskId: string) => Effect.Effect<TaskView, UnknownTask>
    readonly awaitEnd: (taskId: string) => Effect.Effect<void, UnknownTask>
    readonly output: (taskId: string, maxBytes: number) => Effect.Effect<TaskTail, UnknownTask>
    /** Ends the whole group and waits for it; an ended task stays as it is. */
    readonly stop: (taskId: string) => Effect.Effect<TaskView, UnknownTask>
    /** Every task gives exactly one notice. There is one reader: the driver. */
    readonly notices: Queue.Dequeue<TaskNotice>
    /** Succeeds when the user wants the call in the background; waits for ever otherwise. */
    readonly moveRequested: (callId: CallId) => Effect.Effect<void>
    /** Asks a foreground command to move; false when the call runs none. */
    readonly moveToBackground: (callId: CallId) => Effect.Effect<boolean>
    /** Gives running tasks so much time to end by themselves, then ends them. */
    readonly shutdown: (graceMs: number) => Effect.Effect<void>
  }
>()("nacre/shell/BackgroundTasks") {}

const ID_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"

const newId = Effect.map(
  Effect.all(Array.from({ length: 8 }, () => Random.nextIntBetween(0, ID_ALPHABET.length, { halfOpen: true }))),
  (digits) => `b${digits.map((digit) => ID_ALPHABET[digit]).join("")}`
)

const noticeOf = (task: Task, exit: CommandExit): TaskNotice => {
  const status = task.stopping ? "killed" : exit.code === 0 ? "completed" : "failed"
  const { taskId, callId, command } = task
  return { taskId, callId, command, outputPath: task.process.outputPath, status, exitCode: exitCodeOf(exit) }
}

const viewOf = (task: Task): Effect.Effect<TaskView> =>
  Effect.map(task.process.snapshot, ({ totalBytes }) => ({
    taskId: task.taskId,
    callId: task.callId,
    command: task.command,
    outputPath: task.process.outputPath,
    status: task.notice?.status ?? "running",
    exitCode: task.notice?.exitCode ?? null,
    totalBytes
  }))

const stopTask = (task: Task): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (task.notice !== undefined) return Effect.void
    task.stopping = true
    return Effect.andThen(task.process.cancel, Deferred.await(task.ended))
  })

/** Ended tasks that can still be asked about; their output stays on disk. The oldest go first. */
export const MOST_ENDED_TASKS = 200

const forgetOldest = (tasks: Map<string, Task>): void => {
  const ended = [...tasks.values()].filter(({ notice }) => notice !== undefined)
  for (const { taskId } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED_TASKS))) tasks.delete(taskId)
}

const makeTable = (notices: Queue.Enqueue<TaskNotice>, scope: Scope.Scope) => {
  const tasks = new Map<string, Task>()
  const views = Effect.suspend(() => Effect.forEach([...tasks.values()], viewOf))
  const running = Effect.suspend(() =>
    Effect.forEach(
      [...tasks.values()].filter((task) => task.notice === undefined),
      viewOf
    )
  )
  const get = (taskId: string): Effect.Effect<Task, UnknownTask> =>
    Effect.suspend(() => {
      const task = tasks.get(taskId)
      if (task !== undefined) return Effect.succeed(task)
      return Effect.flatMap(running, (list) => Effect.fail(new UnknownTask({ taskId, running: list })))
    })
  const watch = Effect.fnUntraced(function* (task: Task) {
    const notice = noticeOf(task, yield* task.process.exit)
    task.notice = notice
    Deferred.doneUnsafe(task.ended, Effect.succeed(notice))
    yield* Queue.offer(notices, notice)
    forgetOldest(tasks)
  })
  const adopt = Effect.fnUntraced(function* (process: RunningCommand, start: TaskStart) {
    const task: Task = { ...start, process, ended: Deferred.makeUnsafe(), stopping: false, notice: undefined }
    tasks.set(task.taskId, task)
    yield* process.toBackground
    yield* Effect.forkIn(watch(task), scope)
    return yield* viewOf(task)
  }, Effect.uninterruptible)
  const shutdown = Effect.fnUntraced(function* (graceMs: number) {
    const living = [...tasks.values()].filter((task) => task.notice === undefined)
    const allEnded = Effect.forEach(living, (task) => Deferred.await(task.ended), {
      concurrency: "unbounded",
      discard: true
    })
    yield* Effect.timeoutOption(allEnded, graceMs)
    yield* Effect.forEach(living, stopTask, { concurrency: "unbounded", discard: true })
  })
  return { views, get, adopt, shutdown }
}

/** Foreground calls that may be moved, by the id of the call. */
const makeMoves = () => {
  const waiting = new Map<CallId, Deferred.Deferred<void>>()
  return {
    moveRequested: (callId: CallId) =>
      Effect.suspend(() => {
        const asked = Deferred.makeUnsafe<void>()
        waiting.set(callId, asked)
        return Effect.ensuring(
          Deferred.await(asked),
          Effect.sync(() => waiting.delete(callId))
        )
      }),
    moveToBackground: (callId: CallId) =>
      Effect.sync(() => {
        const asked = waiting.get(callId)
        return asked !== undefined && Deferred.doneUnsafe(asked, Effect.void)
      })
  }
}

const make = Effect.gen(function* () {
  const notices = yield* Queue.unbounded<TaskNotice>()
  const table = makeTable(notices, yield* Effect.scope)
  return BackgroundTasks.of({
    newId,
    adopt: table.adopt,
    list: table.views,
    find: (taskId) => Effect.flatMap(table.get(taskId), viewOf),
    awaitEnd: (taskId) => Effect.flatMap(table.get(taskId), (task) => Effect.asVoid(Deferred.await(task.ended))),
    output: Effect.fnUntraced(function* (taskId: string, maxBytes: number) {
      const task = yield* table.get(taskId)
      const tail = yield* Effect.orElseSucceed(task.process.readTail(maxBytes), () => "")
      return { task: yield* viewOf(task), tail }
    }),
    stop: (taskId) => Effect.flatMap(table.get(taskId), (task) => Effect.andThen(stopTask(task), viewOf(task))),
    notices,
    ...makeMoves(),
    shutdown: table.shutdown
  })
})

/** Closing the layer forgets the tasks; ending them is the work of the Process port below. */
export const layer: Layer.Layer<BackgroundTasks> = Layer.effect(BackgroundTasks, make)
