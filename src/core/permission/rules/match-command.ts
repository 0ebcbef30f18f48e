import { couldMatch, matchesFromAny } from "./command-pattern.ts"
import { type CommandShelf, commandRulesFor, firstRanked, type RankedCommand } from "./rule-index.ts"
import { DYNAMIC } from "../bash/program.ts"
import type { Candidate } from "../bash/shell-analysis.ts"

/** Command rules on the texts that a command might run under. */

/** No rule begins with longer words; so a long word with many beginnings in it costs little. */
const LONGEST_WORDS = 300

/** Where programs might begin, grouped by the two words that stand there, so that a rule looks only at its own. */
const startsByWord = ({ text, starts }: Candidate): ReadonlyMap<string, ReadonlyArray<number>> => {
  const groups = new Map<string, Array<number>>()
  for (const start of starts) {
    const blank = text.indexOf(" ", start)
    const end = blank < 0 ? -1 : text.indexOf(" ", blank + 1)
    const word = text.slice(start, Math.min(end < 0 ? text.length : end, start + LONGEST_WORDS))
    const group = groups.get(word)
    if (group === undefined) groups.set(word, [start])
    else group.push(start)
  }
  return groups
}

type Applies = (entry: RankedCommand) => boolean

/** The rule that fires for a text, seen from every place where a program might begin. */
export const firingCommandRule = (
  shelf: CommandShelf,
  candidate: Candidate,
  applies: Applies
): RankedCommand | undefined => {
  if (shelf.all.length === 0) return undefined
  const found: Array<RankedCommand> = []
  for (const [word, starts] of startsByWord(candidate)) {
    for (const entry of commandRulesFor(shelf, word)) {
      if (applies(entry) && matchesFromAny(entry.pattern, candidate.text, starts)) found.push(entry)
    }
  }
  return firstRanked(found)
}

/** The rule that a text could match, if what is only known at run time turned out so. */
export const possibleCommandRule = (
  shelf: CommandShelf,
  candidate: Candidate,
  applies: Applies
): RankedCommand | undefined => {
  if (shelf.all.length === 0 || !candidate.text.includes(DYNAMIC)) return undefined
  const found: Array<RankedCommand> = []
  for (const [word, starts] of startsByWord(candidate)) {
    for (const entry of word.includes(DYNAMIC) ? shelf.all : commandRulesFor(shelf, word)) {
      const matches = (start: number) => couldMatch(entry.pattern, candidate.text, start)
      if (applies(entry) && starts.some(matches)) found.push(entry)
    }
  }
  return firstRanked(found)
}
