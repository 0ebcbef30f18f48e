/**
 * Wildcard matching without regular expressions: rules come from files and paths from the model, and neither may make
 * the match take more than length times length steps.
 */
export type Piece =
  | { readonly kind: "character"; readonly value: string; readonly fold: boolean }
  | { readonly kind: "one" }
  | { readonly kind: "many" }
  | {
      readonly kind: "class"
      readonly negated: boolean
      readonly ranges: ReadonlyArray<readonly [string, string]>
      readonly fold: boolean
    }

/** A string or a list of characters: lists keep characters beyond the basic plane whole. */
type Characters = ArrayLike<string>

const inRanges = (ranges: ReadonlyArray<readonly [string, string]>, character: string): boolean =>
  ranges.some(([low, high]) => low <= character && character <= high)

const accepts = (piece: Piece, character: string): boolean => {
  switch (piece.kind) {
    case "character":
      return piece.value === character || (piece.fold && piece.value.toLowerCase() === character.toLowerCase())
    case "one":
    case "many":
      return true
    case "class": {
      // What is left out is left out as it is spelled: the same letter in the other case may be another file.
      if (piece.negated) return !inRanges(piece.ranges, character)
      const forms = piece.fold ? [character, character.toLowerCase(), character.toUpperCase()] : [character]
      return forms.some((form) => inRanges(piece.ranges, form))
    }
  }
}

/** Whether the pieces match `text` from `from` to its end. */
export const matchesPieces = (pieces: ReadonlyArray<Piece>, text: Characters, from = 0): boolean => {
  let piece = 0
  let at = from
  let retry: { readonly piece: number; at: number } | undefined
  while (at < text.length) {
    const current = pieces[piece]
    if (current?.kind === "many") {
      retry = { piece: piece + 1, at }
      piece++
    } else if (current !== undefined && accepts(current, text[at] ?? "")) {
      piece++
      at++
    } else if (retry !== undefined) {
      retry.at++
      piece = retry.piece
      at = retry.at
    } else return false
  }
  while (pieces[piece]?.kind === "many") piece++
  return piece === pieces.length
}

/** Whether the pieces before the first `many` match at `from`. */
export const startsAt = (pieces: ReadonlyArray<Piece>, text: Characters, from: number): boolean => {
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "many") return true
    const character = text[from + index]
    if (character === undefined || !accepts(piece, character)) return false
  }
  return true
}

/** `*` spans anything, every other character is itself. Cut as strings are indexed: they match plain strings. */
export const starPieces = (pattern: string, fold = false): ReadonlyArray<Piece> =>
  pattern
    .replaceAll(/\*+/g, "*")
    .split("")
    .map((unit) => (unit === "*" ? { kind: "many" } : { kind: "character", value: unit, fold }))

export const matchesStars = (pattern: string, text: string, fold = false): boolean =>
  matchesPieces(starPieces(pattern, fold), text)

const meets = (left: Piece, right: Piece): boolean =>
  (left.kind === "character" && accepts(right, left.value)) ||
  (right.kind === "character" && accepts(left, right.value)) ||
  (left.kind !== "character" && right.kind !== "character")

/** Whether some text matches both lists of pieces. Classes are taken as able to meet anything. */
export const piecesMeet = (left: ReadonlyArray<Piece>, right: ReadonlyArray<Piece>): boolean => {
  // reachable[j]: the pieces of `left` so far and the first j pieces of `right` have a common text.
  let reachable = [true]
  for (const [index, piece] of right.entries()) reachable.push(reachable[index] === true && piece.kind === "many")
  for (const piece of left) {
    const next: Array<boolean> = [reachable[0] === true && piece.kind === "many"]
    for (const [index, other] of right.entries()) {
      const skipsLeft = piece.kind === "many" && reachable[index + 1] === true
      const skipsRight = other.kind === "many" && next[index] === true
      const both = reachable[index] === true && meets(piece, other)
      const stays =
        (piece.kind === "many" && next[index] === true) || (other.kind === "many" && reachable[index + 1] === true)
      next.push(skipsLeft || skipsRight || both || stays)
    }
    reachable = next
  }
  return reachable.at(-1) === true
}
