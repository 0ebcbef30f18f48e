import { PROVEN, notProven, type Proof } from "../shell-analysis.ts"
import { readArguments, textOf } from "../arguments/arguments.ts"
import { unplainWord, unsafeAssignment, unsafeRedirect } from "./static-words.ts"
import type { SimpleCommand } from "../program.ts"
import { sedEditProblem } from "./sed-proof.ts"
import { programNamed } from "../tables/programs.ts"
import type { Unwrapped } from "../arguments/wrappers.ts"

/** The few commands that `acceptEdits` lets through when all their files are inside: plain words and known flags. */
const EDITORS: ReadonlySet<string> = new Set(["mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed"])

const NO_EDITOR = notProven("It is not one of the commands that edit files")

export const proveFileEdit = (command: SimpleCommand, { at, layers }: Unwrapped): Proof => {
  const { words, assignments, redirects, place } = command
  const program = words[at]
  const known = program?.value === undefined || !EDITORS.has(program.value) ? undefined : programNamed(program.value)
  if (program?.value === undefined || known === undefined) return NO_EDITOR
  const glob = words.find((word) => word.glob)
  const outer = layers.find(({ strippable, known: { row } }) => !strippable || row.feeds === true)
  const given = readArguments(words, at + 1, { flags: known.flags })
  const problem =
    unplainWord(words, at) ??
    (glob === undefined ? undefined : `${glob.source} may name more files than can be seen`) ??
    (outer === undefined ? undefined : `${outer.name} runs another program`) ??
    unsafeAssignment(assignments) ??
    unsafeRedirect(redirects) ??
    (place.inBackground ? "It runs in the background" : undefined) ??
    (program.value === "sed" ? sedEditProblem(given) : given.problem)
  if (problem !== undefined) return notProven(problem)
  return given.operands.length === 0 ? notProven(`${textOf(program)} names no file`) : PROVEN
}
