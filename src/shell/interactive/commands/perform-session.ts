import type { Occurrence } from "../../../core/loop/machine/event.ts"
import type { CmdOf } from "../../../tui/model/cmd.ts"
import type { Helpers } from "./command-services.ts"
import type { PerformContext } from "./context/command-context.ts"
import { type LaterCmd, performLater } from "./perform-lazy.ts"
import {
  askWhetherStored,
  readEarlier,
  readReleased,
  rename,
  setModel,
  setThinking,
  withSession
} from "./sessions/session-commands.ts"
import { listTasks, moveToBackground, showTask, stopTask } from "./processes/task-commands.ts"

/** Images are read when there are any; a text alone goes at once. */
const submit = (context: PerformContext, { session, text, priority, images = [] }: CmdOf<"Submit">): void => {
  if (images.length === 0) return withSession(context, session, (open) => open.submit(text, { priority }))
  context.attempt("the prompt was not sent", async () => {
    const { contentWith } = await import("./desktop/prompt-images.ts")
    withSession(context, session, (open) => open.submit(contentWith(context, text, images), { priority }))
  })
}

const offer = (context: PerformContext, id: string, occurrence: Occurrence): void =>
  withSession(context, id, (session) => session.offer(occurrence))

const partOf = ({ part }: CmdOf<"Compact">) => (part === undefined ? {} : { part })

/** What a session is told, and which sessions there are. */
export const performForSession = (helpers: Helpers, cmd: SessionCmd | LaterCmd): void => {
  const { context, opener, shells } = helpers
  switch (cmd._tag) {
    case "Submit":
      return submit(context, cmd)
    case "TakeBackQueue":
      return offer(context, cmd.session, { _tag: "QueueCancelled", uuids: cmd.uuids })
    case "Interrupt":
      shells.interrupt(cmd.session)
      return withSession(context, cmd.session, (session) => session.interrupt({ takeBack: true }))
    case "HastenRetry":
      return offer(context, cmd.session, { _tag: "RetryHastened", by: cmd.by })
    case "ExplainCall":
      return helpers.explanations.ask(cmd)
    case "Answer":
      helpers.explanations.stop(cmd.callId)
      return context.sessions.answer(cmd.session, cmd.callId, cmd.answer)
    case "SetMode":
      return offer(context, cmd.session, { _tag: "ModeChanged", mode: cmd.mode })
    case "UpdatePermissions":
      return offer(context, cmd.session, { _tag: "PermissionsUpdated", updates: cmd.updates })
    case "SetModel":
      return setModel(context, cmd)
    case "SetThinking":
      return setThinking(context, cmd)
    case "Rename":
      return rename(context, cmd)
    case "RunShell":
      return shells.run(cmd)
    case "Compact":
      return offer(context, cmd.session, { _tag: "CompactionRequested", focus: cmd.focus, ...partOf(cmd) })
    case "AboutCompaction":
      return offer(context, cmd.session, { _tag: "AboutCompaction", wish: cmd.wish })
    case "Snip":
      return offer(context, cmd.session, { _tag: "SnipRequested", rounds: cmd.rounds })
    case "ClearResults":
      return offer(context, cmd.session, { _tag: "ClearRequested", calls: cmd.calls })
    case "SideTask":
      return offer(context, cmd.session, cmd.wish)
    case "Pin":
      return offer(context, cmd.session, { _tag: "PinChanged", uuid: cmd.uuid, pinned: cmd.pinned })
    case "ReloadInstructions":
      return offer(context, cmd.session, { _tag: "ContextOutdated" })
    case "StopCall":
      return offer(context, cmd.session, { _tag: "CallStopped", callId: cmd.callId })
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

type SessionCmd = CmdOf<
  | "Submit"
  | "TakeBackQueue"
  | "Interrupt"
  | "HastenRetry"
  | "Answer"
  | "ExplainCall"
  | "SetMode"
  | "SetModel"
  | "Rename"
  | "RunShell"
  | "StopTask"
  | "StopCall"
  | "ClearResults"
  | "Compact"
  | "AboutCompaction"
  | "Snip"
  | "Pin"
  | "SideTask"
  | "ReloadInstructions"
  | "ListTasks"
  | "MoveToBackground"
  | "ShowTask"
  | "SetThinking"
  | "OpenSession"
  | "DraftNext"
  | "CloseSession"
  | "ReadEarlier"
  | "AskWhetherStored"
  | "ReadReleased"
  | "SearchSessions"
  | "StopSearching"
  | "UpdatePermissions"
>
