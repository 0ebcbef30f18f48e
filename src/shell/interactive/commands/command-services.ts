import { Drafts } from "../stores/drafts.ts"
import { KeptFiles } from "../stores/user-state-files.ts"
import { Notifier } from "./desktop/notifier.ts"
import { makeContext, type PerformContext, type PerformOptions } from "./context/command-context.ts"
import { PromptHistory } from "./sessions/prompt-history.ts"
import { RiskExplanations } from "./questions/risk-explanations.ts"
import { SessionOpener } from "./sessions/session-commands.ts"
import { SessionSearch } from "./sessions/session-search.ts"
import { ShellRuns } from "./processes/shell-runs.ts"
import { StatusLine } from "./processes/status-line.ts"
import { WorkspaceFiles } from "./files/workspace-files.ts"

/** Everything that remembers something between two commands. */
export interface Helpers {
  readonly context: PerformContext
  readonly drafts: Drafts
  readonly kept: KeptFiles
  readonly history: PromptHistory
  readonly opener: SessionOpener
  readonly shells: ShellRuns
  readonly files: WorkspaceFiles
  readonly notifier: Notifier
  readonly search: SessionSearch
  readonly explanations: RiskExplanations
  readonly statusLine: StatusLine
}

export const helpersOf = (options: PerformOptions): Helpers => {
  const context = makeContext(options)
  const { configHome, env } = options.plan
  return {
    context,
    kept: new KeptFiles({
      configHome,
      env,
      tell: context.tell,
      complain: (text) => context.notice(text, "warning"),
      transcriptOf: (session) => context.sessions.get(session)?.facts.transcriptPath
    }),
    drafts: new Drafts({ configHome, complain: (text) => context.notice(text, "warning") }),
    history: new PromptHistory(context),
    opener: new SessionOpener(context),
    shells: new ShellRuns(context),
    files: new WorkspaceFiles(context),
    notifier: new Notifier(context),
    search: new SessionSearch(context),
    explanations: new RiskExplanations(context),
    statusLine: new StatusLine(context)
  }
}
