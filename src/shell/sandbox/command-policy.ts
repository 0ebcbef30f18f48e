/** What holds for every command of a session: whether and how it is confined, and what we have to do with a failure. */
import { Context, Effect, Layer } from "effect"
import type { Env } from "../../core/domain/env.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import { ruleGlobs, ruleHosts, unreadableGlobs } from "../../core/permission/reach.ts"
import { type Confined, type ConfineRequest, Sandbox, SandboxFailure } from "../../core/ports/Sandbox.ts"
import { literalPath } from "../../core/sandbox/absolute-glob.ts"
import type { SandboxSettings } from "../../core/sandbox/settings.ts"
import { isExcluded } from "../../core/sandbox/excluded.ts"
import { violationBlock, violationsOf } from "../../core/sandbox/violations.ts"
import { DEFAULT_SCRUB, type EnvironmentScrub, missedVariables, scrubHint } from "../../core/tools/bash-shell.ts"

export interface CommandToConfine {
  readonly command: string
  /** Real path of the directory it starts in; being started there gives no right to write there. */
  readonly cwd: string
  readonly writableFiles: ReadonlyArray<string>
  /** The call asks to run outside of the sandbox. */
  readonly outside: boolean
}

export interface FailedCommand {
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
    /** What to tell about a failed command; a hint is given once for a variable. */
    readonly remarks: (failed: FailedCommand) => ReadonlyArray<string>
  }
>()("nacre/shell/CommandPolicy") {}

/** Settings and rules change while a session runs, so they are asked for at every command. */
export interface CommandPolicyInput {
  readonly settings: () => SandboxSettings
  readonly permission: () => PermissionContext
  readonly configHome: string
}

const requestFor = (input: CommandPolicyInput, call: CommandToConfine): ConfineRequest => {
  const context = input.permission()
  return {
    settings: input.settings(),
    profile: "workspace",
    workingDirs: context.workingDirs.map(({ realPath }) => realPath),
    home: context.home.realPath,
    configHome: input.configHome,
    editable: ruleGlobs(context, "Edit", "allow").flatMap((glob) => literalPath(glob) ?? []),
    uneditable: ruleGlobs(context, "Edit", "deny"),
    unreadable: context.secretFiles === "deny" ? unreadableGlobs(context) : ruleGlobs(context, "Read", "deny"),
    allowedHosts: ruleHosts(context, "allow"),
    deniedHosts: ruleHosts(context, "deny"),
    cwd: call.cwd,
    writableFiles: call.writableFiles
  }
}

const runsOutside = (settings: SandboxSettings, { command, outside }: CommandToConfine): boolean =>
  settings.enabled !== true ||
  (outside && settings.allowUnsandboxedCommands) ||
  isExcluded(command, settings.excludedCommands)

const OUTSIDE_OFFER =
  "To run this one command outside, call Bash with dangerouslyDisableSandbox: the user is asked first."

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

      const scrubHints = ({ command, env, scrub = DEFAULT_SCRUB }: FailedCommand): ReadonlyArray<string> => {
        const fresh = missedVariables(command, env, scrub).filter((name) => !hinted.has(name))
        for (const name of fresh) hinted.add(name)
        return fresh.length === 0 ? [] : [scrubHint(fresh)]
      }
      const violations = ({ confined, ...failed }: FailedCommand): ReadonlyArray<string> => {
        if (confined === undefined) return []
        const { plan } = confined
        const question = { ...failed, plan, contacts: confined.contacts(), ignored: input.settings().ignoreViolations }
        const block = violationBlock(violationsOf(question))
        return block === undefined ? [] : [block]
      }

      return {
        confine: (call) =>
          Effect.suspend(() => {
            const settings = input.settings()
            if (runsOutside(settings, call)) return Effect.succeed(undefined)
            const mayOffer = settings.allowUnsandboxedCommands && !settings.failIfUnavailable
            return Effect.mapError(sandbox.confine(requestFor(input, call)), withOffer(mayOffer))
          }),
        remarks: (failed) => [...scrubHints(failed), ...violations(failed)]
      }
    })
  )
