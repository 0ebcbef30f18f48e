import { Effect, Layer } from "effect"
import { readVariable } from "../../core/domain/env.ts"
import { recallFiles } from "../../core/tools/files/restore-file-state.ts"
import type { HostRequests } from "../sandbox/host-requests.ts"
import { layer as commandPolicyLayer } from "../sandbox/command-policy.ts"
import { layer as backgroundTasksLayer } from "../tools/services/background-tasks.ts"
import { layer as fileStateLayer } from "../tools/services/file-state.ts"
import type { Ports } from "../layers/ports.ts"
import { AgentLoop, type Driver } from "../runtime/driver.ts"
import { layer as pagesLayer } from "../tools/services/web-page-cache.ts"
import { disabled as persistDisabled, layer as persistLayer, type Persist } from "../runtime/persist.ts"
import type { Continued } from "../runtime/transcript-recorder.ts"
import { layer as todosLayer } from "../tools/services/todos.ts"
import { sandboxOf } from "./session-settings.ts"
import type { ToolServices } from "../tools/built-in-tools.ts"
import { VERSION } from "../process/version.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import { reachLayer } from "../tools/services/search-visibility-layer.ts"
import type { ChosenSession } from "./choose-session.ts"

/** Everything a conversation runs on. */
export type Services = AgentLoop | Ports | ToolServices | Persist

const entrypointOf = (plan: SessionPlan): string =>
  readVariable(plan.env, "ENTRYPOINT") ?? (plan.start.printBecause === undefined ? "cli" : "sdk-cli")

/** Our own credentials never reach the disk inside a tool result. */
export const secretsOf = (plan: SessionPlan): ReadonlyArray<string> =>
  [plan.credential?.apiKey, plan.credential?.authToken].filter((secret) => secret !== undefined)

/** Only what the writer needs of a session that was read: the rest may be large. */
const continuedOf = ({ chain, standing }: Continued): Continued => ({ chain, standing })

const transcriptLayer = (plan: SessionPlan, session: ChosenSession, branch: string | undefined) =>
  persistLayer(
    {
      path: session.path,
      context: {
        sessionId: session.sessionId,
        cwd: plan.cwd,
        version: VERSION,
        entrypoint: entrypointOf(plan),
        isSidechain: false,
        ...(branch === undefined ? {} : { gitBranch: branch })
      },
      ...(session.loaded === undefined ? {} : { continued: continuedOf(session.loaded) })
    },
    { secrets: secretsOf(plan) }
  )

/** A new session is answered although it cannot be saved; one that is continued must not lose what comes. */
const persistFor = (plan: SessionPlan, session: ChosenSession, branch: string | undefined) => {
  if (!plan.start.session.persist) return persistDisabled
  const transcript = transcriptLayer(plan, session, branch)
  if (session.loaded !== undefined) return transcript
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

export interface ServicesInput {
  readonly plan: SessionPlan
  readonly session: ChosenSession
  readonly branch: string | undefined
  readonly loop: Driver
  readonly hosts: HostRequests
}

/** Builds the session's own services on top of the ports. What they do follows the rules in force when it is done. */
export const buildServices = ({ plan, session, branch, loop, hosts }: ServicesInput) => {
  const permission = () => loop.state().permission
  const own = Layer.mergeAll(
    Layer.succeed(AgentLoop, loop),
    backgroundTasksLayer,
    recalledFiles(session),
    pagesLayer,
    reachLayer(permission),
    commandPolicyLayer({ settings: () => sandboxOf(plan), permission, configHome: plan.configHome, hosts }),
    todosLayer,
    persistFor(plan, session, branch)
  )
  return Effect.mapError(Layer.build(own), (failure) => failure.message)
}
