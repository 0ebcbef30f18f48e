import { visible } from "../../domain/text/visible-text.ts"
import type { CallFacts } from "../facts.ts"
import type { Danger } from "../bash/shell-analysis.ts"

const MOST_NAMED = 8

/** What would be lost, by name where somebody looked. */
export const lossSentence = ({ sentence, loses }: Danger, program: string, { lost }: Pick<CallFacts, "lost">): string => {
  const known = program === "git" ? lost?.find(({ kind }) => kind === loses) : undefined
  if (known === undefined) return sentence
  if (known.count === 0) return `${sentence} (there are none now)`
  const named = known.names.slice(0, MOST_NAMED).map(visible).join(", ")
  const more = known.count - Math.min(known.names.length, MOST_NAMED)
  return more > 0 ? `${sentence}: ${named} and ${more} more` : `${sentence}: ${named}`
}
