import { type Context, Effect } from "effect"
import type { Records } from "../../core/ports/Records.ts"
import type { EarlierPage } from "../../core/session/load/earlier-pages.ts"
import type { BackgroundTasks } from "../tools/services/background-tasks.ts"
import { pagesBefore, readEarlier } from "./load-session.ts"
import type { Persist } from "../runtime/persist.ts"
import type { EarlierParts, TaskControl } from "./session-handle.ts"

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

interface Stored {
  readonly path: string
  readonly pages: ReadonlyArray<EarlierPage>
  readonly persist: Pick<Persist["Service"], "enabled" | "status">
  readonly services: Context.Context<Records>
}

/** Pages are counted when the session opens, and again when a part that was said since has to be read. */
export const earlierParts = ({ path, pages: counted, persist, services }: Stored): EarlierParts => {
  let pages = counted
  const readPage = (page: number) => readEarlier(path, pages[page] ?? [])
  return {
    pages: pages.length,
    read: (page) =>
      readPage(page).pipe(
        Effect.mapError(({ message }) => message),
        Effect.provideContext(services)
      ),
    isStored: () => persist.enabled && persist.status()._tag === "Ok",
    readBefore: (uuid) =>
      Effect.gen(function* () {
        pages = yield* pagesBefore(path, uuid)
        const page = Math.max(0, pages.length - 1)
        return { page, messages: yield* readPage(page) }
      }).pipe(
        Effect.mapError(({ message }) => message),
        Effect.provideContext(services)
      )
  }
}
