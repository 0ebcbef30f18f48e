import { sedScripts } from "../arguments/sed-script.ts"
import type { Arguments } from "../arguments/arguments.ts"
import { hasFlag } from "../arguments/arguments.ts"

/** Scripts of sed that print and nothing else: addresses with `p`, `=` and `q`. */
const NUMBER_OR_LAST = String.raw`(?:\d+|\$)`
/** No bracket with a slash or backslash in it: the implementations disagree where such an address ends. */
const REGEX = String.raw`\/(?:[^/\\\n\[]|\\[^\n]|\[[^\]/\\\n]+\])+\/`
const ADDRESS = `(?:${NUMBER_OR_LAST}|${REGEX})`
const COMMAND = String.raw`${ADDRESS}?(?:\s*,\s*${ADDRESS})?\s*!?\s*(?:p|=|q\d{0,3})`
const PRINTING = new RegExp(String.raw`^\s*${COMMAND}(?:\s*;\s*${COMMAND})*\s*;?\s*$`)

/** Why this call of sed could do more than print. */
export const sedProblem = (given: Arguments): string | undefined => {
  if (given.problem !== undefined) return given.problem
  if (!hasFlag(given, "-n --quiet --silent")) return "sed without -n is only understood as an edit"
  const scripts = sedScripts(given)
  const [script] = scripts
  if (script === undefined || scripts.length > 1) return "sed with more than one script is not understood"
  const isPrinting = !script.includes("\n") && PRINTING.test(script)
  return isPrinting ? undefined : `The sed script ${script} could do more than print`
}

/** One substitution with harmless flags, delimited by `/`, `|`, `#`, `,` or `@`. */
const SUBSTITUTION = /^(?:\d+(?:,\d+)?|\$)?s([/|#,@])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gIip0-9]*$/

/** Why an in-place edit is more than one plain substitution. */
export const sedEditProblem = (given: Arguments): string | undefined => {
  if (!hasFlag(given, "-i --in-place")) return "sed does not edit in place"
  const isKnown = given.flags.every(({ name, value }) => {
    const isInPlace = name === "-i" || name === "--in-place"
    return isInPlace ? value === undefined : /^-[nErzsue]$|^--(?:regexp-extended|expression)$/.test(name)
  })
  if (!isKnown) return "sed has a flag that is not understood"
  const scripts = sedScripts(given)
  return scripts.length === 1 && scripts.every((script) => SUBSTITUTION.test(script))
    ? undefined
    : "The sed script is more than one plain substitution"
}
