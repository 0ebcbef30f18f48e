import { join } from "node:path"
import { Result } from "effect"
import type { Cmd, CmdOf } from "../../../tui/model/cmd.ts"
import type { SavedDraft } from "../../../tui/prompt/model.ts"
import { copyText } from "../../system/clipboard.ts"
import { messageOf, type PerformContext, type PerformOptions } from "./context/command-context.ts"
import { performForSession } from "./perform-session.ts"
import { type Helpers, helpersOf } from "./command-services.ts"
import { settingKeys } from "../options/ui-options.ts"

/** Carries out what the interface asks for: one case for each command, and every failure becomes a notice. */
export interface Performer {
  readonly perform: (cmd: Cmd) => void
  /** The unsent text of a session. */
  readonly draftOf: (sessionId: string) => SavedDraft | undefined
  /** What was typed in a folder and never sent, for a session that begins there. */
  readonly adoptDraft: (sessionId: string, cwd: string) => SavedDraft | undefined
  /** Puts on disk what waits, and ends the commands that still run. */
  readonly flush: () => void
}

const copy = ({ plan, terminal, attempt, notice }: PerformContext, { text, what }: CmdOf<"Copy">): void =>
  attempt("not copied", async () => {
    const { ok, words } = await copyText({
      text,
      env: plan.env,
      platform: process.platform,
      askTerminal: (sent) => {
        if (terminal.caps().clipboard) terminal.sendOutOfBand({ op: "Clipboard", text: sent })
        return terminal.caps().clipboard
      },
      fallbackFile: join(plan.configHome, "nacre", "clipboard.txt")
    })
    if (!ok) notice(words, "error")
    else if (what !== "") notice(`copied ${what}: ${words}`, "success")
  })

const saveOption = ({ plan, notice, attempt }: PerformContext, { name, value }: CmdOf<"SaveOption">): void =>
  attempt("not saved", async () => {
    const saved = await plan.settings.change("userSettings", [{ path: settingKeys(name), value }])
    if (Result.isFailure(saved)) notice(`${name} holds for this session only: ${saved.failure}`, "warning")
  })

const loadDiff = ({ plan, sessions, tell, notice, attempt }: PerformContext, session: string): void =>
  attempt("the working tree cannot be compared", async () => {
    const { loadWorkingDiff } = await import("./files/working-diff.ts")
    const cwd = sessions.get(session)?.facts.cwd ?? plan.cwd
    const { files, leftOut } = await loadWorkingDiff(cwd, plan.env)
    tell({ _tag: "DiffLoaded", session, files })
    if (leftOut > 0) notice(`${leftOut} more changed files are not shown`, "warning")
  })

/** The folder of a session in which nothing was said yet. */
const unsaidIn = ({ sessions }: PerformContext, id: string): string | undefined => {
  const session = sessions.get(id)
  return session === undefined || session.state().conversation.messages.length > 0 ? undefined : session.facts.cwd
}

const performOne = (helpers: Helpers, cmd: Cmd): void => {
  const { context, drafts, history, kept } = helpers
  const { terminal } = context
  switch (cmd._tag) {
    case "RunStatusLine":
      return helpers.statusLine.ask(cmd)
    case "FindFiles":
      return helpers.files.find(cmd)
    case "LoadHistory":
      return history.load(cmd.session)
    case "Unremember":
      return history.unremember(cmd)
    case "Remember":
      return history.remember(cmd)
    case "ReadPastes":
      return history.readPastes(cmd)
    case "SaveDraft":
      return drafts.save(cmd.session, cmd.draft, unsaidIn(context, cmd.session))
    case "LoadShada":
      return kept.loadShada()
    case "LoadMarks":
      return kept.loadMarks(cmd.session)
    case "KeepShada":
      return kept.keepShada(cmd.change)
    case "KeepMarks":
      return kept.keepMarks(cmd)
    case "KeepLayout":
      return kept.keepLayout(cmd.change)
    case "SaveOption":
      return saveOption(context, cmd)
    case "LoadDiff":
      return loadDiff(context, cmd.session)
    case "Copy":
      return copy(context, cmd)
    case "Notify":
      return helpers.notifier.notify(cmd)
    case "AnswerTrust":
      return context.answerTrust(cmd.answer)
    case "AnswerSettings":
      return context.answerSettings(cmd.answer)
    case "Bell":
      return terminal.sendOutOfBand({ op: "Bell" })
    case "Redraw":
      return terminal.redraw()
    case "Suspend":
      return terminal.suspend()
    case "Quit":
      drafts.flush()
      kept.flush()
      return terminal.quit(cmd.code)
    default:
      return performForSession(helpers, cmd)
  }
}

export const makePerformer = (options: PerformOptions): Performer => {
  const helpers = helpersOf(options)
  const { context, drafts, shells } = helpers
  return {
    perform: (cmd) => {
      try {
        performOne(helpers, cmd)
      } catch (error) {
        context.notice(`that did not work: ${messageOf(error)}`, "error")
      }
    },
    draftOf: (sessionId) => drafts.read(sessionId),
    adoptDraft: (sessionId, cwd) => drafts.adopt(sessionId, cwd),
    flush: () => {
      drafts.flush()
      helpers.kept.flush()
      shells.stopAll()
      helpers.search.stop()
      helpers.statusLine.stop()
    }
  }
}
