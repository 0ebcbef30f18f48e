import { promptText } from "../../core/loop/turn/queue.ts"
import type { QueuedPrompt } from "../../core/loop/machine/state.ts"
import type { Submission } from "../prompt/command.ts"
import { chipRanges } from "../prompt/chip.ts"
import type { Draft } from "../prompt/model.ts"
import type { Paste } from "../transcript/block.ts"
import type { SessionModel } from "./session-model.ts"

/** What the user sent while a turn ran and can still withdraw; not what the program queued in their place. */
const OF_PROGRAM = /^\s*<(?:bash-|system-reminder|task-notification)/

export interface QueuedText {
  readonly uuid: string
  readonly text: string
}

export const isTyped = ({ origin, appendOnly, content }: QueuedPrompt): boolean =>
  origin === "human" && appendOnly !== true && !OF_PROGRAM.test(promptText(content))

export const queuedTexts = ({ state }: Pick<SessionModel, "state">): ReadonlyArray<QueuedText> =>
  state.queue.filter(isTyped).map(({ uuid, content }) => ({ uuid, text: promptText(content) }))

/** Out of the list at once: the loop hears of it with the same key, and says nothing about it. */
export const withoutQueued = (session: SessionModel, ids: ReadonlyArray<string>): SessionModel => ({
  ...session,
  waiting: session.waiting.filter(({ id }) => !ids.includes(id)),
  state: { ...session.state, queue: session.state.queue.filter(({ uuid }) => !ids.includes(uuid)) }
})

/** A prompt with pastes or images that was sent: its text as the model gets it, and how it was typed. */
export interface SentDraft {
  readonly text: string
  readonly draft: Draft
}

const MOST_SENT = 50

/** Text alone comes back as it is; only what stands for more has to be remembered. */
export const withSent = (sent: ReadonlyArray<SentDraft>, { text, draft }: Submission): ReadonlyArray<SentDraft> =>
  draft.chips.length === 0 ? sent : [...sent.slice(1 - MOST_SENT), { text, draft }]

/** Where the pastes of a prompt stand in what was sent. */
export const pastesIn = (sent: ReadonlyArray<SentDraft>, text: string): ReadonlyArray<Paste> => {
  const found = sent.findLast((each) => each.text.trim() === text.trim())
  return found === undefined ? [] : chipRanges(found.draft, text)
}

/** Of what was sent, that which can still be withdrawn: pastes may be large. */
export const stillQueued = (sent: ReadonlyArray<SentDraft>, queue: ReadonlyArray<QueuedPrompt>): ReadonlyArray<SentDraft> =>
  sent.filter(({ text }) => queue.some(({ content }) => promptText(content) === text))

/** A queued prompt as it was typed, with its pastes and images. */
export const draftBehind = ({ sent }: SessionModel, text: string): Draft =>
  sent.findLast((each) => each.text === text)?.draft ?? {
    text,
    caret: { line: 0, column: text.length },
    mode: "prompt",
    chips: []
  }
