import { readVariable } from "../../../../core/domain/env.ts"
import type { SettingsEnv } from "../../../../core/settings/environment.ts"
import { childEnv } from "../../../../core/tools/bash/invocation.ts"
import type { SessionHandle } from "../../../session/session-handle.ts"

/** How a line of the user becomes a process: their own shell, where the session is, without what sounds secret. */
export const userShell = (command: string, session: SessionHandle, { children: env, scrub }: SettingsEnv) => ({
  file: readVariable(env, "SHELL") ?? env["SHELL"] ?? "sh",
  args: ["-c", command],
  cwd: session.state().cwd,
  env: childEnv({ env, sessionId: session.facts.sessionId, projectDir: session.facts.cwd, scrub })
})
