import { resolvePath } from "../../../domain/path/path-components.ts"
import type { RepositoryFacts } from "../shell-analysis.ts"
import { hasFlag, readArguments, textOf, type Arguments } from "../arguments/arguments.ts"
import { gitVerbAt } from "../touches/operands-git.ts"
import type { Word } from "../program.ts"
import {
  EXECUTING_KEYS,
  GIT_LISTING,
  GIT_NUMBERS,
  GIT_SAFE_GLOBALS,
  GIT_VERBS,
  gitFlags,
  LFS_FILTERS,
  type GitVerb
} from "../tables/git.ts"

/** git that only shows something, in a repository that does not make it run anything. */

/** Whether a word names the directory one is in. */
export const isHere = (directory: Word | undefined, cwd: string | undefined): boolean =>
  directory !== undefined && cwd !== undefined && resolvePath(cwd, textOf(directory)) === resolvePath("/", cwd)

const globalProblem = (
  words: ReadonlyArray<Word>,
  at: number,
  verbAt: number,
  cwd: string | undefined
): string | undefined => {
  for (let index = at + 1; index < verbAt; index++) {
    const word = words[index]
    const text = word === undefined ? "" : textOf(word)
    if (GIT_SAFE_GLOBALS.has(text)) continue
    if (text !== "-C" || !isHere(words[index + 1], cwd)) return `The git option ${text} can change what git does`
    index++
  }
  return undefined
}

/** Formats that check signatures start another program. */
const SIGNATURE = /%G|signature/i

const formatProblem = ({ flags }: Arguments): string | undefined => {
  const found = flags.find(({ name, value }) => /^--(?:format|pretty|sort)$/.test(name) && SIGNATURE.test(value ?? ""))
  return found === undefined ? undefined : `${found.name} asks for signatures, which starts another program`
}

const operandProblem = (name: string, verb: GitVerb, given: Arguments): string | undefined => {
  const [first] = given.operands
  const { most, operandNeeded } = verb
  if (most !== undefined && given.operands.length > most) return `git ${name} has an operand too many`
  if (operandNeeded === true && first === undefined) return `git ${name} needs an operand`
  if (first === undefined || verb.operands === "any") return undefined
  if (verb.operands === "none") return `git ${name} with ${textOf(first)} does more than show`
  if (verb.operands === "listing") {
    return given.flags.some((flag) => GIT_LISTING.has(flag.name)) || (name === "tag" && hasFlag(given, "-l"))
      ? undefined
      : `git ${name} ${textOf(first)} makes something`
  }
  return verb.operands.includes(textOf(first)) ? undefined : `git ${name} ${textOf(first)} is not known to be harmless`
}

const verbNamed = (
  words: ReadonlyArray<Word>,
  verbAt: number
): readonly [name: string, verb: GitVerb, length: number] | undefined => {
  const first = words[verbAt]
  if (first === undefined) return undefined
  const name = textOf(first)
  const second = words[verbAt + 1]
  const both = second === undefined ? name : `${name} ${textOf(second)}`
  const twoWords = Object.hasOwn(GIT_VERBS, both) ? GIT_VERBS[both] : undefined
  if (twoWords !== undefined) return [both, twoWords, both === name ? 1 : 2]
  const verb = Object.hasOwn(GIT_VERBS, name) ? GIT_VERBS[name] : undefined
  return verb === undefined ? undefined : [name, verb, 1]
}

/** Why this call of git could do more than show, judged by its words alone. */
export const gitProblem = (words: ReadonlyArray<Word>, at: number, cwd: string | undefined): string | undefined => {
  const verbAt = gitVerbAt(words, at)
  const problem = globalProblem(words, at, verbAt, cwd)
  if (problem !== undefined) return problem
  const found = verbNamed(words, verbAt)
  if (found === undefined) return `git ${words[verbAt]?.source ?? ""} is not known to only read`.replace("  ", " ")
  const [name, verb, length] = found
  const given = readArguments(words, verbAt + length, { flags: gitFlags(name, verb.flags), numbers: GIT_NUMBERS.has(name) })
  if (given.problem !== undefined) return `${given.problem} (git ${name})`
  if (given.operands.some(({ glob }) => glob)) return "An unquoted glob could become a flag of git"
  const readsAlone = verb.readsAlone === true && given.operands.length === 1
  if (verb.oneOf !== undefined && !hasFlag(given, verb.oneOf) && !readsAlone) {
    return `git ${name} without one of ${verb.oneOf.replaceAll(" ", ", ")} may change something`
  }
  return operandProblem(name, verb, given) ?? formatProblem(given)
}

const isHarmlessEntry = (key: string, value: string): boolean =>
  (key === "core.fsmonitor" && /^(?:false|no|off|0)$/i.test(value)) || LFS_FILTERS.get(key)?.test(value.trim()) === true

/** What in the repository could make git run something; undefined when nothing does. */
export const repositoryProblem = (facts: RepositoryFacts | undefined): string | undefined => {
  if (facts === undefined) return "the repository's git configuration was not examined"
  if (facts.looksBare) return "The directory looks like a bare repository, whose own configuration git would obey"
  if (facts.unreadable === true) return "the repository's git configuration could not be read"
  const found = facts.entries.find(({ key, value }) => {
    const folded = key.toLowerCase()
    if (folded === "format.pretty") return SIGNATURE.test(value)
    return EXECUTING_KEYS.test(folded) && !isHarmlessEntry(folded, value)
  })
  return found === undefined ? undefined : `the repository's git configuration sets ${found.key}, which can start a program`
}
