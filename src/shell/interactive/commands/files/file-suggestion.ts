import { isAbsolute } from "node:path"
import { Effect } from "effect"
import { resolvePath } from "../../../../core/domain/path/path-components.ts"
import { sightFrom } from "../../../../core/permission/rules/search-visibility.ts"
import { Process, type RunResult } from "../../../../core/ports/Process.ts"
import { type CommandSetting, commandSetting } from "../../../../core/settings/command-setting.ts"
import { settingOf } from "../../../../core/settings/snapshot.ts"
import type { SessionHandle } from "../../../session/session-handle.ts"
import { messageOf, type PerformContext } from "../context/command-context.ts"
import { userShell } from "../context/user-shell.ts"

/** The user's own command that suggests files for a mention. A folder's command is there only after trust. */

const LONGEST_MS = 5_000
const MOST_OUTPUT_BYTES = 256 * 1024

const failureOf = ({ code, signal, timedOut, truncated, stderr }: RunResult): string | undefined => {
  if (timedOut) return `it took longer than ${LONGEST_MS / 1_000} seconds`
  if (truncated) return "it printed too much"
  if (code === 0) return undefined
  const said = stderr.trim().split("\n", 1)[0] ?? ""
  return [`it ended with ${signal ?? `status ${code ?? "unknown"}`}`, said].filter((part) => part !== "").join(": ")
}

/** What rules keep from reading is not suggested either. */
const readable = (session: SessionHandle, cwd: string): ((path: string) => boolean) => {
  const sight = sightFrom({ path: cwd, realPath: cwd }, session.state().permission, { ruleLinks: [] })
  return (named) => {
    const path = isAbsolute(named) ? named : resolvePath(cwd, named)
    return sight({ path, realPath: path }) !== "closed"
  }
}

export class FileSuggestion {
  private endOlder = (): void => {}
  /** One word about a command that fails, not one for every letter. */
  private complainedAbout: string | undefined

  constructor(private readonly context: PerformContext) {}

  setting(): CommandSetting | undefined {
    return commandSetting(settingOf(this.context.plan.settings.current().snapshot, "fileSuggestion"))
  }

  /** Paths for what is typed; undefined where the command failed, so that the built-in list answers. */
  async suggest(session: SessionHandle, query: string): Promise<ReadonlyArray<string> | undefined> {
    const setting = this.setting()
    if (setting === undefined) return undefined
    const ran = await this.run(setting, session, query).catch((error: unknown) => messageOf(error))
    if (ran === undefined) return []
    const failure = typeof ran === "string" ? ran : failureOf(ran)
    if (typeof ran === "string" || failure !== undefined) {
      this.complain(setting, failure ?? "")
      return undefined
    }
    this.complainedAbout = undefined
    const lines = ran.stdout.split("\n").map((line) => line.replace(/\r$/, "").trim())
    return lines.filter((line) => line !== "").filter(readable(session, session.state().cwd))
  }

  private run({ command }: CommandSetting, session: SessionHandle, query: string): Promise<RunResult | undefined> {
    const { plan, withPorts } = this.context
    const { facts } = session
    const { cwd, permission } = session.state()
    const input = {
      session_id: facts.sessionId,
      transcript_path: facts.transcriptPath,
      cwd,
      permission_mode: permission.mode,
      query
    }
    const run = Effect.flatMap(Process, (processes) =>
      processes.run({
        ...userShell(command, session, plan.settings.current().env),
        stdin: `${JSON.stringify(input)}\n`,
        timeoutMs: LONGEST_MS,
        maxOutputBytes: MOST_OUTPUT_BYTES
      })
    )
    return withPorts(Effect.raceFirst(run, this.outdated()))
  }

  /** The next letter makes the question before it pointless, and its process ends. */
  private outdated(): Effect.Effect<undefined> {
    this.endOlder()
    return Effect.callback<undefined>((resume) => {
      this.endOlder = () => resume(Effect.succeed(undefined))
    })
  }

  private complain({ command }: CommandSetting, why: string): void {
    if (this.complainedAbout === command) return
    this.complainedAbout = command
    this.context.notice(`fileSuggestion: ${why}; files are suggested without it`, "warning")
  }
}
