import { promptText } from "../../core/loop/queue.ts"
import type { QueuedPrompt } from "../../core/loop/state.ts"
import type { SessionModel } from "./session-model.ts"

/** What the person sent while a turn ran and can still take back; not what the program queued in their place. */
const OF_PROGRAM = /^\s*<(?:bash-|system-reminder|task-notification)/

export interface QueuedText {
  readonly uuid: string
  readonly text: string
}

const isTyped = ({ origin, appendOnly }: QueuedPrompt, text: string): boolean =>
  origin === "human" && appendOnly !== true && !OF_PROGRAM.test(text)

export const queuedTexts = ({ state }: SessionModel): ReadonlyArray<QueuedText> =>
  state.queue.flatMap((queued) => {
    const text = promptText(queued.content)
    return isTyped(queued, text) ? [{ uuid: queued.uuid, text }] : []
  })
