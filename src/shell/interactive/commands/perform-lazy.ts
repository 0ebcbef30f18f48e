import type { CmdOf } from "../../../tui/model/cmd.ts"
import type { PerformContext } from "./context/command-context.ts"

/** Modules that few people need, or that nothing waits for, are loaded when they are used. */
export const performLater = (context: PerformContext, cmd: LaterCmd): void =>
  context.attempt("that did not work", async () => {
    switch (cmd._tag) {
      case "PreviewCall":
        return (await import("./questions/call-preview.ts")).previewCall(context, cmd)
      case "ListSessions":
        return (await import("./sessions/stored-sessions.ts")).listSessions(context)
      case "PreviewSession":
        return (await import("./sessions/stored-sessions.ts")).previewSession(context, cmd.sessionId)
      case "ExportSession":
        return (await import("./sessions/session-export.ts")).exportSession(context, cmd)
      case "DeleteSession":
        return (await import("./sessions/session-trash.ts")).deleteSession(context, cmd.sessionId)
      case "RestoreSession":
        return (await import("./sessions/session-trash.ts")).restoreSession(context, cmd.sessionId)
      case "TagSession":
        return (await import("./sessions/session-tags.ts")).tagSession(context, cmd)
      case "EditDraft":
        return (await import("./desktop/editor-commands.ts")).editDraft(context, cmd)
      case "EditSummary":
        return (await import("./desktop/editor-commands.ts")).editSummary(context, cmd)
      case "ShowInEditor":
        return (await import("./desktop/editor-commands.ts")).showInEditor(context, cmd)
      case "OpenFile":
        return (await import("./desktop/editor-commands.ts")).openFile(context, cmd)
      case "FinishOnboarding":
        return (await import("../stores/onboarding.ts")).finishOnboarding(context.plan)
      case "EditKeybindings":
        return (await import("./desktop/editor-commands.ts")).editKeybindings(context)
      case "CheckKeybindings":
        return (await import("./desktop/editor-commands.ts")).checkKeybindings(context)
      case "PrintTranscript":
        return (await import("./desktop/editor-commands.ts")).printTranscript(context, cmd)
      case "WriteFile":
        return (await import("./files/text-files.ts")).writeFile(context, cmd)
      case "ReadIntoPrompt":
        return (await import("./files/text-files.ts")).readIntoPrompt(context, cmd)
      case "ShowFile":
        return (await import("./processes/output-pane.ts")).showFile(context, cmd)
      case "ShowOutput":
        return (await import("./processes/output-pane.ts")).showOutput(context, cmd)
      case "PipeThrough":
        return (await import("./processes/output-pane.ts")).pipeThrough(context, cmd)
      case "TurnHunk":
        return (await import("./files/revert-hunk.ts")).turnHunk(context, cmd)
      case "OpenLink":
        return (await import("./desktop/open-link.ts")).openLink(context, cmd.url)
      case "FilterPrompt":
        return (await import("./processes/output-pane.ts")).filterPrompt(context, cmd)
      case "PastePrimary":
        return (await import("./desktop/primary-selection.ts")).pastePrimary(context, cmd)
      case "PasteImage":
        return (await import("./desktop/prompt-images.ts")).pasteImage(context, cmd)
      case "TakeImages":
        return (await import("./desktop/prompt-images.ts")).takeImages(context, cmd)
      case "WriteNote":
        return (await import("./memory/memory-commands.ts")).writeDown(context, cmd)
      case "LookAtMemory":
        return (await import("./memory/memory-commands.ts")).inspectMemory(context, cmd)
      case "DeleteMemory":
        return (await import("./memory/memory-commands.ts")).removeMemory(context, cmd)
      case "UndoMemory":
        return (await import("./memory/memory-commands.ts")).undoMemory(context, cmd)
      case "SwitchMemory":
        return (await import("./memory/memory-commands.ts")).switchMemory(context, cmd)
      case "LookAtSandbox":
        return (await import("./questions/sandbox-commands.ts")).inspectSandbox(context, cmd)
      case "ChangeSandbox":
        return (await import("./questions/sandbox-commands.ts")).changeSandbox(context, cmd)
      case "TestSandbox":
        return (await import("./questions/sandbox-commands.ts")).testSandbox(context)
      case "ShowStats": {
        const { statsLines } = await import("../terminal/frame-stats.ts")
        return context.tell({ _tag: "Listed", title: "Frames", lines: statsLines(context.terminal.counters()) })
      }
    }
  })

export type LaterCmd = CmdOf<
  | "PreviewCall"
  | "ListSessions"
  | "PreviewSession"
  | "ExportSession"
  | "DeleteSession"
  | "RestoreSession"
  | "TagSession"
  | "EditDraft"
  | "EditSummary"
  | "FinishOnboarding"
  | "ShowInEditor"
  | "OpenFile"
  | "EditKeybindings"
  | "CheckKeybindings"
  | "PrintTranscript"
  | "WriteFile"
  | "ReadIntoPrompt"
  | "ShowFile"
  | "ShowOutput"
  | "PipeThrough"
  | "OpenLink"
  | "TurnHunk"
  | "WriteNote"
  | "LookAtMemory"
  | "DeleteMemory"
  | "UndoMemory"
  | "SwitchMemory"
  | "ShowStats"
  | "LookAtSandbox"
  | "ChangeSandbox"
  | "TestSandbox"
  | "PasteImage"
  | "TakeImages"
  | "PastePrimary"
  | "FilterPrompt"
>
