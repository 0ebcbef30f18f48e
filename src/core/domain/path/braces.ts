/** `a.{ts,js}` as the patterns it stands for. */
export interface BraceLimits {
  readonly patterns: number
  readonly chars: number
}

const LIMITS: BraceLimits = { patterns: 1_000, chars: 4 * 1024 * 1024 }

interface Group {
  readonly start: number
  readonly end: number
  readonly choices: ReadonlyArray<string>
}

/** The first group with a comma between its own braces; braces without one mean themselves. */
const firstGroup = (pattern: string): Group | undefined => {
  const open: Array<{ readonly start: number; readonly commas: Array<number> }> = []
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === "\\") at++
    else if (character === "{") open.push({ start: at, commas: [] })
    else if (character === ",") open.at(-1)?.commas.push(at)
    else if (character === "}") {
      const group = open.pop()
      if (group === undefined || group.commas.length === 0) continue
      const borders = [group.start, ...group.commas, at]
      const choices = borders.slice(1).map((border, index) => pattern.slice((borders[index] ?? 0) + 1, border))
      return { start: group.start, end: at + 1, choices }
    }
  }
  return undefined
}

/** The patterns that a list stands for; one that would go over a limit stays as it is written. */
export const expandBraces = (patterns: ReadonlyArray<string>, limits = LIMITS): ReadonlyArray<string> => {
  let left = limits
  const all: Array<string> = []
  for (const pattern of patterns) {
    const expanded = expandOne(pattern, left)
    all.push(...expanded)
    left = { patterns: left.patterns - expanded.length, chars: left.chars - charsOf(expanded) }
  }
  return [...new Set(all)]
}

const charsOf = (patterns: ReadonlyArray<string>): number => patterns.reduce((sum, { length }) => sum + length, 0)

const expandOne = (pattern: string, limits: BraceLimits): ReadonlyArray<string> => {
  let done: ReadonlyArray<string> = [pattern]
  for (;;) {
    const groups = done.map((each) => [each, firstGroup(each)] as const)
    if (groups.every(([, group]) => group === undefined)) return done
    const count = groups.reduce((sum, [, group]) => sum + (group?.choices.length ?? 1), 0)
    if (count > limits.patterns) return [pattern]
    done = groups.flatMap(([each, group]) =>
      group === undefined
        ? [each]
        : group.choices.map((choice) => each.slice(0, group.start) + choice + each.slice(group.end))
    )
    if (charsOf(done) > limits.chars) return [pattern]
  }
}
