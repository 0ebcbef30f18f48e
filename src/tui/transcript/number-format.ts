/** Numbers as the transcript shows them: short, and never more exact than they are worth. */
import { countText } from "../../core/domain/text/count-text.ts"
import type { TurnFacts } from "./block.ts"

export const secondsText = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

export const plural = (count: number, word: string): string => {
  if (count === 1) return `1 ${word}`
  return `${count} ${word}${/(?:ch|sh|s|x)$/.test(word) ? "es" : "s"}`
}

const costText = (usd: number): string => `$${usd.toFixed(4)}`

const inputText = (tokens: number, cached: number | undefined): string => {
  const share = cached === undefined || cached === 0 ? "" : ` (${Math.round((cached / tokens) * 100)}% cached)`
  return `${countText(tokens)} in${share}`
}

/** The row at the end of a turn; parts that are not known are left out. */
export const turnText = (facts: TurnFacts): string =>
  [
    secondsText(facts.durationMs),
    facts.inputTokens === undefined ? "" : inputText(facts.inputTokens, facts.cachedTokens),
    facts.outputTokens === undefined ? "" : `${countText(facts.outputTokens)} out`,
    facts.costUsd === undefined ? "" : costText(facts.costUsd),
    facts.files === undefined ? "" : plural(facts.files, "file")
  ]
    .filter((part) => part !== "")
    .join(" · ")
