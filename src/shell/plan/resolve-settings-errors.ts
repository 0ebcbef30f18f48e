import { Effect, Result } from "effect"
import { problemText } from "../../core/settings/origin.ts"
import {
  type SettingsAnswer,
  type SettingsQuestion,
  settingsQuestion,
  problemsToReport
} from "../../core/settings/startup-question.ts"
import { replan, type SessionPlan } from "./session-plan.ts"

/** Settings that cannot be used, before the first session of an interactive start. */
export interface SettingsTalk {
  readonly ask: (question: SettingsQuestion) => Effect.Effect<SettingsAnswer>
  /** Opens the user's editor and waits. A text says why that failed. */
  readonly edit: (at: { readonly file: string; readonly line: number }) => Promise<Result.Result<void, string>>
}

/** What is only reported, as lines: the rest is asked about. */
export const startNotices = ({ settings }: Pick<SessionPlan, "settings">): ReadonlyArray<string> =>
  problemsToReport(settings.current().problems, settings.isTrusted()).map(problemText)

/** Why nothing could be edited; the settings are read again. */
const editOnce = Effect.fnUntraced(function* (plan: SessionPlan, { fixable }: SettingsQuestion, talk: SettingsTalk) {
  if (fixable === undefined) return undefined
  const edited = yield* Effect.promise(() => talk.edit(fixable))
  plan.settings.reload()
  return Result.isFailure(edited) ? edited.failure : undefined
})

/** The plan to go on with; undefined when the user leaves. It is asked again as long as an edit leaves errors. */
export const resolveSettingsErrors = Effect.fnUntraced(function* (plan: SessionPlan, talk: SettingsTalk) {
  const { settings } = plan
  let note: string | undefined
  for (;;) {
    const question = settingsQuestion(settings.current().problems, settings.isTrusted())
    if (question === undefined) return yield* Effect.fromResult(replan(plan))
    const answer = yield* talk.ask(note === undefined ? question : { ...question, note })
    if (answer === "exit") return undefined
    if (answer === "continue") return yield* Effect.fromResult(replan(plan))
    note = yield* editOnce(plan, question, talk)
  }
})
