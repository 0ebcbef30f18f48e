import { join } from "node:path"
import { Result } from "effect"
import type { Cmd } from "../../tui/app/cmd.ts"
import type { SavedDraft } from "../../tui/prompt/model.ts"
import { copyText } from "./clipboard.ts"
import { Drafts } from "./draft-file.ts"
import { KeptFiles } from "./kept-files.ts"
import { Notifier } from "./notifier.ts"
import { makeContext, messageOf, type PerformContext, type PerformOptions } from "./perform-context.ts"
import { PromptHistory } from "./prompt-history.ts"
import { RiskExplanations } from "./risk-explanations.ts"
import {
  askWhetherStored,
  readEarlier,
  readReleased,
  rename,
  SessionOpener,
  setModel,
  setThinking,
  withSession
} from "./session-commands.ts"
import { SessionSearch } from "./session-search.ts"
import { StatusLine } from "./status-line.ts"
import { ShellRuns } from "./shell-runs.ts"
import { listTasks, moveToBackground, showTask, stopTask } from "./task-commands.ts"
import { settingKeys } from "./ui-options.ts"
import { WorkspaceFiles } from "./workspace-files.ts"

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

type Of<Tag extends Cmd["_tag"]> = Extract<Cmd, { readonly _tag: Tag }>

/** Everything that remembers something between two commands. */
interface Helpers {
  readonly context: PerformContext
  readonly drafts: Drafts
  readonly kept: KeptFiles
  readonly history: PromptHistory
  readonly opener: SessionOpener
  readonly shells: ShellRuns
  readonly files: WorkspaceFiles
  readonly notifier: Notifier
  readonly search: SessionSearch
  readonly explanations: RiskExplanations
  readonly statusLine: StatusLine
}

const copy = ({ plan, terminal, attempt, notice }: PerformContext, { text, what }: Of<"Copy">): void =>
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

/** Images are read when there are any; a text alone goes at once. */
const submit = (context: PerformContext, { session, text, priority, images = [] }: Of<"Submit">): void => {
  if (images.length === 0) return withSession(context, session, (open) => open.submit(text, { priority }))
  context.attempt("the prompt was not sent", async () => {
    const { contentWith } = await import("./images.ts")
    withSession(context, session, (open) => open.submit(contentWith(context, text, images), { priority }))
  })
}

const saveOption = ({ plan, notice, attempt }: PerformContext, { name, value }: Of<"SaveOption">): void =>
  attempt("not saved", async () => {
    const saved = await plan.settings.change("userSettings", [{ path: settingKeys(name), value }])
    if (Result.isFailure(saved)) notice(`${name} holds for this session only: ${saved.failure}`, "warning")
  })

const loadDiff = ({ plan, sessions, tell, notice, attempt }: PerformContext, session: string): void =>
  attempt("the working tree cannot be compared", async () => {
    const { loadWorkingDiff } = await import("./working-diff.ts")
    const cwd = sessions.get(session)?.facts.cwd ?? plan.cwd
    const { files, leftOut } = await loadWorkingDiff(cwd, plan.env)
    tell({ _tag: "DiffLoaded", session, files })
    if (leftOut > 0) notice(`${leftOut} more changed files are not shown`, "warning")
  })

/** Modules that few people need, or that nothing waits for, are loaded when they are used. */
const performLater = (context: PerformContext, cmd: LaterCmd): void =>
  context.attempt("that did not work", async () => {
    switch (cmd._tag) {
      case "PreviewCall":
        return (await import("./call-preview.ts")).previewCall(context, cmd)
      case "ListSessions":
        return (await import("./stored-sessions.ts")).listSessions(context)
      case "PreviewSession":
        return (await import("./stored-sessions.ts")).previewSession(context, cmd.sessionId)
      case "ExportSession":
        return (await import("./session-export.ts")).exportSession(context, cmd)
      case "DeleteSession":
        return (await import("./session-trash.ts")).deleteSession(context, cmd.sessionId)
      case "RestoreSession":
        return (await import("./session-trash.ts")).restoreSession(context, cmd.sessionId)
      case "TagSession":
        return (await import("./session-tags.ts")).tagSession(context, cmd)
      case "EditDraft":
        return (await import("./editor-visits.ts")).editDraft(context, cmd)
      case "ShowInEditor":
        return (await import("./editor-visits.ts")).showInEditor(context, cmd)
      case "OpenFile":
        return (await import("./editor-visits.ts")).openFile(context, cmd)
      case "FinishOnboarding":
        return (await import("./first-run.ts")).finishOnboarding(context.plan)
      case "EditKeybindings":
        return (await import("./editor-visits.ts")).editKeybindings(context)
      case "PrintTranscript":
        return (await import("./editor-visits.ts")).printTranscript(context, cmd)
      case "WriteFile":
        return (await import("./text-files.ts")).writeFile(context, cmd)
      case "ReadIntoPrompt":
        return (await import("./text-files.ts")).readIntoPrompt(context, cmd)
      case "ShowFile":
        return (await import("./shown-texts.ts")).showFile(context, cmd)
      case "ShowOutput":
        return (await import("./shown-texts.ts")).showOutput(context, cmd)
      case "PipeThrough":
        return (await import("./shown-texts.ts")).pipeThrough(context, cmd)
      case "OpenLink":
        return (await import("./open-link.ts")).openLink(context, cmd.url)
      case "FilterPrompt":
        return (await import("./shown-texts.ts")).filterPrompt(context, cmd)
      case "PastePrimary":
        return (await import("./primary-selection.ts")).pastePrimary(context, cmd)
      case "PasteImage":
        return (await import("./images.ts")).pasteImage(context, cmd)
      case "TakeImages":
        return (await import("./images.ts")).takeImages(context, cmd)
      case "AppendMemory":
        return (await import("./memory-file.ts")).appendMemory(context, cmd)
      case "LookAtSandbox":
        return (await import("./sandbox-commands.ts")).lookAtSandbox(context, cmd)
      case "ChangeSandbox":
        return (await import("./sandbox-commands.ts")).changeSandbox(context, cmd)
      case "TestSandbox":
        return (await import("./sandbox-commands.ts")).testSandbox(context)
      case "ShowStats": {
        const { statsLines } = await import("./stats-lines.ts")
        return context.tell({ _tag: "Listed", title: "Frames", lines: statsLines(context.terminal.stats()) })
      }
    }
  })

type LaterCmd = Of<
  | "PreviewCall"
  | "ListSessions"
  | "PreviewSession"
  | "ExportSession"
  | "DeleteSession"
  | "RestoreSession"
  | "TagSession"
  | "EditDraft"
  | "FinishOnboarding"
  | "ShowInEditor"
  | "OpenFile"
  | "EditKeybindings"
  | "PrintTranscript"
  | "WriteFile"
  | "ReadIntoPrompt"
  | "ShowFile"
  | "ShowOutput"
  | "PipeThrough"
  | "OpenLink"
  | "AppendMemory"
  | "ShowStats"
  | "LookAtSandbox"
  | "ChangeSandbox"
  | "TestSandbox"
  | "PasteImage"
  | "TakeImages"
  | "PastePrimary"
  | "FilterPrompt"
>

/** What a session is told, and which sessions there are. */
const performForSession = (helpers: Helpers, cmd: SessionCmd | LaterCmd): void => {
  const { context, opener, shells } = helpers
  switch (cmd._tag) {
    case "Submit":
      return submit(context, cmd)
    case "TakeBackQueue":
      return withSession(context, cmd.session, (session) => session.offer({ _tag: "QueueCancelled", uuids: cmd.uuids }))
    case "Interrupt":
      shells.interrupt(cmd.session)
      return withSession(context, cmd.session, (session) => session.interrupt())
    case "ExplainCall":
      return helpers.explanations.ask(cmd)
    case "Answer":
      helpers.explanations.stop(cmd.callId)
      return context.sessions.answer(cmd.session, cmd.callId, cmd.answer)
    case "SetMode":
      return withSession(context, cmd.session, (session) => session.offer({ _tag: "ModeChanged", mode: cmd.mode }))
    case "UpdatePermissions":
      return withSession(context, cmd.session, (session) =>
        session.offer({ _tag: "PermissionsUpdated", updates: cmd.updates })
      )
    case "SetModel":
      return setModel(context, cmd)
    case "SetThinking":
      return setThinking(context, cmd)
    case "Rename":
      return rename(context, cmd)
    case "RunShell":
      return shells.run(cmd)
    case "Compact":
      return withSession(context, cmd.session, (session) =>
        session.offer({ _tag: "CompactionRequested", focus: cmd.focus })
      )
    case "Pin":
      return withSession(context, cmd.session, (session) =>
        session.offer({ _tag: "PinChanged", uuid: cmd.uuid, pinned: cmd.pinned })
      )
    case "StopCall":
      return withSession(context, cmd.session, (session) => session.offer({ _tag: "CallStopped", callId: cmd.callId }))
    case "StopTask":
      return stopTask(context, cmd)
    case "ListTasks":
      return listTasks(context, cmd)
    case "MoveToBackground":
      return moveToBackground(context, cmd)
    case "ShowTask":
      return showTask(context, cmd)
    case "OpenSession":
      return opener.open(cmd)
    case "DraftNext":
      return opener.draftNext(cmd.text)
    case "ReadEarlier":
      return readEarlier(context, cmd)
    case "AskWhetherStored":
      return askWhetherStored(context, cmd)
    case "ReadReleased":
      return readReleased(context, cmd)
    case "SearchSessions":
      return helpers.search.start(cmd)
    case "StopSearching":
      return helpers.search.stop()
    case "CloseSession":
      shells.interrupt(cmd.session)
      helpers.drafts.flush()
      helpers.kept.flush()
      helpers.history.forget(cmd.session)
      return opener.close(cmd.session)
    default:
      return performLater(context, cmd)
  }
}

type SessionCmd = Of<
  | "Submit" | "TakeBackQueue" | "Interrupt" | "Answer" | "ExplainCall" | "SetMode" | "SetModel" | "Rename" | "RunShell" | "StopTask"
  | "StopCall" | "Compact" | "Pin"
  | "ListTasks" | "MoveToBackground" | "ShowTask" | "SetThinking" | "OpenSession" | "DraftNext" | "CloseSession"
  | "ReadEarlier" | "AskWhetherStored" | "ReadReleased" | "SearchSessions" | "StopSearching" | "UpdatePermissions"
>

/** The folder of a session in which nothing was said yet. */
const unsaidIn = ({ sessions }: PerformContext, id: string): string | undefined => {
  const session = sessions.get(id)
  return session === undefined || session.state().messages.length > 0 ? undefined : session.facts.cwd
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
    case "Remember":
      return history.remember(cmd)
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

const helpersOf = (options: PerformOptions): Helpers => {
  const context = makeContext(options)
  const { configHome, env } = options.plan
  return {
    context,
    kept: new KeptFiles({
      configHome,
      env,
      tell: context.tell,
      complain: (text) => context.notice(text, "warning"),
      transcriptOf: (session) => context.sessions.get(session)?.facts.transcriptPath
    }),
    drafts: new Drafts({ configHome, complain: (text) => context.notice(text, "warning") }),
    history: new PromptHistory(context),
    opener: new SessionOpener(context),
    shells: new ShellRuns(context),
    files: new WorkspaceFiles(context),
    notifier: new Notifier(context),
    search: new SessionSearch(context),
    explanations: new RiskExplanations(context),
    statusLine: new StatusLine(context)
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
      context.close()
    }
  }
}
