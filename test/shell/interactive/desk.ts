import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Result } from "effect"
import type { Env } from "../../../src/core/domain/env.ts"
import { parseArgv } from "../../../src/shell/cli/parse.ts"
import { LiveSessions } from "../../../src/shell/interactive/sessions/live-sessions.ts"
import { makePerformer, type Performer } from "../../../src/shell/interactive/commands/perform.ts"
import { Application } from "../../../src/shell/session/application.ts"
import type { SessionHandle } from "../../../src/shell/session/session-handle.ts"
import { planSession, type SessionPlan } from "../../../src/shell/plan/session-plan.ts"
import type { Happening } from "../../../src/tui/model/msg.ts"
import { makePools, poolSizes } from "../../../src/tui/screen/cell/pools.ts"
import { BASIC_CAPABILITIES, type Capabilities } from "../../../src/tui/terminal/render/capabilities.ts"
import type { OutOfBand } from "../../../src/tui/terminal/render/op.ts"
import { NO_STATS } from "../../../src/tui/terminal/render/stats.ts"

/** A performer at work in directories of its own, with real sessions and everything it tells written down. */
export interface Desk {
  readonly cwd: string
  readonly configHome: string
  readonly plan: SessionPlan
  readonly performer: Performer
  readonly application: Application
  readonly sessions: LiveSessions
  readonly heard: ReadonlyArray<Happening>
  readonly sent: ReadonlyArray<OutOfBand>
  readonly quits: ReadonlyArray<number>
  /** How often the terminal was lent. */
  readonly lent: () => number
  /** The first thing told that fits, now or later. */
  readonly until: <A extends Happening>(fits: (happening: Happening) => happening is A) => Promise<A>
  readonly openSession: () => Promise<SessionHandle>
  readonly close: () => Promise<void>
}

export const isTold =
  <Tag extends Happening["_tag"]>(tag: Tag) =>
  (happening: Happening): happening is Extract<Happening, { readonly _tag: Tag }> =>
    happening._tag === tag

/** Of a tag, and more. */
export const isToldThat =
  <Tag extends Happening["_tag"]>(tag: Tag, fits: (happening: Extract<Happening, { readonly _tag: Tag }>) => boolean) =>
  (happening: Happening): happening is Extract<Happening, { readonly _tag: Tag }> =>
    isTold(tag)(happening) && fits(happening)

/** A notice with these words. */
export const isNotice = (words: string) => isToldThat("Told", ({ notice }) => notice.text.includes(words))

const makeEar = () => {
  const heard: Array<Happening> = []
  const waiting = new Set<(happening: Happening) => void>()
  return {
    heard,
    tell: (happening: Happening): void => {
      heard.push(happening)
      for (const listener of waiting) listener(happening)
    },
    until: <A extends Happening>(fits: (happening: Happening) => happening is A): Promise<A> =>
      new Promise((resolve) => {
        const listener = (happening: Happening): void => {
          if (!fits(happening)) return
          waiting.delete(listener)
          resolve(happening)
        }
        waiting.add(listener)
        for (const happening of heard) listener(happening)
      })
  }
}

const planIn = (root: string, env: Env): SessionPlan => {
  const cwd = join(root, "work")
  const home = join(root, "home")
  mkdirSync(cwd)
  mkdirSync(home)
  const invocation = Result.getOrThrow(parseArgv([], { stdoutIsTerminal: true }))
  if (invocation._tag !== "Start") throw new Error("the arguments start no session")
  const given: Env = {
    PATH: process.env["PATH"],
    NACRE_CONFIG_DIR: join(root, "config"),
    NACRE_OFFLINE_DELAY_MS: "0",
    SHELL: "/bin/sh",
    ...env
  }
  return Result.getOrThrow(planSession(invocation, given, () => {}, { cwd, home }))
}

export const openDesk = (setup: { readonly env?: Env; readonly caps?: Partial<Capabilities> } = {}): Desk => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "nacre-desk-")))
  const plan = planIn(root, setup.env ?? {})
  const { heard, tell, until } = makeEar()
  const sent: Array<OutOfBand> = []
  const quits: Array<number> = []
  let lent = 0
  const application = new Application()
  application.follow(plan)
  const sessions: LiveSessions = new LiveSessions({
    application,
    tell,
    grow: () => {},
    draftOf: (id) => performer.draftOf(id),
    adoptDraft: (id, cwd) => performer.adoptDraft(id, cwd)
  })
  const performer: Performer = makePerformer({
    plan,
    application,
    sessions,
    tell,
    answerTrust: () => {},
    answerSettings: () => {},
    terminal: {
      lend: (use) => {
        lent += 1
        return use(new AbortController().signal)
      },
      sendOutOfBand: (op) => sent.push(op),
      redraw: () => {},
      suspend: () => {},
      quit: (code) => quits.push(code),
      caps: () => ({ ...BASIC_CAPABILITIES, ...setup.caps }),
      counters: () => ({ frames: NO_STATS, pools: poolSizes(makePools()), unknownInput: 3 })
    }
  })
  return {
    cwd: plan.cwd,
    configHome: plan.configHome,
    plan,
    performer,
    application,
    sessions,
    heard,
    sent,
    quits,
    lent: () => lent,
    until,
    openSession: () => Effect.runPromise(sessions.openFirst),
    close: async () => {
      performer.flush()
      await Effect.runPromise(Effect.andThen(sessions.closeAll, application.close))
      rmSync(root, { recursive: true, force: true })
    }
  }
}

/** Runs a test at a desk and clears it away. */
export const atDesk =
  (use: (desk: Desk) => Promise<void>, setup?: Parameters<typeof openDesk>[0]) => async (): Promise<void> => {
    const desk = openDesk(setup)
    try {
      await use(desk)
    } finally {
      await desk.close()
    }
  }
