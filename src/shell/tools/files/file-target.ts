import { Effect } from "effect"
import { isAbsolute, isWithin, nameOf, parentOf, pathProblem, resolveFrom } from "../../../core/domain/path/path-text.ts"
import { unread } from "../../../core/tools/files/plan-edit.ts"
import { similarNames } from "../../../core/domain/text/similar-names.ts"
import type { PathFact } from "../../../core/domain/path/path-components.ts"
import { FileError, type FileErrorKind, Files } from "../../../core/ports/Files.ts"
import { type ToolContext, ToolRefusal } from "../contract/executor.ts"

/** The file that a call means, and the words for what can be wrong with it. */
export interface FileTarget extends PathFact {
  /** The model gave a path relative to the current directory. */
  readonly wasRelative: boolean
}

/** The facts that permission was decided on, where the caller passes them on. */
export type ContextWithFacts = ToolContext & { readonly pathFacts?: ReadonlyArray<PathFact> }

export const refuse = (message: string): ToolRefusal => new ToolRefusal({ message })

type Outcome = "Nothing was read." | "Nothing was written."

const EXPLAINED: Readonly<Record<FileErrorKind, readonly [kind: string, next: string]>> = {
  missing: ["FileNotFound", "Check the path."],
  isDirectory: ["IsDirectory", "List it with Glob or `ls`."],
  notDirectory: ["NotADirectory", "Check the path."],
  notRegular: ["NotARegularFile", "Only regular files can be used."],
  denied: ["AccessDenied", "Ask the user if this file is needed."],
  tooLarge: ["FileTooLarge", "Work on parts of it with Grep or a shell command."],
  stale: ["StaleFile", "Read it again, then try again."],
  linkChanged: ["LinkChanged", "Look at where the path leads before trying again."],
  noSpace: ["NoSpace", "The file is as it was. Free some space, then try again."],
  other: ["FileError", "Look at the cause before trying again."]
}

export const fileRefusal =
  (outcome: Outcome) =>
  (error: FileError): ToolRefusal => {
    const [kind, next] = EXPLAINED[error.kind]
    return refuse(`${kind}: ${error.message}. ${outcome} ${next}`)
  }

/** Resolves the path of a call and holds it to the place that permission was decided on. */
export const fileTarget = Effect.fnUntraced(function* (given: string, context: ContextWithFacts, outcome: Outcome) {
  const problem = pathProblem(given)
  if (problem !== undefined) return yield* refuse(problem)
  const files = yield* Files
  const path = resolveFrom(context.cwd, given)
  const fact = yield* files.resolve(path).pipe(Effect.mapError(fileRefusal(outcome)))
  const approved = context.pathFacts?.find((known) => known.path === path)
  if (context.pathFacts !== undefined && approved === undefined) {
    return yield* refuse(`NotExamined: where ${path} leads was unknown when it was decided about. ${outcome} Try again.`)
  }
  if (approved !== undefined && approved.realPath !== fact.realPath) {
    const ends = `led to ${approved.realPath} when it was approved and leads to ${fact.realPath} now`
    return yield* refuse(`LinkChanged: ${path} ${ends}. ${outcome}`)
  }
  const target: FileTarget = { ...fact, wasRelative: !isAbsolute(given) }
  return target
})

const SUGGESTIONS = 3

/** Fails for a file that is not there, with names that may have been meant. */
export const missingFile = Effect.fnUntraced(function* (target: FileTarget, context: ToolContext, outcome: Outcome) {
  const files = yield* Files
  const directory = parentOf(target.path)
  // Names behind a link are nobody's business here: permission was for the file.
  const entries = yield* files.list(directory, { approvedRealPath: directory }).pipe(Effect.orElseSucceed(() => []))
  const names = similarNames(
    nameOf(target.path),
    entries.map((entry) => entry.name),
    SUGGESTIONS
  )
  const meant = names.length === 0 ? "" : ` Similar names there: ${names.join(", ")}.`
  return yield* refuse(
    `FileNotFound: ${target.path} does not exist. ${outcome} The current directory is ${context.cwd}.${meant}`
  )
})

/** Fails for a file that nobody has read, or for the better reason that it is not a regular file. */
export const refuseUnread = Effect.fnUntraced(function* (target: FileTarget) {
  const files = yield* Files
  const { kind } = yield* files.stat(target.path).pipe(Effect.mapError(fileRefusal("Nothing was written.")))
  if (kind === "file") return yield* refuse(unread(target.path))
  const special = kind === "directory" ? "isDirectory" : "notRegular"
  const message = `${target.path} is a ${kind}`
  return yield* fileRefusal("Nothing was written.")(new FileError({ kind: special, path: target.path, message }))
})

/** Files that may be read without asking anybody: those of the project and of added directories. */
export const isFreelyReadable = (target: FileTarget, context: ToolContext): boolean =>
  [context.projectDir, ...context.additionalDirs].some((directory) => isWithin(target.realPath, directory))
