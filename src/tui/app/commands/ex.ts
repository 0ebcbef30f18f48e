import { isPaneId } from "../../screen/layout/tree.ts"
import { listWentTo } from "../../transcript/list/update.ts"
import { fullName } from "../../editor/vim/ex/execute.ts"
import { focusedPane } from "../../model/windows/layout-and-focus.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { withWhole } from "../../model/conversation/history-paging.ts"
import type { ExCommand } from "../../model/ex-command.ts"
import { EX_COMMANDS } from "./ex-commands.ts"
import { inPrompt } from "./ex-prompt.ts"
import { type ExRange, rangePlace, rangeText, splitRange } from "./ex-range.ts"
import { SHORT_NAMES } from "./ex-short-names.ts"
import { TRANSCRIPT_ACTIONS } from "../../panes/transcript/transcript-actions.ts"
import { openPane } from "../../panes/panes.ts"
import { type AppModel, currentSession, withSession } from "../../model/app-model.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"
import { commandsNamed, expandUserCommand } from "./user-commands.ts"
import { parseSlash } from "../../prompt/slash-commands.ts"
import { runSlash } from "./slash-run.ts"
import { shellLine } from "../../model/waiting-line.ts"
import { runWhenIdle } from "./run-when-idle.ts"

/** The command line (UI-138 to UI-140): a range, then a command by name or by any prefix that names only one. */

const LINE = /^([A-Z][A-Za-z\d]*|[a-z]+)(!?)\s*([\s\S]*)$/

const NO_RANGE = "E20: the range is not there"

const fail = (model: AppModel, words: string): Update => withoutCommands(notify(model, words, { style: "error" }))

/** A range may reach into any part of the session. */
const withRange = (model: AppModel, range: ExRange, use: (model: AppModel, text: string) => Update): Update => {
  if (currentSession(model) === undefined) return fail(model, NO_RANGE)
  return withWhole(model, model.current, (whole, session) => {
    const text = rangeText(whole, session, range)
    return text === undefined ? fail(whole, NO_RANGE) : use(whole, text)
  })
}

/** `:!` runs a command; with a range the text of the range goes through it. */
const shell = (model: AppModel, command: string, range: ExRange | undefined): Update => {
  if (command.trim() === "") return fail(model, "say what to run: :!COMMAND")
  const session = currentSession(model)
  if (range === undefined)
    return session === undefined ? withoutCommands(model) : runWhenIdle(model, session, shellLine(command))
  return withRange(model, range, (whole, input) =>
    withCommands(whole, { _tag: "PipeThrough", session: whole.current, command, input })
  )
}

/** A range alone goes to its place, as in vim. */
const goToRange = (model: AppModel, range: ExRange): Update => {
  if (focusedPane(model) !== "transcript" || range.to === "%") return fail(model, "E471: a range needs a command")
  return withWhole(model, model.current, (whole, session) => {
    const place = rangePlace(whole, session, range)
    if (place === undefined) return fail(whole, NO_RANGE)
    const list = listWentTo(session.list, place, transcriptContextOf(whole, session))
    return withoutCommands(withSession(whole, session.id, (each) => ({ ...each, list })))
  })
}

interface Parsed {
  readonly name: string
  readonly bang: boolean
  readonly argument: string
  readonly range: ExRange | undefined
  readonly line: string
}

const run = (model: AppModel, command: ExCommand, { argument, bang, range }: Parsed): Update => {
  if (range === undefined) return command.run(model, { argument, bang, text: undefined })
  if (command.takesRange !== true) return fail(model, "E481: this command takes no range")
  return withRange(model, range, (whole, text) => command.run(whole, { argument, bang, text }))
}

/** Commands about the text of the prompt are the vim engine's. */
const isForPrompt = (model: AppModel, name: string): boolean =>
  focusedPane(model) !== "prompt" && fullName(name) !== undefined

/** A table answers for its own names only, not for those that every object knows. */
const own = <A>(table: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** A command may stand for another of the user's own, but not for ever. */
const DEEPEST = 20

const runUser = (model: AppModel, parsed: Parsed, depth: number): Update | undefined => {
  const [found, ...others] = commandsNamed(model.userCommands, parsed.name)
  if (found === undefined) return undefined
  if (others.length > 0) return fail(model, `E464: ambiguous: ${[found, ...others].map(([name]) => name).join(", ")}`)
  if (parsed.range !== undefined) return fail(model, "E481: this command takes no range")
  if (depth >= DEEPEST) return fail(model, `E169: ${found[0]} stands for itself`)
  const expansion = expandUserCommand(found[1], parsed)
  return "problem" in expansion ? fail(model, expansion.problem) : runEx(model, expansion.line, depth + 1)
}

const runNamed = (model: AppModel, parsed: Parsed): Update => {
  const { argument, line } = parsed
  const name = parsed.name.toLowerCase()
  const exact = own(EX_COMMANDS, own(SHORT_NAMES, name) ?? name)
  if (exact !== undefined) return run(model, exact, parsed)
  if (name === "compact" && argument === "here") return TRANSCRIPT_ACTIONS["transcript:summariseUpTo"]({ model })
  if (isPaneId(name) && argument === "") return openPane(model, name)
  const slash = parseSlash(`/${name} ${argument}`)
  if (slash?.command !== undefined) return runSlash(model, slash)
  if (isForPrompt(model, name)) return inPrompt(model, line)
  const matches = Object.keys(EX_COMMANDS).filter((each) => each.startsWith(name))
  const [first, ...others] = matches
  const found = first === undefined || others.length > 0 ? undefined : EX_COMMANDS[first]
  if (found !== undefined) return run(model, found, parsed)
  return fail(model, matches.length > 1 ? `E464: ambiguous: ${matches.join(", ")}` : `E492: not a command: ${line}`)
}

export const runEx = (model: AppModel, typed: string, depth = 0): Update => {
  const line = typed.trim().replace(/^:+/, "")
  if (line === "") return withoutCommands(model)
  const slash = line.startsWith("/") ? parseSlash(line) : undefined
  // `/name` is a command; `/pattern/` before one is a range.
  if (slash?.command !== undefined || (slash !== undefined && splitRange(line).range === undefined)) {
    return runSlash(model, slash)
  }
  const { range, rest } = splitRange(line)
  if (rest.startsWith("!")) return shell(model, rest.slice(1), range)
  const substitution = /^(?:s|g|v)[^\w\s]/.exec(rest)
  const [, name = "", bang = "", argument = ""] =
    substitution === null ? (LINE.exec(rest) ?? []) : ["", rest.slice(0, 1), "", rest.slice(1)]
  if (range !== undefined && rest === "") return goToRange(model, range)
  if (name === "") return fail(model, `E492: not a command: ${line}`)
  const parsed = { name, bang: bang === "!", argument: argument.trim(), range, line }
  return runUser(model, parsed, depth) ?? runNamed(model, parsed)
}

/** Names for Tab. */
export const EX_NAMES: ReadonlyArray<string> = Object.keys(EX_COMMANDS)
