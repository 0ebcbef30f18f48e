import type { PromptAct } from "../../prompt/prompt-actions.ts"
import type { PromptStep } from "../../prompt/recall.ts"
import type { LineCommand } from "../../model/waiting-line.ts"
import type { PasteEvent } from "../../terminal/input/event.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { bufferIn } from "../../prompt/editor.ts"
import type { PromptCommand, Submission } from "../../prompt/command.ts"
import { EMOJI } from "../../prompt/emoji.ts"
import { openHistorySearch, receiveHistory } from "../../prompt/history-search.ts"
import type { PromptContext } from "../../prompt/model.ts"
import type { Candidate } from "../../prompt/ranking.ts"
import { candidatesArrived, updatePrompt, actInPrompt } from "../../prompt/update.ts"
import { promptTextWidth } from "../../model/windows/prompt-height.ts"
import { followEnd } from "../../model/conversation/scroll-to-end.ts"
import { planOf } from "../../model/windows/layout-and-focus.ts"
import { withCommands, notify, withoutCommands, andThen, type Update, raise } from "../../model/update-result.ts"
import { openOverlay, openPicker } from "../../model/open-overlay.ts"
import type { Cmd } from "../../model/cmd.ts"
import { menuRows } from "./completion-menu.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { queueOf } from "../../overlays/pickers/on-queue.ts"
import { withoutQueued, withSent } from "../../model/queued-prompts.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { parseSlash, SLASH_COMMANDS } from "../../prompt/slash-commands.ts"

/** Keys and pastes that go to the prompt, and what the prompt asks for in return. */

const contextOf = (model: AppModel, session: SessionModel): PromptContext => {
  const pane = planOf(model).panes.find(({ leaf }) => leaf.pane === "prompt")
  return {
    now: model.now,
    width: promptTextWidth(pane?.content.width ?? model.size.columns),
    menuRows: menuRows(model),
    history: session.recall,
    queue: queueOf(session),
    flavor: model.options.keyFlavor,
    emojiCompletion: model.options.emojiCompletion,
    vim: { view: { top: 0, bottom: 22 }, clipboard: "", name: session.title ?? "" }
  }
}

/** When each command was last sent, by every name that it has. */
const usesOf = ({ history }: SessionModel): ReadonlyMap<string, number> => {
  const uses = new Map<string, number>()
  for (const { display, timestamp } of history) {
    const name = parseSlash(display)?.command?.name
    if (name !== undefined) uses.set(name, Math.max(timestamp, uses.get(name) ?? 0))
  }
  return uses
}

const slashCandidates = (session: SessionModel): ReadonlyArray<Candidate> => {
  const uses = usesOf(session)
  return SLASH_COMMANDS.map(({ name, description, argument, aliases, needsArgument }) => ({
    name,
    insert: `/${name}`,
    description,
    aliases,
    usedAt: uses.get(name) ?? 0,
    ...(argument === undefined ? {} : { hint: `<${argument}>` }),
    ...(needsArgument === true ? { needsArgument } : {})
  }))
}

const shellCandidates = ({ history }: SessionModel): ReadonlyArray<Candidate> =>
  [...new Set(history.flatMap(({ display }) => (display.startsWith("!") ? [display.slice(1)] : [])))].map((name) => ({
    name,
    insert: name
  }))

const answerCandidates = (
  model: AppModel,
  session: SessionModel,
  ask: Extract<PromptCommand, { _tag: "AskCandidates" }>
): Update => {
  const give = (candidates: ReadonlyArray<Candidate>): Update =>
    withoutCommands(
      withCurrent(model, (each) => ({ ...each, prompt: candidatesArrived(each.prompt, { id: ask.id, candidates }) }))
    )
  switch (ask.kind) {
    case "command":
      return give(slashCandidates(session))
    case "emoji":
      return give(EMOJI)
    case "shellHistory":
      return give(shellCandidates(session))
    case "mention":
    case "path":
      return withCommands(model, {
        _tag: "FindFiles",
        session: session.id,
        query: ask.query,
        request: ask.id,
        isMention: ask.kind === "mention"
      })
    case "skill":
      return give([])
  }
}

/** What history keeps of a submission; it is on disk before anything acts on it. */
const remember = (session: string, { display, chips }: Submission): Cmd => ({
  _tag: "Remember",
  session,
  display,
  chips
})

const send = (model: AppModel, session: SessionModel, submission: Submission): Update => {
  const kept = remember(session.id, submission)
  const followed = model.options.followOnSubmit ? followEnd(model) : model
  const run = (next: AppModel, command: LineCommand): Update =>
    andThen(withCommands(next, kept), (after) => raise(after, { id: "command:run", command, draft: submission.draft }))
  if (submission.mode === "shell") {
    return run(followed, { _tag: "Shell", command: submission.text, inContext: !submission.isQuiet })
  }
  if (submission.mode === "memory") return withCommands(openPicker(model, "memory", submission.text), kept)
  if (parseSlash(submission.text) !== undefined) return run(model, { _tag: "Slash", line: submission.text })
  const images = submission.chips.flatMap((chip) => (chip._tag === "Image" ? [chip.reference] : []))
  const noted = withCurrent(followed, (each) => ({ ...each, sent: withSent(each.sent, submission) }))
  return withCommands(noted, kept, { _tag: "Submit", session: session.id, text: submission.text, priority: "next", images })
}

const historyOverlay = (model: AppModel, session: SessionModel): Update => {
  const search = openHistorySearch({ sessionId: session.id, project: session.cwd })
  const found = receiveHistory({ ...search, scope: "project" }, { entries: session.history, isLast: true })
  return withoutCommands(openOverlay(model, { _tag: "History", search: found }))
}

/** One request of the prompt. */
const onCommand = (model: AppModel, command: PromptCommand): Update => {
  const session = currentSession(model)
  if (session === undefined) return withoutCommands(model)
  switch (command._tag) {
    case "Send":
      return send(model, session, command.submission)
    case "AskCandidates":
      return answerCandidates(model, session, command)
    case "TakeBack":
      return withCommands(
        withCurrent(model, (each) => withoutQueued(each, command.ids)),
        { _tag: "TakeBackQueue", session: session.id, uuids: command.ids }
      )
    case "TakeImages":
      return withCommands(model, { _tag: "TakeImages", session: session.id, paths: command.paths, text: command.text })
    case "Notice":
    case "Message":
      return withoutCommands(notify(model, command.text))
    case "SetClipboard":
      return withCommands(model, { _tag: "Copy", text: command.text, what: "" })
    case "ExCommand":
      return raise(model, { id: "command:ex", line: command.text })
    case "OpenHistorySearch":
      return historyOverlay(model, session)
    case "OpenHelp":
      return withoutCommands(openPicker(model, "help"))
    case "Listing":
      return withoutCommands(openOverlay(model, { _tag: "Listing", title: command.title, lines: command.lines, top: 0 }))
    case "Bell":
    case "StorePaste":
    case "Unhandled":
    case "Scroll":
      return withoutCommands(model)
    case "PipeThrough": {
      const { lines } = bufferIn(session.prompt.editor)
      const { first, last, command: line } = command
      return withCommands(model, {
        _tag: "FilterPrompt",
        session: session.id,
        command: line,
        first,
        lines: lines.slice(first, last + 1)
      })
    }
  }
}

const afterStep = (model: AppModel, { prompt, commands }: PromptStep): Update =>
  commands.reduce<Update>(
    (update, command) => andThen(update, (next) => onCommand(next, command)),
    withoutCommands(withCurrent(model, (each) => ({ ...each, prompt })))
  )

/** Who types has something of their own to say: what could be suggested is not waited for. */
const dropSuggestion = (session: SessionModel): ReadonlyArray<Cmd> =>
  session.state.side.runs.some(({ kind, isWanted }) => kind === "prompt_suggestion" && isWanted)
    ? [{ _tag: "SideTask", session: session.id, wish: { _tag: "SideDropped", kind: "prompt_suggestion" } }]
    : []

/** A key or a paste for the editor of the prompt. */
export const onPromptInput = (model: AppModel, input: Stroke | PasteEvent): Update => {
  const session = currentSession(model)
  if (session === undefined) return withoutCommands(model)
  const [next, cmds] = afterStep(model, updatePrompt(session.prompt, input, contextOf(model, session)))
  return [next, [...cmds, ...dropSuggestion(session)]]
}

/** Undefined where the action means nothing to the prompt as it is. */
export const onPromptAct = (model: AppModel, act: PromptAct): Update | undefined => {
  const session = currentSession(model)
  const step = session === undefined ? undefined : actInPrompt(session.prompt, act, contextOf(model, session))
  return step === undefined ? undefined : afterStep(model, step)
}

export const openHistory = (model: AppModel): Update => {
  const session = currentSession(model)
  return session === undefined ? withoutCommands(model) : historyOverlay(model, session)
}
