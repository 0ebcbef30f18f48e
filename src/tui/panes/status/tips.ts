import type { ActionId } from "../../keymap/actions/action-tables.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import { isRunning, type RunModel, type SessionModel } from "../../model/session-model.ts"
import { hintFor } from "../../keymap/help.ts"

/** What a turn that takes a while may teach: one tip for each turn, under the prompt, where nothing else wants the row. */

/** Short turns teach nothing: a row that comes and goes is only noise. */
const AFTER_MS = 4_000

/** A word about a key, or about something that needs none. */
type Tip = string | readonly [action: ActionId, words: (key: string) => string]

const OURS: ReadonlyArray<Tip> = [
  ["app:palette", (key) => `${key} finds every command, pane, session and file`],
  "Enter queues what you type while a turn runs; Up takes it back",
  ["history:search", (key) => `${key} searches everything you sent before`],
  "@ names a file, ! runs a command, # keeps a line in memory",
  ["chat:externalEditor", (key) => `${key} edits the prompt in your editor`],
  "Esc Esc on an empty prompt goes back to an earlier one",
  ["chat:stash", (key) => `${key} puts the prompt aside, and brings it back`],
  ["window:next", (key) => `${key} goes to the next pane; its keys are those of vim`],
  ["chat:cycleMode", (key) => `${key} changes how much is asked`],
  ["app:findAll", (key) => `${key} searches the text of all sessions`],
  "in the transcript / searches folded text too, and y yanks the source"
]

/** A key that the user took away has no tip. */
const wordsOf = ({ keys: { keymap } }: AppModel, tip: Tip): string | undefined => {
  if (typeof tip === "string") return tip
  const key = hintFor(keymap, tip[0], ["Chat", "Global"])
  return key === undefined ? undefined : tip[1](key)
}

/** The same for the whole turn, another one for the next. */
const chosenFor = <A>({ startedAt = 0 }: RunModel, among: ReadonlyArray<A>): A | undefined =>
  among[Math.floor(startedAt / 1_000) % Math.max(1, among.length)]

export const tipOf = (model: AppModel): string | undefined => {
  const session = currentSession(model)
  const { own, showsOurs } = model.options.tips
  if (session === undefined || !isRunning(session) || session.asks.length > 0 || (own.length === 0 && !showsOurs))
    return undefined
  const { startedAt } = session.run
  if (startedAt === undefined || model.now - startedAt < AFTER_MS) return undefined
  const tip = chosenFor(session.run, showsOurs ? [...own, ...OURS] : own)
  return tip === undefined ? undefined : wordsOf(model, tip)
}

/** The word of the user for this turn; empty where they gave none. */
export const verbOf = ({ options: { spinnerVerbs } }: AppModel, { run }: SessionModel): string =>
  chosenFor(run, spinnerVerbs) ?? ""
