import type { Arguments } from "../arguments/arguments.ts"

/** Words of jq that read the environment or other files. `.env` is a field and fine; `$ENV` may have blanks in it. */
const REACHING =
  /(?:^|[^.\w$]|\.\.)env\b|(?:^|[^.\w"])ENV\b|\$__prog|\b(?:import|include|input_filename|system|modulemeta|get_search_list)\b/

/** Why this call of jq could read more than its operands. */
export const jqProblem = (given: Arguments): string | undefined => {
  if (given.problem !== undefined) return given.problem
  const [program] = given.operands
  return program?.value !== undefined && REACHING.test(program.value)
    ? `The jq program ${program.value} could read more than its operands`
    : undefined
}
