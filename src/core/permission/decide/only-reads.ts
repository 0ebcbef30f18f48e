import type { ShellPart } from "../bash/shell-analysis.ts"
import type { PermissionRequest } from "../permission-request.ts"
import { caseOf, isShell } from "./decision-context.ts"
import type { ShellSubject, TouchingPart } from "./request-subjects.ts"

/** What these change is where the next command runs. */
const MOVERS = new Set(["cd", "pushd", "popd"])

const changesNothing = ({ readOnly, program }: ShellPart): boolean => readOnly.proven && !MOVERS.has(program)

const isReadingPart = ({ part, touched }: TouchingPart): boolean =>
  part.handed || (changesNothing(part) && touched.every(({ touch }) => touch.access === "read" || touch.rulesOnly))

/** Proven to change nothing, not even where the next command runs. */
export const isReading = ({ analysis, parts }: ShellSubject): boolean =>
  analysis.blank || (analysis.obstacle === undefined && parts.length > 0 && parts.every(isReadingPart))

/**
 * Whether a call is a shell text that is proven to change nothing, not even the directory of the next one: it may run
 * beside others. Says nothing about whether it may run at all.
 */
export const onlyReads = (request: PermissionRequest): boolean => {
  const { subjects, context } = caseOf(request)
  return context.runsBash && subjects.every((subject) => isShell(subject) && isReading(subject))
}
