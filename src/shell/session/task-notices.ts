import { Effect, Queue } from "effect"
import type { TaskNotice } from "../tools/services/background-tasks.ts"
import type { Driver } from "../runtime/driver.ts"

const taskNotification = (notice: TaskNotice): string =>
  [
    "<task-notification>",
    `<task-id>${notice.taskId}</task-id>`,
    `<status>${notice.status}</status>`,
    `<summary>Background command "${notice.command}" ended with exit code ${notice.exitCode}</summary>`,
    `<output-file>${notice.outputPath}</output-file>`,
    "</task-notification>"
  ].join("\n")

/** Tells the conversation, once each, about background commands that ended by themselves. */
export const forwardNotices = (notices: Queue.Dequeue<TaskNotice>, driver: Driver): Effect.Effect<void> =>
  Effect.forever(
    Effect.map(Queue.take(notices), (notice) => {
      if (notice.status === "killed") return
      driver.offer({
        _tag: "PromptSubmitted",
        uuid: crypto.randomUUID(),
        content: taskNotification(notice),
        priority: "next",
        origin: "task",
        appendOnly: false
      })
    })
  )
