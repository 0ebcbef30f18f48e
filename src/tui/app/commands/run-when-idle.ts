import { andThen, withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, withSession, currentSession } from "../../model/app-model.ts"
import { isRunning, type SessionModel } from "../../model/session-model.ts"
import { STARTING } from "../../model/shell-runs.ts"
import { parseSlash } from "../../prompt/slash-commands.ts"
import { runSlash } from "./slash-run.ts"
import type { LineCommand, WaitingLine } from "../../model/waiting-line.ts"

/**
 * Shell lines and commands that change the conversation wait until the turn is over and then run one by one. Prompts are the loop's to queue; these are ours, because the loop knows neither.
 */

const runLine = (model: AppModel, session: SessionModel, line: LineCommand): Update => {
  if (line._tag === "Shell") {
    const { command, inContext } = line
    const starting = withSession(model, session.id, (each) => ({ ...each, shells: [...each.shells, STARTING] }))
    return withCommands(starting, { _tag: "RunShell", session: session.id, command, inContext })
  }
  const slash = parseSlash(line.line)
  return slash === undefined ? withoutCommands(model) : runSlash(model, slash, session)
}

const nextId = ({ waiting }: SessionModel): string => `waiting:${Number(waiting.at(-1)?.id.split(":")[1] ?? 0) + 1}`

/** Runs a line now, or as soon as nothing else does. */
export const runWhenIdle = (model: AppModel, session: SessionModel, line: Omit<WaitingLine, "id">): Update =>
  isRunning(session) || session.waiting.length > 0
    ? withoutCommands(
        withSession(model, session.id, (each) => ({
          ...each,
          waiting: [...each.waiting, { id: nextId(each), ...line }]
        }))
      )
    : runLine(model, session, line.command)

/** A line of the prompt or of a list. Most commands do not wait: they do not touch the conversation. */
export const runCommand = (model: AppModel, { command, draft }: Omit<WaitingLine, "id">): Update => {
  const session = currentSession(model)
  if (session === undefined) return withoutCommands(model)
  const slash = command._tag === "Slash" ? parseSlash(command.line) : undefined
  return slash === undefined || slash.command?.waits === true
    ? runWhenIdle(model, session, { command, draft })
    : runSlash(model, slash)
}

const isIdle = (session: SessionModel): boolean =>
  !isRunning(session) && session.shells.length === 0 && session.state.queue.length === 0 && session.ended === undefined

/** The first of each session that came to rest. The others wait until that one is done. */
export const releaseWaiting = (model: AppModel): Update =>
  [...model.sessions.values()].reduce<Update>((update, session) => {
    const [first, ...waiting] = session.waiting
    if (first === undefined || !isIdle(session)) return update
    return andThen(update, (next) =>
      runLine(
        withSession(next, session.id, (each) => ({ ...each, waiting })),
        { ...session, waiting },
        first.command
      )
    )
  }, withoutCommands(model))
