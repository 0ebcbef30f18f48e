import { Effect, Result } from "effect"
import { lookupMessage, Records } from "../../../../core/ports/Records.ts"
import type { CmdOf, SessionTarget } from "../../../../tui/model/cmd.ts"
import type { EarlierPage, SessionHandle } from "../../../session/session-handle.ts"
import { chooseModel } from "../../../plan/choose-model.ts"
import type { PerformContext } from "../context/command-context.ts"

/** Commands that go to one session, and those that open and close them. */
export const withSession = (context: PerformContext, id: string, use: (session: SessionHandle) => void): void => {
  const session = context.sessions.get(id)
  if (session === undefined) context.notice("that session is not open any more", "warning")
  else use(session)
}

/** A model that cannot be used is refused before anything changes. */
export const setModel = (context: PerformContext, { session, model, effort }: CmdOf<"SetModel">): void =>
  withSession(context, session, (handle) => {
    const chosen = chooseModel(context.plan, { session: model })
    if (Result.isFailure(chosen)) return context.notice(chosen.failure, "error")
    handle.setModel(model)
    if (effort !== undefined) handle.offer({ _tag: "ModelChosen", choice: { ...handle.state().config.choice, effort } })
  })

/** Off says so to the endpoint; on again is what the model and the flags say, which a fresh configuration works out. */
export const setThinking = (context: PerformContext, { session, on }: CmdOf<"SetThinking">): void =>
  withSession(context, session, (handle) => {
    if (on) handle.setModel(handle.state().config.choice.model)
    else {
      const thinking = { type: "disabled" as const }
      handle.offer({ _tag: "ModelChosen", choice: { ...handle.state().config.choice, thinking } })
    }
  })

const TITLE_CHARS = 200

/** One line without control characters, as every list shows it. */
const cleanTitle = (title: string): string =>
  title
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\s]+/g, " ")
    .trim()
    .slice(0, TITLE_CHARS)

/** Gives a session on disk a name, unless another process writes to it. */
const renameStored = Effect.fnUntraced(function* (cwd: string, sessionId: string, customTitle: string) {
  const records = yield* Records
  const found = yield* records.findById(sessionId, [cwd])
  if (found._tag !== "Found") return lookupMessage(sessionId, found)
  const holder = yield* records.holder(sessionId)
  if (holder !== null) return `that session is open in process ${holder.pid}. Fix: rename it there`
  const writer = yield* records.open(found.file.path)
  writer.append([JSON.stringify({ type: "custom-title", customTitle, sessionId })])
  const status = writer.status()
  yield* writer.close
  return status._tag === "Ok" ? undefined : `the name was not written: ${status.message}`
})

export const rename = (context: PerformContext, { session, title }: CmdOf<"Rename">): void => {
  const name = cleanTitle(title)
  if (name === "") {
    context.notice("a name needs at least one character", "warning")
    return
  }
  const open = context.sessions.get(session)
  if (open !== undefined) {
    open.rename(name)
    return
  }
  context.attempt("the session was not renamed", async () => {
    const problem = await context.withPorts(renameStored(context.plan.cwd, session, name))
    if (problem !== undefined) context.notice(problem, "error")
  })
}

/** A page that cannot be read comes back as an empty one, so that the rest stays within reach. */
export const readEarlier = (
  { sessions, tell, notice, attempt }: PerformContext,
  { session, page }: CmdOf<"ReadEarlier">
): void =>
  attempt("the earlier part cannot be read", async () => {
    const read = await Effect.runPromise(Effect.result(sessions.get(session)?.earlier.read(page) ?? Effect.succeed([])))
    if (Result.isFailure(read)) notice(`the earlier part cannot be read: ${read.failure}`, "error")
    tell({ _tag: "EarlierRead", session, page, messages: Result.isSuccess(read) ? read.success : [] })
  })

/** Only what can be read again may be let go. */
export const askWhetherStored = (
  { sessions, tell }: PerformContext,
  { session, before }: CmdOf<"AskWhetherStored">
): void => {
  if (sessions.get(session)?.earlier.isStored() === true) tell({ _tag: "EarlierStored", session, before })
}

const NO_PAGE: EarlierPage = { page: 0, messages: [] }

/** The same for a part that was let go, whose pages have to be counted first. */
export const readReleased = (
  { sessions, tell, notice, attempt }: PerformContext,
  { session, before }: CmdOf<"ReadReleased">
): void =>
  attempt("the earlier part cannot be read", async () => {
    const handle = sessions.get(session)
    const read = await Effect.runPromise(Effect.result(handle?.earlier.readBefore(before) ?? Effect.succeed(NO_PAGE)))
    if (Result.isFailure(read)) notice(`the earlier part cannot be read: ${read.failure}`, "error")
    tell({ _tag: "EarlierRead", session, before, ...(Result.isSuccess(read) ? read.success : NO_PAGE) })
  })

/** Opens sessions one command after the other says so, and fills the prompt of the one that was asked for last. */
export class SessionOpener {
  private draft: string | undefined

  constructor(private readonly context: PerformContext) {}

  draftNext(text: string): void {
    this.draft = text
  }

  open({ which, replaces }: CmdOf<"OpenSession">): void {
    // The text for its prompt comes with the same batch of commands, right behind this one.
    queueMicrotask(() => {
      const draft = this.draft
      this.draft = undefined
      this.context.attempt("the session could not be opened", () => this.opened(which, replaces, draft))
    })
  }

  close(session: string): void {
    const { sessions, attempt } = this.context
    attempt("the session was not closed cleanly", () => Effect.runPromise(sessions.close(session)))
  }

  private async opened(which: SessionTarget, replaces: string | undefined, draft: string | undefined): Promise<void> {
    const { sessions, tell } = this.context
    const opened = await Effect.runPromise(Effect.result(sessions.open(which, replaces)))
    if (Result.isFailure(opened)) tell({ _tag: "SessionRefused", reason: opened.failure })
    else if (draft !== undefined) tell({ _tag: "InsertText", session: opened.success.facts.sessionId, text: draft })
  }
}
