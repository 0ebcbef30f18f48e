/** Text put together from lines of the source, which knows where each of its characters came from. */
import type { Fragment } from "./frame.ts"

export interface LocatedText {
  readonly text: string
  readonly placeOf: (index: number) => number
}

export const locateText = (lines: ReadonlyArray<Fragment>): LocatedText => {
  const starts: Array<number> = []
  let length = 0
  for (const { text } of lines) {
    starts.push(length)
    length += text.length + 1
  }
  const placeOf = (index: number): number => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((starts[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return (lines[low]?.at ?? 0) + index - (starts[low] ?? 0)
  }
  return { text: lines.map((line) => line.text).join("\n"), placeOf }
}
