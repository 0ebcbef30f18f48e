import type { Cmd } from "./cmd.ts"
import type { AppModel } from "./app-model.ts"
import { addNotice, type Notice } from "./notices.ts"

/** The next model and what is to be done. */
export type Update = readonly [AppModel, ReadonlyArray<Cmd>]

export const only = (model: AppModel): Update => [model, []]

export const doing = (model: AppModel, ...cmds: ReadonlyArray<Cmd>): Update => [model, cmds]

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
