import { isOnboardingKey } from "./keys/chords.ts"
import { type Performed, perform } from "./keys/perform.ts"
import { settleInline } from "./settle-inline.ts"
import { MOST_PASTED, pasteInto } from "../editor/field.ts"
import type { InputEvent } from "../terminal/input/event.ts"
import { countText } from "../../core/domain/text/count-text.ts"
import { listRedrawn } from "../transcript/list/update.ts"
import { focusOn, restoreFocus } from "../model/windows/layout-and-focus.ts"
import { ANSWER_GUARD_MS, chooseAttention } from "../model/questions/attention.ts"
import { withCommands, notify, withoutCommands, andThen, type Update } from "../model/update-result.ts"
import { callBack } from "./session/notify-away.ts"
import { saveDrafts } from "../model/prompt/drafts.ts"
import { needsFullHistory } from "../panes/panes.ts"
import { readEarlier } from "../model/conversation/history-paging.ts"
import { askForKept, keepChanges } from "../model/persisted-registers.ts"
import { keepLayouts } from "../model/windows/saved-layouts.ts"
import { onInterruptKey } from "./keys/interrupt.ts"
import { type AppModel, withSession } from "../model/app-model.ts"
import type { Happening, Msg } from "../model/msg.ts"
import { addNotice } from "../model/notices.ts"
import { onChordTimeout, onKey, onMappingTimeout } from "./keys/on-key.ts"
import { onLinePaste } from "./keys/on-line-input.ts"
import { onMouse } from "./mouse/on-mouse.ts"
import { onFocus, onAwaited, onNews, onOpened } from "./session/on-session.ts"
import { passOnboarding } from "../overlays/dialogs/on-onboarding.ts"
import { onPromptInput } from "../panes/prompt/on-prompt-key.ts"
import { onReply } from "./on-terminal-reply.ts"
import { foundWhenOpened } from "../overlays/pickers/find-in-session.ts"
import { openBrowser } from "../overlays/pickers/on-browser.ts"
import { closeOverlay } from "../model/open-overlay.ts"
import { answerForAbsent } from "../model/questions/answer-unattended.ts"
import { AWAITED, isRunning, type SessionModel } from "../model/session-model.ts"
import { leaveOverlay, openFieldOf } from "../overlays/overlay-keys.ts"
import { shownOverlay } from "../overlays/shown-overlay.ts"
import { askStatusLine } from "../model/status-line.ts"
import { onShellReply } from "./session/shell-replies.ts"
import { transcriptContextOf } from "../model/conversation/transcript-context.ts"
import { releaseWaiting } from "./commands/run-when-idle.ts"
import { CHORD_TIMEOUT_MS, onTick } from "./wake.ts"

/** The one door of the interface: a message and the model, the next model and what is to be done. It only routes. */

type Of<Tag extends Happening["_tag"]> = Extract<Happening, { readonly _tag: Tag }>

const TOO_LONG = `one line takes the first ${countText(MOST_PASTED)} characters of a paste; the rest is left out`

const onPaste = (model: AppModel, text: string): Update => {
  const overlay = shownOverlay(model)
  const noted = text.length > MOST_PASTED ? notify(model, TOO_LONG, { style: "warning" }) : model
  if (model.line !== undefined) return withoutCommands(onLinePaste(noted, model.line, text))
  if (overlay !== undefined) {
    const field = openFieldOf(noted, overlay)
    return withoutCommands(field === undefined ? model : field.put(pasteInto(field.value, text)))
  }
  const typing = { ...model, keys: { ...model.keys, lastTypedAt: model.now } }
  return onPromptInput(focusOn(typing, "prompt"), { _tag: "Paste", text })
}

/** What the prompt would look like, where the event asks for nothing to be done. */
const rehearsed = (model: AppModel, event: InputEvent): AppModel => {
  const [next, cmds] = onInput(model, event)
  const prompt = next.sessions.get(AWAITED)?.prompt
  return cmds.length === 0 && prompt !== undefined
    ? withSession(model, AWAITED, (session) => ({ ...session, prompt }))
    : model
}

/**
 * Before the first session is open only leaving and the dialog work at once. Everything else typed waits for it; what
 * it does to the prompt is shown meanwhile.
 */
const onEarlyInput = (model: AppModel, event: InputEvent): Update => {
  if (shownOverlay(model) !== undefined) return onInput(model, event)
  const isLeaving = event._tag === "Key" && (event.stroke === "<C-c>" || event.stroke === "<C-d>")
  const waits = (event._tag === "Key" && !isLeaving) || event._tag === "Paste"
  return waits ? withoutCommands({ ...rehearsed(model, event), early: [...model.early, event] }) : onInput(model, event)
}

const isOpening = ({ sessions }: AppModel): boolean => sessions.size === 0 || sessions.has(AWAITED)

/** The first key asks for what was kept; before a session is open there is nothing to give it to. */
const askedFor = (model: AppModel, event: InputEvent): Update =>
  event._tag === "Key" && !isOpening(model) ? askForKept(model) : withoutCommands(model)

const onEarly = (model: AppModel, event: InputEvent): Update =>
  andThen(saving(model, onInput(chooseAttention(model), event)), (next) => askedFor(next, event))

const onFirstSession = (model: AppModel): Update =>
  model.early.reduce<Update>(
    (update, event) => andThen(update, (next) => onEarly(next, event)),
    withoutCommands({ ...model, early: [] })
  )

const onSessionOpened = (model: AppModel, { facts, replaces }: Of<"SessionOpened">): Update =>
  andThen(saving(model, onOpened(model, facts, replaces)), (next) => onFirstSession(foundWhenOpened(next)))

/** An update that keeps what it did to unsent text. */
const saving = (before: AppModel, update: Update): Update => andThen(update, (next) => saveDrafts(before, next))

const onInput = (model: AppModel, event: InputEvent): Update => {
  switch (event._tag) {
    case "Key":
      return onKey(model, event)
    case "Paste":
      return andThen(onMappingTimeout(model), (next) => onPaste(next, event.text))
    case "Mouse":
      return onMouse(model, event)
    case "Focus":
      return onFocus(model, event.gained)
    case "Reply":
      return onReply(model, event.reply)
    case "Unknown":
      return withoutCommands({ ...model, unknownInput: model.unknownInput + 1 })
  }
}

/** An Escape that came too early for the dialog is given to it now. */
const onHeldEscape = (model: AppModel): Update => {
  const overlay = shownOverlay(model)
  const isDue = model.overlays.heldEscape && model.now - model.overlays.shownSince >= ANSWER_GUARD_MS
  if (!isDue || overlay === undefined) return withoutCommands(model)
  const calm = { ...model, overlays: { ...model.overlays, heldEscape: false } }
  return leaveOverlay(calm, overlay) ?? withoutCommands(calm)
}

/** Another size: every session keeps the text at the top of its view where it is. */
const onResized = (model: AppModel, size: AppModel["size"]): AppModel => {
  const resized = restoreFocus({ ...model, size })
  const sessions = new Map(
    [...resized.sessions].map(
      ([id, session]) =>
        [id, { ...session, list: listRedrawn(session.list, transcriptContextOf(resized, session)) }] as const
    )
  )
  return { ...resized, sessions }
}

const route = (model: AppModel, happening: Happening): Update => {
  switch (happening._tag) {
    case "Input":
      return andThen(
        passOnboarding(model, happening.event, (stroke) => isOnboardingKey(model, stroke)),
        (next) => (isOpening(next) ? onEarlyInput(next, happening.event) : onInput(next, happening.event))
      )
    case "Resized":
      return withoutCommands(onResized(model, happening.size))
    case "Ticked": {
      const { pending, pendingSince, typed, typedSince } = model.keys
      const isLate = pending.length > 0 && model.now - pendingSince >= CHORD_TIMEOUT_MS
      const isTyped = typed.length > 0 && model.now - typedSince >= CHORD_TIMEOUT_MS
      return [
        (next: AppModel) => (isLate ? onChordTimeout(next) : withoutCommands(next)),
        (next: AppModel) => (isTyped ? onMappingTimeout(next) : withoutCommands(next)),
        answerForAbsent
      ].reduce(andThen, onHeldEscape(onTick(model)))
    }
    case "Session":
      return onNews(model, happening.session, happening.news)
    case "SessionAwaited":
      return withoutCommands(onAwaited(model, happening.facts))
    case "SessionOpened":
      return onSessionOpened(model, happening)
    case "SessionRefused":
      return withoutCommands(notify(model, happening.reason, { style: "error", timeoutMs: 12_000 }))
    case "Browse":
      return openBrowser(model)
    case "InterruptSignal":
      return onInterruptKey(model)
    case "Told":
      return withoutCommands({ ...model, notices: addNotice(model.notices, happening.notice, model.now) })
    default:
      return onShellReply(model, happening)
  }
}

const released = (model: AppModel): Update => saving(model, releaseWaiting(model))

/** Somebody who wants to leave and was asked about running work leaves when it is done. */
const leaveWhenDone = (model: AppModel): Update => {
  const isBusy = (session: SessionModel): boolean =>
    isRunning(session) || session.waiting.length > 0 || session.shells.length > 0
  const isWaiting = model.overlays.opened?._tag === "Exit" && ![...model.sessions.values()].some(isBusy)
  return isWaiting ? withCommands(closeOverlay(model), { _tag: "Quit", code: 0 }) : withoutCommands(model)
}

const readsEarlier = (model: AppModel): Update => readEarlier(model, needsFullHistory)

export const update = (model: AppModel, { at, ...happening }: Msg): Performed => {
  const now = { ...model, now: at }
  const settled = (next: AppModel): Update => withoutCommands(chooseAttention(settleInline(now, next)))
  const routed = perform(route(now, happening))
  const saved = happening._tag === "SessionOpened" ? routed : saving(now, routed)
  const done = [leaveWhenDone, released, callBack, settled, readsEarlier, askStatusLine].reduce(andThen, saved)
  if (happening._tag !== "Input") return perform(done)
  const { event } = happening
  return perform(
    andThen(
      andThen(done, (next) => andThen(keepChanges(now, next), (kept) => keepLayouts(now, kept))),
      (next) => askedFor(next, event)
    )
  )
}
