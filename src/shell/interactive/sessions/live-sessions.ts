import { Effect } from "effect"
import { MAIN_AGENT } from "../../../core/domain/id.ts"
import type { PermissionAnswer } from "../../../core/loop/machine/event.ts"
import type { AgentState } from "../../../core/loop/machine/state.ts"
import type { Happening, SessionNews } from "../../../tui/model/msg.ts"
import type { SessionTarget } from "../../../tui/model/cmd.ts"
import type { SavedDraft } from "../../../tui/prompt/model.ts"
import type { SessionOptions } from "../../cli/options.ts"
import type { Application } from "../../session/application.ts"
import type { SessionHandle } from "../../session/session-handle.ts"
import type { Audience } from "../../runtime/audience.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"

/**
 * The sessions of this process. Each has its own loop, permissions and files; what one says carries its id, and
 * nothing is shared between two of them.
 */
export interface LiveSessionsOptions {
  readonly application: Pick<Application, "open" | "plan">
  readonly tell: (happening: Happening) => void
  /** The answer of a session grew. */
  readonly grow: (sessionId: string) => void
  readonly draftOf: (sessionId: string) => SavedDraft | undefined
  readonly adoptDraft: (sessionId: string, cwd: string) => SavedDraft | undefined
}

const MOST_SESSIONS = 32

const wishOf = (wish: SessionTarget): Partial<SessionOptions> => {
  switch (wish._tag) {
    case "New":
      return { from: { _tag: "New" }, fork: false }
    case "Resume":
      return { from: { _tag: "Resume", session: wish.sessionId }, fork: false }
    case "Fork":
      return {
        from: { _tag: "Resume", session: wish.sessionId },
        fork: true,
        ...(wish.upTo === undefined ? {} : { resumeAt: wish.upTo })
      }
  }
}

/** The first session keeps what the command line said; later ones are their own. */
const planFor = (plan: SessionPlan, wish: SessionTarget): SessionPlan => {
  const { sessionId: _id, resumeAt: _at, name: _name, ...session } = plan.start.session
  return { ...plan, start: { ...plan.start, session: { ...session, ...wishOf(wish) } } }
}

export class LiveSessions {
  private readonly live = new Map<string, SessionHandle>()
  private opening = 0

  constructor(private readonly options: LiveSessionsOptions) {}

  get(id: string): SessionHandle | undefined {
    return this.live.get(id)
  }

  /** Answers a question. One that was answered or withdrawn before is left alone. */
  answer(id: string, callId: string, answer: PermissionAnswer): void {
    this.get(id)?.answer(callId, answer)
  }

  /** Opens the session that the command line asked for. */
  readonly openFirst: Effect.Effect<SessionHandle, string> = Effect.suspend(() =>
    Effect.flatMap(this.options.application.plan, (plan) => this.openPlan(plan, undefined))
  )

  open(wish: SessionTarget, replaces: string | undefined): Effect.Effect<SessionHandle, string> {
    if (this.live.size + this.opening >= MOST_SESSIONS) {
      return Effect.fail(`${MOST_SESSIONS} sessions are open, which is the most. Fix: close one (:q)`)
    }
    return Effect.flatMap(this.options.application.plan, (plan) => this.openPlan(planFor(plan, wish), replaces))
  }

  close(id: string): Effect.Effect<void> {
    const handle = this.get(id)
    this.live.delete(id)
    return handle === undefined ? Effect.void : handle.close(0)
  }

  readonly closeAll: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach([...this.live.keys()], (id) => this.close(id), { concurrency: "unbounded", discard: true })
  )

  private openPlan(plan: SessionPlan, replaces: string | undefined): Effect.Effect<SessionHandle, string> {
    // A session may speak before it has told its id.
    const early: Array<(state: AgentState) => SessionNews> = []
    let handle: SessionHandle | undefined
    const say = (news: (state: AgentState) => SessionNews): void => {
      if (handle === undefined) early.push(news)
      else this.options.tell({ _tag: "Session", session: handle.facts.sessionId, news: news(handle.state()) })
    }
    this.opening += 1
    const grow = (): void => {
      if (handle !== undefined) this.options.grow(handle.facts.sessionId)
    }
    return this.options.application.open(plan, audienceOf(say, grow)).pipe(
      Effect.tap((opened) =>
        Effect.sync(() => {
          handle = opened
          this.live.set(opened.facts.sessionId, opened)
          this.introduce(opened, replaces)
          for (const news of early) say(news)
        })
      ),
      Effect.ensuring(Effect.sync(() => (this.opening -= 1)))
    )
  }

  private introduce({ facts, state, earlier }: SessionHandle, replaces: string | undefined): void {
    const { sessionId, cwd, branch, title } = facts
    const isFirst = this.live.size === 1 && replaces === undefined && state().conversation.messages.length === 0
    const own = this.options.draftOf(sessionId)
    const draft = own ?? (isFirst ? this.options.adoptDraft(sessionId, cwd) : undefined)
    const opened = { sessionId, cwd, branch, title, state: state(), draft, earlierPages: earlier.pages }
    this.options.tell({ _tag: "SessionOpened", replaces, facts: opened })
  }
}

const audienceOf = (say: (news: (state: AgentState) => SessionNews) => void, grow: () => void): Audience => ({
  onItem: ({ agent, item }) => {
    if (agent === MAIN_AGENT && item._tag === "Emitted") {
      say((state) => ({ _tag: "Emitted", emission: item.emission, state }))
    }
  },
  onGrowth: (agent) => {
    if (agent === MAIN_AGENT) grow()
  },
  shows: ["prompt_suggestion", "away_summary"],
  ask: (question) => {
    say((state) => ({ _tag: "Asked", question, state }))
    return () => say((state) => ({ _tag: "Withdrawn", callId: question.callId, state }))
  }
})
