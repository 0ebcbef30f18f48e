/** Commands that the setting `sandbox.excludedCommands` lets run outside. A convenience: the user is asked as usual. */
import { matchesStars } from "../../domain/text/wildcard.ts"
import { readCommand, type Segment } from "../bash/parse/command-segments.ts"

/** A command that begins with one of these may be another program than it seems. */
const DECEPTIVE = /^(?:PATH|LD_\w+|DYLD_\w+|BASH_ENV)\+?=/
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/

/** How many words each of these takes before the command that it runs. */
const WRAPPERS: Readonly<Record<string, number>> = { nohup: 1, time: 1, timeout: 2, command: 1 }

/** The words with assignments and wrappers taken off, as long as there is something to take off. */
const candidates = (words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const [first = ""] = words
  if (ASSIGNMENT.test(first)) return DECEPTIVE.test(first) ? [] : candidates(words.slice(1))
  const taken = Object.hasOwn(WRAPPERS, first) ? (WRAPPERS[first] ?? 0) : 0
  const hasOptions = words.slice(1, taken + 1).some((word) => word.startsWith("-"))
  return taken === 0 || hasOptions || words.length <= taken ? [words] : [words, ...candidates(words.slice(taken))]
}

const matches = (pattern: string, text: string): boolean => {
  const prefix = /^(.*?)(?::\*| \*)$/.exec(pattern)?.[1]
  return prefix === undefined ? matchesStars(pattern, text) : text === prefix || matchesStars(`${prefix} *`, text)
}

const isExcludedSegment = (segment: Segment, patterns: ReadonlyArray<string>): boolean =>
  candidates(segment.words).some((words) => patterns.some((pattern) => matches(pattern, words.join(" "))))

/** Every part must be excluded; a command that is not fully understood is not. */
export const isExcluded = (command: string, patterns: ReadonlyArray<string>): boolean => {
  if (patterns.length === 0) return false
  const { segments, complete } = readCommand(command)
  return complete && segments.every((segment) => isExcludedSegment(segment, patterns))
}
