import { editDistance } from "../../core/domain/text/edit-distance.ts"

/** The closest candidate within `limit` edits; of equally close ones the first. */
export const nearest = (word: string, candidates: ReadonlyArray<string>, limit: number): string | undefined => {
  let best: { readonly candidate: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue
    const distance = editDistance(word, candidate)
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}

/** Like `nearest`, but a word that is the beginning of exactly one candidate means that one. */
export const nearestOrCompletion = (word: string, candidates: ReadonlyArray<string>): string | undefined => {
  const completions = candidates.filter((candidate) => candidate.startsWith(word))
  if (word.length >= 4 && completions.length === 1) return completions[0]
  return nearest(word, candidates, Math.max(2, Math.floor(word.length / 4)))
}
