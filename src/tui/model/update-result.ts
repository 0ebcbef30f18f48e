import type { Raise, Raised } from "./action.ts"
import type { Cmd } from "./cmd.ts"
import type { AppModel } from "./app-model.ts"
import { addNotice, type Notice } from "./notices.ts"

/** The next model and what is to be done, by the shell or by a part of the interface above the one that asks. */
export type Update = readonly [AppModel, ReadonlyArray<Cmd | Raise>]

export const withoutCommands = (model: AppModel): Update => [model, []]

export const withCommands = (model: AppModel, ...cmds: ReadonlyArray<Cmd>): Update => [model, cmds]

export const raise = (model: AppModel, action: Raised): Update => [model, [{ _tag: "Raise", action }]]

/** One change after another. */
export const andThen = ([model, cmds]: Update, next: (model: AppModel) => Update): Update => {
  const [after, more] = next(model)
  return [after, more.length === 0 ? cmds : [...cmds, ...more]]
}

export const notify = (model: AppModel, text: string, more: Partial<Notice> = {}): AppModel => ({
  ...model,
  notices: addNotice(
    model.notices,
    { key: more.key ?? text, text, priority: "immediate", timeoutMs: 4_000, ...more },
    model.now
  )
})
