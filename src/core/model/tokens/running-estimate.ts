/**
 * Tokens that a growing text is likely to cost, by the measure of estimate.ts: four ASCII characters a token,
 * one and a half of all others. The counts are kept apart so that adding a line costs no more than the line.
 */
export interface CharCount {
  readonly ascii: number
  readonly other: number
}

export const countChars = (text: string): CharCount => {
  let ascii = 0
  let other = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff
    if (unit < 0x80) ascii += 1
    else if (!isSecondHalf) other += 1
  }
  return { ascii, other }
}

export const addChars = (left: CharCount, right: CharCount): CharCount => ({
  ascii: left.ascii + right.ascii,
  other: left.other + right.other
})

export const tokensOf = (count: CharCount): number => Math.ceil(count.ascii / 4 + count.other / 1.5)
