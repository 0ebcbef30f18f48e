import { Effect, Result } from "effect"
import { Sandbox } from "../../../../core/ports/Sandbox.ts"
import { networkPolicy } from "../../../../core/sandbox/plan.ts"
import type { SandboxLook } from "../../../../core/sandbox/report.ts"
import { hostLists } from "../../../../core/sandbox/unknown-hosts.ts"
import { settingOf } from "../../../../core/settings/snapshot.ts"
import type { CmdOf } from "../../../../tui/model/cmd.ts"
import { selfTest } from "../../../sandbox/self-test.ts"
import { testLines } from "../../../sandbox/self-test-report.ts"
import type { SessionHandle } from "../../../session/session-handle.ts"
import { sandboxOf } from "../../../session/session-settings.ts"
import type { PerformContext } from "../context/command-context.ts"
import { withSession } from "../sessions/session-commands.ts"

/** What `/sandbox` shows and does. */
const look = async ({ plan, withPorts }: PerformContext, session: SessionHandle): Promise<SandboxLook> => {
  const settings = sandboxOf(plan)
  const { permission } = session.state()
  const lists = hostLists(settings, permission)
  const { allowed, denied, unknown } = networkPolicy({ settings, ...lists })
  return {
    settings,
    availability: await withPorts(Sandbox.use((sandbox) => sandbox.availability(settings))),
    workingDirs: permission.workingDirs.map(({ path }) => path),
    allowedHosts: allowed,
    deniedHosts: denied,
    unknownHosts: unknown
  }
}

export const inspectSandbox = (context: PerformContext, { session, opens }: CmdOf<"LookAtSandbox">): void =>
  withSession(context, session, (handle) =>
    context.attempt("the sandbox cannot be inspected", async () =>
      context.tell({ _tag: "SandboxSeen", look: await look(context, handle), opens })
    )
  )

/** Written for all projects; what a stronger file says stays as it is and is reported. */
export const changeSandbox = (context: PerformContext, { session, changes }: CmdOf<"ChangeSandbox">): void =>
  withSession(context, session, (handle) =>
    context.attempt("the settings were not changed", async () => {
      const edits = changes.map(({ key, value }) => ({ path: key.split("."), value }))
      const saved = await context.plan.settings.change("userSettings", edits)
      if (Result.isFailure(saved)) return context.notice(`not saved: ${saved.failure}`, "error")
      const { snapshot } = context.plan.settings.current()
      for (const { key, value } of changes) {
        const holds = settingOf(snapshot, key)
        if (holds !== value) context.notice(`${key} stays ${String(holds)}: another settings file says so`, "warning")
      }
      context.tell({ _tag: "SandboxSeen", look: await look(context, handle), opens: true })
    })
  )

export const testSandbox = (context: PerformContext): void =>
  context.attempt("the sandbox was not tried", async () => {
    context.notice("trying to break out of the sandbox …")
    const settings = sandboxOf(context.plan)
    const { lines } = await context.withPorts(
      Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const availability = yield* sandbox.availability(settings)
        return testLines(settings, availability, availability.available ? yield* selfTest(settings) : [])
      })
    )
    context.tell({ _tag: "Listed", title: "Sandbox test", lines })
  })
