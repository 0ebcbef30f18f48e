/** What holds for every command of a session: whether and how it is confined, and what we have to do with a failure. */
import { Context, Effect, Layer } from "effect"
import type { CallId } from "../../core/domain/id.ts"
import { type Env, DEFAULT_SCRUB, type EnvironmentScrub } from "../../core/domain/env.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import type { SandboxProblem } from "../../core/permission/facts.ts"
import { ruleGlobs, unreadableGlobs } from "../../core/permission/rules/search-visibility.ts"
import { type Confined, type ConfineRequest, Sandbox, SandboxFailure } from "../../core/ports/Sandbox.ts"
import { literalPath } from "../../core/sandbox/absolute-glob.ts"
import type { NetworkPolicy } from "../../core/sandbox/network.ts"
import type { SandboxSettings } from "../../core/sandbox/settings.ts"
import { isExcluded } from "../../core/permission/decide/excluded-commands.ts"
import { isNetworkless } from "../../core/sandbox/offline-commands.ts"
import { networkPolicy } from "../../core/sandbox/plan.ts"
import { hostLists } from "../../core/sandbox/unknown-hosts.ts"
import { violationBlock, violationsOf } from "../../core/sandbox/violations.ts"
import { missedVariables, scrubHint } from "../../core/tools/bash/invocation.ts"
import type { HostRequests } from "./host-requests.ts"

export interface CommandToConfine {
  readonly callId: CallId
  readonly command: string
  /** Real path of the directory it starts in; being started there gives no right to write there. */
  readonly cwd: string
  readonly writableFiles: ReadonlyArray<string>
  /** The call asks to run outside of the sandbox. */
  readonly outside: boolean
}

export interface RemarkableEnd {
  readonly failed: boolean
  readonly command: string
  readonly env: Env
  readonly scrub: EnvironmentScrub | undefined
  readonly cwd: string
  readonly output: string
  readonly confined: Confined | undefined
}

export class CommandPolicy extends Context.Service<
  CommandPolicy,
  {
    /** Undefined: the command runs outside. A failure: it must not run at all. */
    readonly confine: (call: CommandToConfine) => Effect.Effect<Confined | undefined, SandboxFailure>
    /** Why commands cannot be confined although they must be; undefined when they can. */
    readonly problem: Effect.Effect<SandboxProblem | undefined>
    /** How long a command has waited for words about hosts: time that does not count against it. */
    readonly waitedMs: (callId: CallId) => number
    /** What our own doing means for how a command ended; a hint is given once for a variable. */
    readonly remarks: (ended: RemarkableEnd) => ReadonlyArray<string>
  }
>()("nacre/shell/CommandPolicy") {}

/** Settings and rules change while a session runs, so they are asked for at every command. */
export interface CommandPolicyInput {
  readonly settings: () => SandboxSettings
  readonly permission: () => PermissionContext
  readonly configHome: string
  readonly hosts: HostRequests
}

/** The lists of this moment, for connections of commands that run already. */
const livePolicy = ({ settings, permission }: CommandPolicyInput): NetworkPolicy => {
  const now = settings()
  return networkPolicy({ settings: now, ...hostLists(now, permission()) })
}

const requestFor = (input: CommandPolicyInput, call: CommandToConfine): ConfineRequest => {
  const context = input.permission()
  const settings = input.settings()
  return {
    settings,
    profile: "workspace",
    workingDirs: context.workingDirs.map(({ realPath }) => realPath),
    home: context.home.realPath,
    configHome: input.configHome,
    editable: ruleGlobs(context, "Edit", "allow").flatMap((glob) => literalPath(glob) ?? []),
    uneditable: ruleGlobs(context, "Edit", "deny"),
    unreadable: context.secretFiles === "deny" ? unreadableGlobs(context) : ruleGlobs(context, "Read", "deny"),
    ...hostLists(settings, context),
    networkless: isNetworkless(call.command),
    door: { policy: () => livePolicy(input), ask: input.hosts.askFor(call.callId) },
    cwd: call.cwd,
    writableFiles: call.writableFiles
  }
}

const runsOutside = (settings: SandboxSettings, { command, outside }: CommandToConfine): boolean =>
  settings.enabled !== true ||
  (outside && settings.allowUnsandboxedCommands) ||
  isExcluded(command, settings.excludedCommands)

const OUTSIDE_OFFER = "To run this one command outside, call Bash with dangerouslyDisableSandbox: the user is asked first."

const mayOffer = ({ allowUnsandboxedCommands, failIfUnavailable }: SandboxSettings): boolean =>
  allowUnsandboxedCommands && !failIfUnavailable

const withOffer =
  (mayLeave: boolean) =>
  (failure: SandboxFailure): SandboxFailure =>
    mayLeave ? new SandboxFailure({ message: `${failure.message}\n${OUTSIDE_OFFER}` }) : failure

export const layer = (input: CommandPolicyInput): Layer.Layer<CommandPolicy, never, Sandbox> =>
  Layer.effect(
    CommandPolicy,
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const hinted = new Set<string>()

      const scrubHints = ({ command, env, scrub = DEFAULT_SCRUB }: RemarkableEnd): ReadonlyArray<string> => {
        const fresh = missedVariables(command, env, scrub).filter((name) => !hinted.has(name))
        for (const name of fresh) hinted.add(name)
        return fresh.length === 0 ? [] : [scrubHint(fresh)]
      }
      const violations = ({ confined, ...ended }: RemarkableEnd): ReadonlyArray<string> => {
        if (confined === undefined) return []
        const block = violationBlock(
          violationsOf({
            ...ended,
            plan: confined.plan,
            home: input.permission().home.realPath,
            contacts: confined.contacts(),
            ignored: input.settings().ignoreViolations
          })
        )
        return block === undefined ? [] : [block]
      }

      return {
        confine: (call) =>
          Effect.suspend(() => {
            const settings = input.settings()
            if (runsOutside(settings, call)) return Effect.succeed(undefined)
            return Effect.mapError(sandbox.confine(requestFor(input, call)), withOffer(mayOffer(settings)))
          }),
        problem: Effect.suspend(() => {
          const settings = input.settings()
          return Effect.map(sandbox.availability(settings), (answer) =>
            answer.available
              ? undefined
              : { sentence: `The sandbox cannot start: ${answer.why}. Fix: ${answer.fix}`, mayLeave: mayOffer(settings) }
          )
        }),
        waitedMs: input.hosts.waitedMs,
        remarks: (ended) => [...(ended.failed ? scrubHints(ended) : []), ...violations(ended)]
      }
    })
  )
