import { Effect } from "effect"
import { setAsideNotice } from "../../core/permission/rules/set-aside.ts"
import { makeContext } from "../../core/permission/configuration/make-context.ts"
import { Files } from "../../core/ports/Files.ts"
import { applySettings } from "../../core/permission/configuration/apply-settings.ts"
import { runsBash } from "../../core/tools/bash/invocation.ts"
import { type Locate, settingsFor } from "./session-settings.ts"
import { isStrange } from "../memory/memory-place.ts"
import { pathSystem } from "../plan/environment.ts"
import { type SessionPlan, startMode } from "../plan/session-plan.ts"

/** The rules that a session begins with. */

export const locatedBy =
  (files: Files["Service"]): Locate =>
  (path) =>
    files.resolve(path).pipe(
      Effect.map(({ realPath }) => ({ path, realPath })),
      Effect.orElseSucceed(() => ({ path, realPath: path }))
    )

interface Opening {
  readonly plan: SessionPlan
  /** The mode that a continued session was in. */
  readonly recordedMode: string | null | undefined
  readonly sessionDir: string
  /** Where memory is kept, if it is; the agent needs no permission there. */
  readonly memoryDir: string | undefined
  readonly canPrompt: boolean
}

export const permissionsFor = Effect.fnUntraced(function* ({
  plan,
  recordedMode,
  sessionDir,
  memoryDir,
  canPrompt
}: Opening) {
  const located = locatedBy(yield* Files)
  const { permissions } = plan.start
  const { mode, wanted } = startMode(plan, recordedMode)
  if (mode !== wanted) plan.complain(`${wanted} is turned off by settings; the session starts in default mode`)
  const settings = yield* settingsFor(plan, located, [])
  const { context, problems } = makeContext({
    cwd: yield* located(plan.cwd),
    home: yield* located(plan.home),
    additionalDirs: yield* Effect.forEach(plan.additionalDirs, located),
    bypassAvailable: settings.bypassAvailable,
    autoAvailable: settings.autoAvailable,
    canPrompt,
    configHome: plan.configHome,
    readableDirs: memoryDir === undefined ? [sessionDir] : [sessionDir, memoryDir],
    editablePaths: memoryDir === undefined || isStrange(plan) ? [] : [memoryDir],
    ...pathSystem(plan.env),
    runsBash: runsBash({ env: plan.env }),
    allow: permissions.allow,
    deny: permissions.deny,
    ...(mode === undefined ? {} : { mode })
  })
  const applied = applySettings(context, settings)
  const aside = setAsideNotice({ ...applied, mode: "default" }, applied)
  if (aside !== undefined) plan.complain(aside)
  return { context: applied, problems }
})
