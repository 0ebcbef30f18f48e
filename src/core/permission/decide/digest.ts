import type { CallFacts } from "../facts.ts"

/**
 * A decision is about one tool, one input, one directory and the places that its paths led to. The digest says which;
 * the executor makes it again right before it runs the call, and another one means that the call is decided anew.
 */
export interface DigestParts {
  readonly tool: { readonly name: string }
  readonly input: unknown
  readonly cwd?: string
  readonly facts: CallFacts
}

/** JSON with the keys in order, so that equal values have equal texts. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`
}

const LANES: ReadonlyArray<readonly [seed: number, prime: number]> = [
  [0x811c9dc5, 0x01000193],
  [0x9e3779b9, 0x85ebca6b],
  [0x243f6a88, 0xc2b2ae35],
  [0xb7e15162, 0x27d4eb2f]
]

const lane = (text: string, seed: number, prime: number): number => {
  let hash = seed
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), prime)
    hash ^= hash >>> 15
  }
  return (hash ^ text.length) >>> 0
}

const hashed = (text: string): string =>
  LANES.map(([seed, prime]) => lane(text, seed, prime).toString(16).padStart(8, "0")).join("")

/** Where the paths lead. What is in the files, and whether they are there, is not part of the decision. */
const places = ({ paths, ruleLinks, globs, repository }: CallFacts): unknown => ({
  ruleLinks: ruleLinks?.map(({ path, realPath, via }) => [path, realPath, via]),
  paths: paths.map(({ path, realPath, via }) => [path, realPath, via]),
  globs: globs.map(({ glob, matches }) => [glob, matches]),
  repository
})

export const decisionDigest = ({ tool, input, cwd, facts }: DigestParts): string =>
  hashed(canonical({ tool: tool.name, input, cwd, facts: places(facts) }))
