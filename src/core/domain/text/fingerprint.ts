/** A short text that tells values apart. Equal values have equal ones, whatever the order of their fields. */

/** JSON with the keys in order, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`
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

export const fingerprint = (value: unknown): string => {
  const text = canonicalJson(value)
  return LANES.map(([seed, prime]) => lane(text, seed, prime).toString(16).padStart(8, "0")).join("")
}
