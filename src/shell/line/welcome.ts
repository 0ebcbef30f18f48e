import { Result } from "effect"
import * as Log from "../../core/domain/append-list.ts"
import { isOfflineModel } from "../../core/model/catalog/model.ts"
import { toolFor } from "../../core/tools/toolbox.ts"
import { historyLines } from "../../tui/line/history.ts"
import { visible } from "../../tui/line/visible.ts"
import type { SessionHandle } from "../session/session-handle.ts"
import { VERSION } from "../process/version.ts"

const NO_KEY = "No credential was found. For a real model run nacre login, or set ANTHROPIC_API_KEY."

const modelLines = (session: SessionHandle): ReadonlyArray<string> => {
  const { model } = session.state().config.choice
  if (!isOfflineModel(model)) return [`Model: ${visible(model)}`]
  const label = `Model: ${visible(model)} (scripted, not an LLM)`
  return session.facts.apiKeySource === "none" ? [label, NO_KEY] : [label]
}

const summaryIn =
  (session: SessionHandle) =>
  (tool: string, input: unknown): string => {
    const reading = toolFor(session.state().toolbox, tool)?.read(input)
    return reading !== undefined && Result.isSuccess(reading) ? reading.success.summary : ""
  }

/** The first lines of an interactive session: what it is, and where a resumed conversation was left. */
export const welcomeLines = (session: SessionHandle, spacing: ReadonlyArray<string>): ReadonlyArray<string> => [
  `Nacre ${VERSION}`,
  ...modelLines(session),
  `Folder: ${visible(session.facts.cwd)}`,
  "Escape interrupts, Ctrl-C leaves, /help shows more.",
  ...historyLines(Log.toArray(session.state().conversation.messages), { summaryOf: summaryIn(session), spacing })
]
