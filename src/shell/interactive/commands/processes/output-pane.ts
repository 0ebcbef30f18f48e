import { resolve } from "node:path"
import { LIMITS } from "../../../../core/domain/limits.ts"
import { Process, type RunResult } from "../../../../core/ports/Process.ts"
import type { CmdOf } from "../../../../tui/model/cmd.ts"
import type { SessionHandle } from "../../../session/session-handle.ts"
import type { PerformContext } from "../context/command-context.ts"
import { withSession } from "../sessions/session-commands.ts"
import { readEnds, readText } from "../files/text-files.ts"
import { userShell } from "../context/user-shell.ts"

/** Texts that the user asked to see in the output pane. */
export const showFile = (context: PerformContext, { session, path }: CmdOf<"ShowFile">): void =>
  context.attempt("the file cannot be shown", async () => {
    const cwd = context.sessions.get(session)?.state().cwd ?? context.plan.cwd
    const text = await readText(resolve(cwd, path))
    context.tell({ _tag: "OutputLoaded", session, title: path, text })
  })

/** Both ends of what is longer. */
const SHOWN_END_BYTES = 4 * 1024 * 1024

export const showOutput = (context: PerformContext, { session, title, path }: CmdOf<"ShowOutput">): void =>
  context.attempt("the whole output cannot be shown", async () => {
    const text = await readEnds(path, SHOWN_END_BYTES)
    context.tell({ _tag: "OutputLoaded", session, title, text })
  })

const MOST_OUTPUT_BYTES = 4 * 1024 * 1024

const endNote = ({ code, signal, timedOut, truncated }: RunResult): string => {
  if (timedOut) return "It took too long and was ended."
  if (truncated) return "It printed too much and was ended."
  return code === 0 ? "" : `It ended with ${signal ?? `status ${code ?? "unknown"}`}.`
}

const runWith = (
  context: PerformContext,
  handle: SessionHandle,
  { command, input }: { readonly command: string; readonly input: string }
): Promise<RunResult> =>
  context.withPorts(
    Process.use((processes) =>
      processes.run({
        ...userShell(command, handle, context.plan.settings.current().env),
        stdin: input,
        timeoutMs: LIMITS.bashTimeoutMs,
        maxOutputBytes: MOST_OUTPUT_BYTES
      })
    )
  )

/** Runs a line of the user with a text as its input. */
export const pipeThrough = (context: PerformContext, { session, command, input }: CmdOf<"PipeThrough">): void =>
  withSession(context, session, (handle) =>
    context.attempt("the command was not run", async () => {
      const result = await runWith(context, handle, { command, input })
      const text = [result.stdout, result.stderr, endNote(result)].filter((part) => part.trim() !== "").join("\n")
      const shown = text === "" ? "it printed nothing" : text
      context.tell({ _tag: "OutputLoaded", session, title: `!${command}`, text: shown })
    })
  )

/** Lines of the prompt through a command, as vim's `!` does. One that fails leaves the prompt as it is. */
export const filterPrompt = (context: PerformContext, { session, command, first, lines }: CmdOf<"FilterPrompt">): void =>
  withSession(context, session, (handle) =>
    context.attempt("the lines were not filtered", async () => {
      const result = await runWith(context, handle, { command, input: `${lines.join("\n")}\n` })
      const note = endNote(result)
      if (note !== "")
        return context.notice(`${command}: ${[result.stderr.trim(), note].filter((part) => part !== "").join(" ")}`, "error")
      const printed = result.stdout.replace(/\n$/, "").split("\n")
      context.tell({ _tag: "PromptFiltered", session, first, last: first + lines.length - 1, lines: printed })
    })
  )
