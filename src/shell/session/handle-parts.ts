import { type Context, Effect } from "effect"
import type { BackgroundTasks } from "../background-tasks.ts"
import { readEarlier } from "../load-session.ts"
import type { EarlierParts, TaskControl } from "../session-handle.ts"
import type { ChosenSession } from "./restore.ts"
import type { Services } from "./services.ts"

/** What a session's handle offers beside the conversation: its background tasks, and what was said before. */

const TASK_OUTPUT_BYTES = 64 * 1024

export const taskControl = (tasks: BackgroundTasks["Service"]): TaskControl => ({
  list: tasks.list,
  moveToBackground: tasks.moveToBackground,
  stop: (taskId) =>
    tasks.stop(taskId).pipe(
      Effect.as(true),
      Effect.orElseSucceed(() => false)
    ),
  output: (taskId) =>
    tasks.output(taskId, TASK_OUTPUT_BYTES).pipe(
      Effect.map(({ tail, task }) => ({ text: tail, totalBytes: task.totalBytes })),
      Effect.orElseSucceed(() => undefined)
    )
})

export const earlierParts = ({ loaded }: ChosenSession, services: Context.Context<Services>): EarlierParts => ({
  pages: loaded?.earlier.length ?? 0,
  read: (page) =>
    readEarlier(loaded?.path ?? "", loaded?.earlier[page] ?? []).pipe(
      Effect.mapError(({ message }) => message),
      Effect.provideContext(services)
    )
})
