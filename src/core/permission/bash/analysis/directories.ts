import { resolvePath } from "../../../domain/path/path-components.ts"
import { textOf } from "../arguments/arguments.ts"
import type { DynamicPart, SimpleCommand, Statement } from "../program.ts"
import { unwrap } from "../arguments/wrappers.ts"

/** Where each command runs, as far as the `cd`s before it can be followed. */
export interface CommandDirectory {
  /** Undefined when it cannot be known. */
  readonly cwd: string | undefined
  /** Every place it could be, for deny and ask. */
  readonly others: ReadonlyArray<string>
  /** Where it still is when a `cd` failed and the text went on. */
  readonly stays: ReadonlyArray<string>
  /** A `cd` to another place came before. */
  readonly moved: boolean
}

const MOVERS: ReadonlySet<string> = new Set(["cd", "pushd", "popd", "chdir"])

/** Behind these a command of the shell still changes the shell itself. */
const TRANSPARENT: ReadonlySet<string> = new Set(["command", "builtin", "time", "noglob"])

interface Mover {
  readonly at: number
  /** A plain `cd` that this shell obeys. */
  readonly isPlain: boolean
}

const moverOf = (command: SimpleCommand): Mover | undefined => {
  const { at, layers } = unwrap(command.words)
  const name = command.words[at]?.value
  if (name === undefined || !MOVERS.has(name)) return undefined
  return { at, isPlain: name === "cd" && layers.every((layer) => TRANSPARENT.has(layer.name)) }
}

interface Tracker {
  readonly home: string
  readonly searchPath: boolean
  readonly standings: Map<SimpleCommand, CommandDirectory>
}

const unknownFrom = (standing: CommandDirectory, more: ReadonlyArray<string>): CommandDirectory => ({
  cwd: undefined,
  others: [...new Set([...standing.others, ...(standing.cwd === undefined ? [] : [standing.cwd]), ...more])],
  stays: [],
  moved: true
})

/** The place after the command. */
const after = (tracker: Tracker, command: SimpleCommand, before: CommandDirectory): CommandDirectory => {
  const mover = moverOf(command)
  if (mover === undefined) return before
  const operands = command.words.slice(mover.at + 1).filter((word, index) => !(index === 0 && textOf(word) === "--"))
  const [target] = operands
  const text = target === undefined ? tracker.home : target.value
  const isSearched = tracker.searchPath && text !== undefined && !/^\.{0,2}\//.test(text) && !/^\.{1,2}$/.test(text)
  const isPlain = mover.isPlain && operands.length <= 1 && target?.glob !== true && !isSearched
  if (!isPlain || text === undefined || text === "" || /^[-~]/.test(text)) {
    return unknownFrom(before, text === undefined || before.cwd === undefined ? [] : [resolvePath(before.cwd, text)])
  }
  if (before.cwd === undefined && !text.startsWith("/")) return unknownFrom(before, [])
  const cwd = resolvePath(before.cwd ?? "/", text)
  if (before.cwd === cwd && !before.moved) return before
  const others = new Set([...before.others, ...(before.cwd === undefined ? [] : [before.cwd])])
  return { cwd, others: [...others], stays: before.stays, moved: true }
}

/** What is inside substitutions runs where the command itself runs. */
const placeInside = (tracker: Tracker, parts: ReadonlyArray<DynamicPart>, standing: CommandDirectory): void => {
  for (const { commands } of parts) {
    const inside = commands.some((command) => moverOf(command) !== undefined) ? unknownFrom(standing, []) : standing
    for (const command of commands) place(tracker, command, inside)
  }
}

const place = (tracker: Tracker, command: SimpleCommand, standing: CommandDirectory): void => {
  if (tracker.standings.has(command)) return
  tracker.standings.set(command, standing)
  for (const { dynamic } of command.words) if (dynamic.length > 0) placeInside(tracker, dynamic, standing)
  for (const { value } of command.assignments) if (value !== undefined) placeInside(tracker, value.dynamic, standing)
  for (const { target, heredoc } of command.redirects) {
    placeInside(tracker, [...(target?.dynamic ?? []), ...(heredoc?.dynamic ?? [])], standing)
  }
}

/** Whether the statements went somewhere, and to where they might have gone. */
const joined = (before: CommandDirectory, ends: ReadonlyArray<CommandDirectory>): CommandDirectory =>
  ends.every((end) => end === before)
    ? before
    : unknownFrom(
        before,
        ends.flatMap(({ cwd, others }) => (cwd === undefined ? others : [cwd, ...others]))
      )

const sequence = (tracker: Tracker, parts: ReadonlyArray<Statement>, before: CommandDirectory): CommandDirectory =>
  parts.reduce((standing, part) => {
    const next = follow(tracker, part, standing)
    return next === standing ? next : { ...next, stays: next.others }
  }, before)

/** Each part runs only when those before it succeeded. */
const chain = (tracker: Tracker, parts: ReadonlyArray<Statement>, before: CommandDirectory): CommandDirectory =>
  parts.reduce((standing, part) => follow(tracker, part, standing), before)

/** Parts of which nobody knows which ones have run. */
const doubtful = (tracker: Tracker, parts: ReadonlyArray<Statement>, before: CommandDirectory): CommandDirectory => {
  let standing = before
  for (const part of parts) standing = joined(standing, [follow(tracker, part, standing)])
  return standing
}

const follow = (tracker: Tracker, statement: Statement, before: CommandDirectory): CommandDirectory => {
  switch (statement.kind) {
    case "command":
      place(tracker, statement.command, before)
      return after(tracker, statement.command, before)
    case "list":
      if (statement.operator === "&&") return chain(tracker, statement.parts, before)
      return statement.operator === ";"
        ? sequence(tracker, statement.parts, before)
        : doubtful(tracker, statement.parts, before)
    // A `cd` in a pipe moves some shells and not others.
    case "pipeline":
      return doubtful(tracker, statement.parts, before)
    case "group":
    case "negation":
      return sequence(tracker, statement.parts, before)
    case "subshell":
      sequence(tracker, statement.parts, before)
      return before
    case "if":
      return doubtful(tracker, statement.parts, before)
    case "opaque": {
      const ends = statement.commands.map((command) => after(tracker, command, before))
      const inside = joined(before, ends)
      for (const command of statement.commands) place(tracker, command, inside)
      return inside
    }
  }
}

export interface DirectoryOptions {
  readonly home: string
  readonly start: CommandDirectory
  /** `CDPATH` is set where the command will run. */
  readonly searchPath: boolean
}

export const standingsOf = (
  body: ReadonlyArray<Statement>,
  commands: ReadonlyArray<SimpleCommand>,
  { home, start, searchPath }: DirectoryOptions
): ReadonlyMap<SimpleCommand, CommandDirectory> => {
  const setsPath = commands.some(({ assignments }) => assignments.some(({ name }) => name === "CDPATH"))
  const tracker: Tracker = { home, searchPath: searchPath || setsPath, standings: new Map() }
  sequence(tracker, body, start)
  const elsewhere = joined(
    start,
    commands.map((command) => after(tracker, command, start))
  )
  for (const command of commands) place(tracker, command, elsewhere)
  return tracker.standings
}
