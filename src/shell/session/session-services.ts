import { Effect, Layer } from "effect"
import { readVariable } from "../../core/domain/env.ts"
import type { AgentId } from "../../core/domain/id.ts"
import type { Message } from "../../core/domain/message.ts"
import type { ExitGuard } from "../../core/ports/ExitGuard.ts"
import type { Process } from "../../core/ports/Process.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { recallFiles } from "../../core/tools/files/restore-file-state.ts"
import { ownProcesses, type Ports } from "../layers/ports.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { VERSION } from "../process/version.ts"
import { disabled as persistDisabled, layer as persistLayer, Persist } from "../runtime/persist.ts"
import { layer as publicationsLayer, type Publications } from "../runtime/publications.ts"
import type { Continued } from "../runtime/transcript-recorder.ts"
import { type BackgroundTasks, layer as backgroundTasksLayer } from "../tools/services/background-tasks.ts"
import { layer as webSearchesLayer, type WebSearches } from "../tools/services/web-searches.ts"
import { layer as toolboxLayer, type Toolbox } from "../tools/toolbox.ts"
import { layer as fileStateLayer } from "../tools/services/file-state.ts"
import type { Pages } from "../tools/services/web-page-cache.ts"
import type { ChosenSession } from "./choose-session.ts"

/** What all sessions of the process share. */
export type ApplicationServices = Pages | Ports

/** What the agents of a session share. */
export type SessionServices = ApplicationServices | BackgroundTasks | Publications | Toolbox | WebSearches

/** Closing the scope ends the session's processes, and only those. */
export const sessionLayer: Layer.Layer<
  BackgroundTasks | Process | Publications | Sandbox | Toolbox | WebSearches,
  never,
  ExitGuard
> = Layer.mergeAll(backgroundTasksLayer, publicationsLayer, toolboxLayer, webSearchesLayer, ownProcesses)

const entrypointOf = (plan: SessionPlan): string =>
  readVariable(plan.env, "ENTRYPOINT") ?? (plan.start.printBecause === undefined ? "cli" : "sdk-cli")

/** Our own credentials never reach the disk inside a tool result. */
export const secretsOf = (plan: SessionPlan): ReadonlyArray<string> =>
  [plan.credential?.apiKey, plan.credential?.authToken].filter((secret) => secret !== undefined)

/** Only what the writer needs of a session that was read: the rest may be large. */
const continuedOf = ({ chain, standing }: Continued): Continued => ({ chain, standing })

/** A conversation that is written: a session's own, or that of an agent beside its first one. */
export interface WrittenConversation extends ChosenSession {
  readonly agentId?: AgentId
}

const transcriptLayer = (plan: SessionPlan, session: WrittenConversation, branch: string | undefined) =>
  persistLayer(
    {
      path: session.path,
      context: {
        sessionId: session.sessionId,
        cwd: plan.cwd,
        version: VERSION,
        entrypoint: entrypointOf(plan),
        isSidechain: session.agentId !== undefined,
        ...(session.agentId === undefined ? {} : { agentId: session.agentId }),
        ...(branch === undefined ? {} : { gitBranch: branch })
      },
      ...(session.loaded === undefined ? {} : { continued: continuedOf(session.loaded) })
    },
    { secrets: secretsOf(plan) }
  )

/** A new session is answered although it cannot be saved; one that is continued must not lose what comes. */
const persistFor = (plan: SessionPlan, session: WrittenConversation, branch: string | undefined) => {
  if (!plan.start.session.persist) return persistDisabled
  const transcript = transcriptLayer(plan, session, branch)
  if (session.loaded !== undefined)
    return Layer.catchTag(transcript, "RecordsFailure", ({ message }) => Layer.effect(Persist, Effect.fail(message)))
  return Layer.catchTag(transcript, "RecordsFailure", (failure) => {
    plan.complain(`This session is not saved: ${failure.message}. Fix: make the config directory writable`)
    return persistDisabled
  })
}

/** On its own, so that nothing but this holds the messages that were read, and nothing holds what else was. */
export const recalledFiles = ({ loaded }: ChosenSession) => {
  const messages = loaded?.messages ?? []
  return fileStateLayer({ initial: () => recallFiles(messages) })
}

/** Of a conversation that nobody reads again. */
export const unwrittenMemory = (messages: ReadonlyArray<Message>) =>
  Layer.merge(fileStateLayer({ initial: () => recallFiles(messages) }), persistDisabled)

/** What the conversation goes on with, and where it is written. */
export const memoryOf = (plan: SessionPlan, session: WrittenConversation, branch: string | undefined) =>
  Layer.merge(recalledFiles(session), persistFor(plan, session, branch))
