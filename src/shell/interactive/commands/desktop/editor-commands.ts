import { spawn } from "node:child_process"
import { resolve } from "node:path"
import { Effect, Result } from "effect"
import type { CmdOf } from "../../../../tui/model/cmd.ts"
import { visible } from "../../../../tui/line/visible.ts"
import { lastAnswer, withAnswer, withoutAnswer } from "./answer-for-editor.ts"
import { editText, runEditor, withPrivateFile } from "../../../system/external-editor.ts"
import { globalSetting } from "../../stores/global-config.ts"
import { ensureKeybindings, keybindingsPath, loadKeymap } from "../../../system/keybindings-file.ts"
import { reloadKeys } from "../../options/follow-options.ts"
import type { PerformContext } from "../context/command-context.ts"
import { personalPath } from "../files/text-files.ts"
import { keymapOptions } from "../../options/ui-options.ts"

/** Commands that lend the terminal to another program. */
const edit = ({ plan, terminal }: PerformContext, text: string, at: { readonly name: string; readonly line: number }) =>
  terminal.lend((leaving) => editText(text, { ...at, env: plan.env, cwd: plan.cwd, leaving }))

/** Empty unless the user wants to read it there. */
const answerToShow = async ({ plan, sessions }: PerformContext, session: string): Promise<string> => {
  const handle = sessions.get(session)
  if (handle === undefined) return ""
  const isWanted = await Effect.runPromise(globalSetting(plan, "externalEditorContext"))
  return isWanted === true ? lastAnswer(handle.state()) : ""
}

export const editDraft = (context: PerformContext, { session, text, line }: CmdOf<"EditDraft">): void =>
  context.attempt("the prompt could not be edited", async () => {
    const answer = await answerToShow(context, session)
    const edited = await edit(context, withAnswer(text, answer), { name: "prompt.md", line })
    if (Result.isFailure(edited)) return context.notice(edited.failure, "error")
    const kept = withoutAnswer(edited.success, answer)
    if (kept !== text) context.tell({ _tag: "DraftEdited", session, text: kept })
  })

/** What is saved stands in for the older part from the next request on. */
export const editSummary = (context: PerformContext, { session, text }: CmdOf<"EditSummary">): void =>
  context.attempt("the summary could not be edited", async () => {
    const edited = await edit(context, text, { name: "summary.md", line: 1 })
    if (Result.isFailure(edited)) return context.notice(edited.failure, "error")
    if (edited.success === text) return context.notice("the summary was not changed", "plain")
    context.sessions.get(session)?.offer({ _tag: "AboutCompaction", wish: { _tag: "Reword", text: edited.success } })
  })

/** Only for reading: what is saved there goes nowhere. */
export const showInEditor = (context: PerformContext, { text, name }: CmdOf<"ShowInEditor">): void =>
  context.attempt("the text could not be shown", async () => {
    const shown = await edit(context, text, { name, line: 1 })
    if (Result.isFailure(shown)) context.notice(shown.failure, "error")
  })

const visitFile = ({ plan, terminal }: PerformContext, path: string, line: number) =>
  terminal.lend((leaving) => runEditor({ path, line, env: plan.env, cwd: plan.cwd, leaving }))

export const openFile = (context: PerformContext, { path, line }: CmdOf<"OpenFile">): void =>
  context.attempt("the file could not be opened", async () => {
    const visited = await visitFile(context, personalPath(context.plan, path), line ?? 1)
    if (Result.isFailure(visited)) context.notice(visited.failure, "error")
  })

const keyboardOf = ({ terminal }: PerformContext) => (terminal.caps().keyboard === "legacy" ? "legacy" : "extended")

/** What is wrong or risky in the file as it is now, also while the last good table is in force. */
export const checkKeybindings = (context: PerformContext): void => {
  const { plan, tell } = context
  const { notices } = loadKeymap(plan.configHome, { keyboard: keyboardOf(context), options: keymapOptions(plan) })
  const lines = notices.length === 0 ? [`${keybindingsPath(plan.configHome)}: nothing is wrong`] : notices
  tell({ _tag: "Listed", title: "Key bindings", lines })
}

/** The keys are in force as soon as the editor is left. */
export const editKeybindings = (context: PerformContext): void =>
  context.attempt("the key bindings could not be edited", async () => {
    const { plan, tell, notice } = context
    const visited = await visitFile(context, ensureKeybindings(plan.configHome), 1)
    if (Result.isFailure(visited)) {
      notice(visited.failure, "error")
      return
    }
    reloadKeys({ plan, keyboard: () => keyboardOf(context), tell, complain: (text) => notice(text, "warning") })
  })

const PRINT = 'cat -- "$1"; printf "\\n-- Enter goes back --"; read -r _'

/** Runs on the main screen until Enter is pressed; what is printed stays in the scrollback. */
const printAndWait = (path: string): Promise<void> =>
  new Promise((done, fail) => {
    const child = spawn("sh", ["-c", PRINT, "sh", resolve(path)], { stdio: "inherit" })
    child.on("error", fail)
    child.on("close", () => done())
  })

/** Control characters are made visible: what was said must not act on the terminal. */
export const printTranscript = (context: PerformContext, { text }: CmdOf<"PrintTranscript">): void =>
  context.attempt("the conversation could not be printed", () =>
    context.terminal.lend(() => withPrivateFile("transcript.md", visible(text), printAndWait))
  )
