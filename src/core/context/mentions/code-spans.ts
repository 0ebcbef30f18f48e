/** Where code stands in a text of Markdown: between two runs of backticks of one length. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

interface Token {
  readonly at: number
  /** Backticks in a row; 0 is the end of a line. */
  readonly length: number
}

const FENCE = 3

/** For each run the next one of its length. Short runs end on their own line, fences go on over many. */
const partners = (tokens: ReadonlyArray<Token>): ReadonlyArray<number | undefined> => {
  const found: Array<number | undefined> = []
  const next = new Map<number, number>()
  for (let index = tokens.length - 1; index >= 0; index--) {
    const length = tokens[index]?.length ?? 0
    if (length === 0) {
      for (let short = 1; short < FENCE; short++) next.delete(short)
      continue
    }
    found[index] = next.get(length)
    next.set(length, index)
  }
  return found
}

/** In order, none inside another. A run without a partner opens nothing. The cost grows with the text alone. */
export const codeSpans = (text: string): ReadonlyArray<TextRange> => {
  if (!text.includes("`")) return []
  const tokens = Array.from(text.matchAll(/`+|\n/g), (match): Token => {
    const [found] = match
    return { at: match.index, length: found === "\n" ? 0 : found.length }
  })
  const partnerOf = partners(tokens)
  const spans: Array<TextRange> = []
  for (let index = 0; index < tokens.length; index++) {
    const [open, partner] = [tokens[index], partnerOf[index]]
    const close = partner === undefined ? undefined : tokens[partner]
    if (open === undefined || close === undefined || partner === undefined) continue
    spans.push({ start: open.at, end: close.at + close.length })
    index = partner
  }
  return spans
}
