import { similarity } from "./similarity.ts"

const stem = (name: string): string => {
  const dot = name.lastIndexOf(".")
  return dot > 0 ? name.slice(0, dot) : name
}

const score = (wanted: string, name: string): number => {
  const left = wanted.toLowerCase()
  const right = name.toLowerCase()
  if (left === right) return 2
  if (stem(left) === stem(right)) return 1.5
  return similarity(left, right)
}

const ALIKE = 0.5

/** Names of a directory that somebody who asked for `wanted` may have meant, the likeliest first. */
export const similarNames = (wanted: string, names: ReadonlyArray<string>, limit: number): ReadonlyArray<string> =>
  names
    .map((name) => ({ name, score: score(wanted, name) }))
    .filter((candidate) => candidate.score >= ALIKE)
    .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
    .slice(0, limit)
    .map((candidate) => candidate.name)
