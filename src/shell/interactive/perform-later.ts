import type { CmdOf } from "../../tui/app/cmd.ts"
import type { PerformContext } from "./perform-context.ts"

/** Modules that few people need, or that nothing waits for, are loaded when they are used. */
export const performLater = (context: PerformContext, cmd: LaterCmd): void =>
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
      case "CheckKeybindings":
        return (await import("./editor-visits.ts")).checkKeybindings(context)
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
      case "TurnHunk":
        return (await import("./turn-hunk.ts")).turnHunk(context, cmd)
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
